#include "parallel/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "parallel/coordinator.h"
#include "parallel/ticker.h"
#include "util/memory_use.h"

namespace heddle::parallel {

namespace {

constexpr double kTickSeconds = 0.1;
constexpr double kEstimateSeconds = 1;
constexpr double kLookSeconds = 0.05;  // from one look at the memory in use to the next, within an execution

// For a process that explores alone. Empty: it need not.
std::string whyStop(const Control& control, const Budget& budget) {
  return budget.exceeded(control.bytes != 0 ? util::memoryOf(getpid()) : 0);
}

// The part of a run that takes place in this process.
class Alone final : public explore::Attendant {
 public:
  Alone(Task& task, const Control& control, const Budget& budget, Ledger& ledger, CheckpointWriter& checkpoints)
      : task_(task), control_(control), budget_(budget), ledger_(ledger), checkpoints_(checkpoints) {}

  // Explores the open parts in order. Everything is done, or failed, or must stop, or more hands are wanted.
  RunEnd run(const std::atomic<bool>& attention) {
    RunEnd end;
    for (auto part = firstOpen(); part != ledger_.entries().end() && !leaves_; part = firstOpen()) {
      part_ = part;
      PartEnd stop;
      try {
        stop = task_.explore(part->rest, attention, *this);
      } catch (...) {
        ledger_.commit(part, task_.takeFindings(), part->rest);
        throw;
      }
      if (leaves_) break;
      if (stop.early) {
        ledger_.commit(part, task_.takeFindings(), stop.here);
        if (reason_.empty()) reason_ = "stopped, as asked";  // by the observer, or else isUrgent has noted why
        break;
      }
      end.failed = !stop.statistics.complete;
      if (end.failed) ledger_.dropAfter(part);
      ledger_.close(part, task_.takeFindings());
      if (end.failed) return end;
    }
    end.reason = reason_;
    end.complete = ledger_.openParts() == 0;
    return end;
  }

  bool attend(explore::Divisible& exploration) override {
    if (control_.attention != nullptr) control_.attention->store(false);
    ledger_.commit(part_, task_.takeFindings(), exploration.rest());
    const double time = budget_.elapsed();
    reason_ = whyStop(control_, budget_);
    leaves_ = !reason_.empty() || (control_.workers > 1 && time >= control_.aloneSeconds);
    if (control_.progress)
      control_.progress({ledger_.executions(), ledger_.blocked(), time, control_.estimate, control_.earlier});
    if (!leaves_) checkpoints_.writeIfDue(time);
    return !leaves_;
  }

  bool isUrgent() const override {
    const double time = budget_.elapsed();
    const bool looks = control_.bytes != 0 && time - looked_ >= kLookSeconds;
    if (looks) looked_ = time;
    reason_ = budget_.exceeded(looks ? util::memoryOf(getpid()) : 0);
    return !reason_.empty();
  }

 private:
  Ledger::Place firstOpen() {
    return std::ranges::find_if(ledger_.entries(), [](const Entry& entry) { return entry.open; });
  }

