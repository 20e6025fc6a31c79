#include "parallel/coordinator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "parallel/thrown.h"
#include "util/memory_use.h"

namespace heddle::parallel {

namespace {

using nlohmann::json;

constexpr double kLeastSeconds = 0.005;  // that a worker has a part before it is asked to give some of it away
constexpr double kCommitSeconds = 0.25;  // between reports of what was found so far
constexpr double kPatience = 5;          // for a worker to stop
constexpr unsigned kMostFailures = 2;    // of a part, that are made good
constexpr unsigned kMostIdleDeaths = 16;
constexpr int kLost = -2;  // the owner of a part that nobody can explore

}  // namespace

Coordinator::Coordinator(Task& task, const Control& control, const Budget& budget, Ledger& ledger,
                         CheckpointWriter& checkpoints, Transport& transport)
    : task_(task),
      control_(control),
      budget_(budget),
      ledger_(ledger),
      checkpoints_(checkpoints),
      transport_(transport),
      workers_(transport.places()),
      lastCommit_(budget.elapsed()) {}

// False: there is no room for another worker.
bool Coordinator::start(std::size_t index) {
  if (!transport_.start(index)) return false;
  workers_[index] = Worker{.alive = true, .part = {}, .since = budget_.elapsed()};
  return true;
}

// Is anybody there? Those who have ended, and could not be replaced, may be now.
bool Coordinator::hasWorkers() {
  if (std::ranges::any_of(workers_, &Worker::alive)) return true;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (start(i)) return true;
  }
  return false;
}

std::size_t Coordinator::inStock() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(ledger_.entries(), [](const Entry& entry) { return entry.open && entry.owner == -1; }));
}

// The first one once there is an error, because only what comes before that counts.
Ledger::Place Coordinator::largestInStock() {
  auto& entries = ledger_.entries();
  Ledger::Place best = entries.end();
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    if (!entry->open || entry->owner != -1) continue;
    if (best == entries.end() || (!failure_ && entry->rest.path.size() < best->rest.path.size())) best = entry;
  }
  return best;
}

void Coordinator::handOut() {
  if (ending_) return;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = workers_[i];
    if (worker.busy || !worker.alive) continue;
    const Ledger::Place part = largestInStock();
    if (part == ledger_.entries().end()) return;
    part->owner = static_cast<int>(i);
    worker.part = part;
    worker.busy = true;
    worker.asked = false;
    worker.since = budget_.elapsed();
    transport_.send(i, toText(part->rest));
  }
}

// Asks for more if the stock is low. True: more is wanted, now or soon.
bool Coordinator::askForParts() {
  const auto idle = static_cast<std::size_t>(std::ranges::count_if(workers_, [](const Worker& w) { return !w.busy; }));
  const auto asked = static_cast<std::size_t>(std::ranges::count_if(workers_, [](const Worker& w) { return w.asked; }));
  const std::size_t wanted = idle + std::max<std::size_t>(1, workers_.size() / 4);
  const std::size_t coming = inStock() + asked;
  if (ending_ || coming >= wanted) return idle != 0;
  std::vector<std::size_t> givers;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const Worker& w = workers_[i];
    if (w.busy && w.part && !w.asked && budget_.elapsed() - w.since >= kLeastSeconds) givers.push_back(i);
  }
  std::ranges::stable_sort(givers, {}, [&](std::size_t i) { return (*workers_[i].part)->rest.base; });
  givers.resize(std::min(givers.size(), wanted - coming));
  for (const std::size_t i : givers) {
    workers_[i].asked = true;
    transport_.ask(i, Request::kSplit);
  }
  return true;
}

void Coordinator::giveBack(Worker& worker) {
  if (worker.part) (*worker.part)->owner = -1;
  worker.part.reset();
  worker.busy = worker.asked = false;
}

// The part of this worker ends the exploration, unless an earlier one does.
void Coordinator::fail(Worker& worker, const Failure& failure) {
  failure_ = failure;
  const Ledger::Place part = *worker.part;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& other = workers_[i];
    if (!other.part || explore::compareStarts((*other.part)->start, part->start) <= 0) continue;
    other.part.reset();
    transport_.ask(i, Request::kStop);
  }
  ledger_.dropAfter(part);
  if (control_.first) ending_ = true;
}

