#include "parallel/coordinator.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>

#include "parallel/thrown.h"

namespace heddle::parallel {

namespace {

using nlohmann::json;

constexpr double kLeastSeconds = 0.005;  // that a worker has a part before it is asked to give some of it away
constexpr double kCommitSeconds = 0.25;  // between reports of what was found so far
constexpr double kPatience = 5;          // for a worker to stop
constexpr unsigned kMostFailures = 2;    // of a part, that are made good
constexpr unsigned kMostIdleDeaths = 16;
constexpr int kLost = -2;  // the owner of a part that nobody can explore

std::string deathText(int status) {
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemoryStatus) return "out of memory";
  return fmt::format("ended with status {}", WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

}  // namespace

Coordinator::Coordinator(Task& task, const Control& control, const Budget& budget, Ledger& ledger,
                         CheckpointWriter& checkpoints)
    : task_(task),
      control_(control),
      budget_(budget),
      ledger_(ledger),
      checkpoints_(checkpoints),
      workers_(control.workers),
      lastCommit_(budget.elapsed()) {
  void* const shared =
      mmap(nullptr, sizeof(Request) * control.workers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  requests_ = static_cast<Request*>(shared);
  for (std::size_t i = 0; i < control.workers; ++i) new (&requests_[i]) Request;
}

Coordinator::~Coordinator() {
  for (Worker& worker : workers_) kill(worker);
  munmap(requests_, sizeof(Request) * workers_.size());
}

// False: there is no room for another process.
bool Coordinator::start(std::size_t index) {
  Worker& worker = workers_[index];
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  Channel here(ends[0]), there(ends[1]);
  requests_[index].wants = 0;
  requests_[index].attention = false;
  std::fflush(nullptr);  // or it would be printed twice
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return false;
  if (process == 0) {
    // The run decides what an interrupt means, and its end is ours.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    for (Worker& other : workers_) other.channel.reset();
    { const Channel unused = std::move(here); }
    serve(task_, std::move(there), requests_[index]);
  }
  worker = Worker{.process = process, .channel = std::move(here), .part = {}, .since = budget_.elapsed()};
  return true;
}

void Coordinator::kill(Worker& worker) {
  if (worker.process <= 0) return;
  ::kill(worker.process, SIGKILL);
  while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {}
  worker = {};
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
    if (worker.busy || worker.process <= 0) continue;
    const Ledger::Place part = largestInStock();
    if (part == ledger_.entries().end()) return;
    requests_[i].wants = 0;
    part->owner = static_cast<int>(i);
    worker.part = part;
    worker.busy = true;
    worker.asked = false;
    worker.since = budget_.elapsed();
    worker.channel->send(toText(part->rest));  // if it is gone, its end will be noticed
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
    requests_[i].ask(Request::kSplit);
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
    requests_[i].ask(Request::kStop);
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

void Coordinator::receive(std::size_t index) {
  Worker& worker = workers_[index];
  const bool alive = worker.channel->read();
  while (const std::optional<std::string> message = worker.channel->take()) handle(worker, *message);
  if (!alive) buryWorker(index);
}

void Coordinator::buryWorker(std::size_t index) {
  Worker& worker = workers_[index];
  int status = 0;
  while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {}
  if (worker.part) {
    Entry& part = **worker.part;
    part.owner = -1;
    if (++part.failures > kMostFailures) {
      part.owner = kLost;
      lost_.push_back(fmt::format("a part of the exploration was lost {} times (the process was {}): {}", part.failures,
                                  deathText(status), toText(part.rest)));
    }
  } else if (!worker.busy && ++idleDeaths_ > kMostIdleDeaths) {
    stopReason_ = fmt::format("the processes that explore do not stay alive ({})", deathText(status));
    ending_ = true;
  }
  worker = {};
  if (!ending_) start(index);
}

// Waits for messages, for so long at most.
void Coordinator::wait(double seconds) {
  std::vector<pollfd> descriptors;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (!workers_[i].channel) continue;
    descriptors.push_back({.fd = workers_[i].channel->descriptor(), .events = POLLIN, .revents = 0});
    indices.push_back(i);
  }
  if (poll(descriptors.data(), descriptors.size(), static_cast<int>(seconds * 1000)) <= 0) return;
  for (std::size_t k = 0; k < descriptors.size(); ++k) {
    if (descriptors[k].revents != 0) receive(indices[k]);
  }
}

std::uint64_t Coordinator::memoryInUse() const {
  std::uint64_t bytes = memoryOf(getpid());
  for (const Worker& worker : workers_) bytes += worker.process > 0 ? memoryOf(worker.process) : 0;
  return bytes;
}

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
    if (workers_[i].busy) requests_[i].ask(Request::kCommit);
  }
  if (control_.progress) control_.progress({ledger_.executions(), ledger_.blocked(), time, control_.estimate});
  // Once a part has failed the ledger is that of a run which ends there: a run that went on from it would miss the failure.
  if (!failure_) checkpoints_.writeIfDue(time);
}

// Everybody reports and stops.
void Coordinator::stopAll() {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].busy) requests_[i].ask(Request::kStop);
  }
  const double until = budget_.elapsed() + kPatience;
  const auto anyBusy = [&] { return std::ranges::any_of(workers_, [](const Worker& w) { return w.busy && w.part; }); };
  while (anyBusy() && budget_.elapsed() < until) wait(0.05);
}

RunEnd Coordinator::run() {
  std::size_t started = 0;
  for (std::size_t i = 0; i < workers_.size(); ++i) started += start(i);
  if (started == 0) throw std::bad_alloc();
  while (!ending_) {
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
  for (Worker& worker : workers_) kill(worker);
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
