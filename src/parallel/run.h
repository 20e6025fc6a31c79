// Running an exploration: on several cores, within budgets, with checkpoints.
//
// A run begins in this process alone. Only when it has taken a moment, longer than nearly every litmus test takes in
// all, are workers started (coordinator.h), so short runs pay nothing. With one worker it stays here.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parallel/checkpoint.h"
#include "parallel/ledger.h"
#include "parallel/local_transport.h"
#include "parallel/sample.h"
#include "parallel/task.h"

namespace heddle::parallel {

struct Progress {
  std::uint64_t executions = 0, blocked = 0;
  double seconds = 0;
  Estimate estimate = {};     // of executions and blocked ones together, if there is one
  std::uint64_t earlier = 0;  // of both, those that a checkpoint brought along: this run did not take the time for them
};

struct Control {
  unsigned workers = 1;
  double aloneSeconds = 0.05;  // before others are started
  bool first = false;          // the first error that is found ends the run, not the first in order
  double start = 0;            // when it began, if it is not now (now())
  double seconds = 0;          // budgets; 0: none
  std::uint64_t bytes = 0;
  std::string checkpointFile;     // empty: none
  double checkpointSeconds = 30;  // from one to the next
  bool keepsFailure = false;      // RunEnd::failure is asked for,
  std::string failureFile;        // and is written to this file; empty: it is not
  About about;                    // for these; the program is filled in by whoever knows it
  std::optional<Checkpoint> resume;
  // Set by whoever wants a look at the run to be taken, and by signals; and whether one asked to stop.
  std::atomic<bool>* attention = nullptr;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const Progress&)> progress;
  // Random executions instead of all, if not 0; and an estimate of how many there are, before anything else.
  std::uint64_t samples = 0;
  bool estimates = false;
  std::uint64_t seed = 1;
  Estimate estimate;          // for the progress
  std::uint64_t earlier = 0;  // likewise
  // Where the workers are.
  TransportMaker transport = localTransport;
};

struct RunEnd {
  bool complete = false;               // everything was explored, or all random executions were drawn
  bool failed = false;                 // the task has found an error, which this process has seen
  std::string reason;                  // why it is not complete, for people
  std::unique_ptr<Findings> findings;  // may be none
  std::string failure;            // how to run the execution again that has the error (checkpoint.h), if that was asked for
  std::uint64_t workerBytes = 0;  // the most that all processes have used, together
  std::string checkpointProblem;  // why a checkpoint, or the file of the failure, could not be written
  Estimate estimate;
  std::uint64_t earlier = 0;  // executions and blocked ones that a checkpoint brought along
};

// Explores everything, or what a checkpoint has left. Whatever the task's exploration throws comes out; `end` has then
// what was found before.
void run(Task& task, const Control& control, RunEnd& end);

// Writes checkpoints when it is time. That one cannot be written does not end a run; it is noted.
class CheckpointWriter {
 public:
  CheckpointWriter(const Task& task, const Control& control, const Ledger& ledger)
      : task_(task), control_(control), ledger_(ledger), older_(olderOf(control)) {}
  void writeIfDue(double time);
  void write();
  const std::string& problem() const { return problem_; }

 private:
  const Task& task_;
  const Control& control_;
  // What the file is that the first checkpoint replaces.
  static Older olderOf(const Control& control) {
    if (!control.resume || control.resume->file != control.checkpointFile) return Older::foreign;
    return control.resume->problem.empty() ? Older::kept : Older::damaged;
  }

  const Ledger& ledger_;
  Older older_;
  double next_ = 0;
  std::string problem_;
};

// What budgets and signals say, for anything that takes long between two executions: stop?
class Budget {
 public:
  explicit Budget(const Control& control);
  double elapsed() const;
  // Why the run has to stop; empty: it need not. `bytes`: in use, 0 if not known.
  std::string exceeded(std::uint64_t bytes) const;

 private:
  const Control& control_;
  double start_;
};

double now();  // in seconds, from some time

}  // namespace heddle::parallel