void Coordinator::handle(Worker& worker, const std::string& text) {
  const json message = json::parse(text);
  const std::string kind = message.at("kind");
  if (kind == "commit") {
    worker.asked = false;
    if (message.at("given").empty()) worker.since = budget_.elapsed();
    if (worker.part) {
      ledger_.commit(*worker.part, task_.parseFindings(message.at("findings")),
                     explore::parseSubtree(message.at("rest").get<std::string>()));
      for (const json& given : message.at("given")) ledger_.open(explore::parseSubtree(given.get<std::string>()));
    }
    if (message.at("stopped")) giveBack(worker);
    return;
  }
  if (worker.part) {
    const Ledger::Place part = *worker.part;
    if (kind == "failed") fail(worker, {.part = explore::parseSubtree(message.at("here").get<std::string>()), .thrown = {}});
    if (kind == "threw") fail(worker, {.part = {}, .thrown = message.at("thrown")});
    ledger_.close(part, task_.parseFindings(message.at("findings")));
    worker.part.reset();
  }
  giveBack(worker);
}

void Coordinator::buryWorker(std::size_t index, const std::string& how) {
  Worker& worker = workers_[index];
  if (worker.part) {
    Entry& part = **worker.part;
    part.owner = -1;
    if (++part.failures > kMostFailures) {
      part.owner = kLost;
      lost_.push_back(fmt::format("a part of the exploration was lost {} times (the process was {}): {}", part.failures, how,
                                  toText(part.rest)));
    }
  } else if (!worker.busy && ++idleDeaths_ > kMostIdleDeaths) {
    stopReason_ = fmt::format("the processes that explore do not stay alive ({})", how);
    ending_ = true;
  }
  worker = {};
  if (!ending_) start(index);
}

// Waits for news, for so long at most.
void Coordinator::wait(double seconds) {
  for (const News& news : transport_.receive(seconds)) {
    if (news.ended) {
      buryWorker(news.worker, news.text);
    } else {
      handle(workers_[news.worker], news.text);
    }
  }
}

std::uint64_t Coordinator::memoryInUse() const { return util::memoryOf(getpid()) + transport_.memoryInUse(); }

// Budgets, progress, and checkpoints.
void Coordinator::lookAround() {
  const double time = budget_.elapsed();
  if (control_.attention != nullptr) control_.attention->store(false);
  const bool checkpoints = !control_.checkpointFile.empty();
  const bool due = time - lastCommit_ >= (checkpoints ? std::min(kCommitSeconds, control_.checkpointSeconds) : kCommitSeconds);
  if (due) peakBytes_ = std::max(peakBytes_, memoryInUse());
  if (const std::string reason = budget_.exceeded(due && control_.bytes != 0 ? memoryInUse() : 0); !reason.empty()) {
    stopReason_ = reason;
    ending_ = true;
    return;
  }
  if (!due) return;
  lastCommit_ = time;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].busy) transport_.ask(i, Request::kCommit);
  }
  if (control_.progress)
    control_.progress({ledger_.executions(), ledger_.blocked(), time, control_.estimate, control_.earlier});
  // Once a part has failed the ledger is that of a run which ends there: a run that went on from it would miss the failure.
  if (!failure_) checkpoints_.writeIfDue(time);
}

// Everybody reports and stops.
void Coordinator::stopAll() {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].busy) transport_.ask(i, Request::kStop);
  }
  const double until = budget_.elapsed() + kPatience;
  const auto anyBusy = [&] { return std::ranges::any_of(workers_, [](const Worker& w) { return w.busy && w.part; }); };
  while (anyBusy() && budget_.elapsed() < until) wait(0.05);
}

RunEnd Coordinator::run() {
  for (std::size_t i = 0; i < workers_.size(); ++i) start(i);
  while (!ending_) {
    if (!hasWorkers()) {
      stopReason_ = "no process can be started that explores";
      break;
    }
    handOut();
    const bool anyBusy = std::ranges::any_of(workers_, [](const Worker& w) { return w.busy && w.part; });
    if (!anyBusy && inStock() == 0) break;
    wait(askForParts() ? 0.002 : 0.02);
    lookAround();
  }
  return finish();
}

RunEnd Coordinator::finish() {
  const bool found = failure_.has_value();
  if (!found) stopAll();
  peakBytes_ = std::max(peakBytes_, memoryInUse());
  transport_.endAll();
  RunEnd end;
  end.workerBytes = peakBytes_;
  end.reason = stopReason_;
  if (end.reason.empty() && !lost_.empty()) end.reason = lost_.front();
  if (!found) {
    end.complete = end.reason.empty() && ledger_.openParts() == 0;
    return end;
  }
  if (failure_->thrown) throwAgain(*failure_->thrown);
  // Once more, for this process to see.
  class Nothing final : public explore::Attendant {
   public:
    bool attend(explore::Divisible&) override { return true; }
  } nothing;
  const std::atomic<bool> never = false;
  const PartEnd again = task_.explore(failure_->part, never, nothing);
  task_.takeFindings();  // they are known
  end.failed = !again.statistics.complete;
  if (!end.failed) end.reason = "an error was found that does not come again";
  return end;
}

}  // namespace heddle::parallel