  Task& task_;
  const Control& control_;
  const Budget& budget_;
  Ledger& ledger_;
  CheckpointWriter& checkpoints_;
  Ledger::Place part_;
  bool leaves_ = false;
  mutable double looked_ = 0;   // when the memory in use was last looked at
  mutable std::string reason_;  // why the run has to stop, when that was last asked
};

// How long until somebody has to look at the run for the first time, and then each time; 0 if nobody has to.
std::pair<double, double> ticksOf(const Control& control) {
  double first = 0;
  if (control.workers > 1) first = control.aloneSeconds;
  if (first == 0 && (control.progress || control.bytes != 0 || !control.checkpointFile.empty())) first = kTickSeconds;
  if (!control.checkpointFile.empty()) first = std::min(first, control.checkpointSeconds);
  if (control.seconds > 0) first = first > 0 ? std::min(first, control.seconds) : control.seconds;
  return {first, std::min(std::max(first, 0.001), kTickSeconds)};
}

}  // namespace

void CheckpointWriter::writeIfDue(double time) {
  if (control_.checkpointFile.empty() || time < next_) return;
  next_ = time + control_.checkpointSeconds;
  write();
}

void CheckpointWriter::write() {
  if (control_.checkpointFile.empty()) return;
  try {
    writeCheckpoint(control_.checkpointFile, control_.about, task_, ledger_, older_);
    older_ = Older::kept;
    problem_.clear();
  } catch (const CheckpointError& error) {
    problem_ = error.what();
  }
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Budget::Budget(const Control& control) : control_(control), start_(control.start > 0 ? control.start : now()) {}

double Budget::elapsed() const { return now() - start_; }

std::string Budget::exceeded(std::uint64_t bytes) const {
  if (control_.interrupted != nullptr && control_.interrupted->load(std::memory_order_relaxed)) return "interrupted";
  if (control_.seconds > 0 && elapsed() >= control_.seconds) return fmt::format("out of time after {} s", control_.seconds);
  if (control_.bytes != 0 && bytes > control_.bytes) {
    return fmt::format("more than {} MB of memory in use", control_.bytes / 1'000'000);
  }
  return "";
}

namespace {

void runSamples(Task& task, const Control& control, RunEnd& end) {
  const Budget budget(control);
  std::string why;
  end.failed = !sample(task, control.samples, control.seed, [&] { return !(why = whyStop(control, budget)).empty(); });
  end.complete = why.empty();
  end.reason = end.complete ? fmt::format("{} random executions", control.samples) : why;
  end.findings = task.takeFindings();
}

void explore(Task& task, Control& control, RunEnd& end) {
  static std::atomic<bool> own = false;
  std::atomic<bool>& attention = control.attention != nullptr ? *control.attention : own;
  Ledger ledger;
  CheckpointWriter checkpoints(task, control, ledger);
  if (control.resume) {
    requireSame(*control.resume, control.about);
    ledger = ledgerOf(*control.resume, task);
    control.earlier = ledger.executions() + ledger.blocked();
  } else {
    ledger.open({});
  }
  const Budget budget(control);
  if (control.interrupted != nullptr && control.interrupted->load()) attention.store(true);  // before it began
  try {
    {
      const auto [first, interval] = ticksOf(control);
      const Ticker ticker(attention, first > 0 ? std::max(first - budget.elapsed(), 0.001) : 0, interval);
      end = Alone(task, control, budget, ledger, checkpoints).run(attention);
    }
    if (!end.complete && !end.failed && end.reason.empty()) {
      const std::unique_ptr<Transport> transport = control.transport(task, control.workers);
      end = Coordinator(task, control, budget, ledger, checkpoints, *transport).run();
    }
  } catch (...) {
    end.findings = ledger.takeTotal();
    throw;
  }
  if (!end.complete && !end.failed) checkpoints.write();
  end.checkpointProblem = checkpoints.problem();
  end.findings = ledger.takeTotal();
}

void keepFailure(const Task& task, const Control& control, RunEnd& end) {
  const std::optional<explore::Subtree> failure = task.failure();
  if (!failure) return;
  end.failure = failureText(control.about, task, *failure);
  if (control.failureFile.empty()) return;
  try {
    writeFailure(control.failureFile, end.failure);
  } catch (const CheckpointError& error) {
    end.checkpointProblem = error.what();
  }
}

}  // namespace

void run(Task& task, const Control& control, RunEnd& end) {
  Control known = control;
  if (known.start == 0) known.start = now();
  if (control.estimates) {
    const Budget budget(known);
    known.estimate = estimate(task, control.seed, kEstimateSeconds, [&] { return !whyStop(known, budget).empty(); });
  }
  if (control.samples != 0) {
    runSamples(task, known, end);
  } else {
    explore(task, known, end);
  }
  end.estimate = known.estimate;
  const bool isReplay = control.resume && control.resume->isFailure();
  if (end.failed && !isReplay) task.shortenFailure();
  if (end.failed && control.keepsFailure) keepFailure(task, control, end);
  end.earlier = known.earlier;
}

}  // namespace heddle::parallel
