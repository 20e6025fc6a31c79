// What is explored, a litmus test or a native program, as one small interface; and a run of it.
//
//   runLitmus, check --> exploreAll --> inRightMode --> parallel::run --> Subject::explore --> explorePart --> an explorer
//
// A subject says which program it is, who observes, and what was found (parallel/task.h). The mode, what
// processes and checkpoints have to agree on, and starting again are the same for all subjects, and here.
#pragma once

#include <atomic>
#include <string>

#include "mixer/on_demand.h"
#include "parallel/run.h"
#include "parallel/task.h"
#include "run/mode.h"

namespace heddle::run {

// Puts up with cycles in po | rf, under a model with dependencies.
void allowLoadBuffering(Mode& mode);

// Explores a part of the tree in this mode. Throws parallel::WrongMode if that is not the right one, ProgramError for a
// program that is refused, LimitError for one that is too large.
parallel::PartEnd explorePart(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                              explore::Observer& observer, const Mode& mode, const explore::Subtree& part = {});

class Subject : public parallel::Task {
 public:
  Subject(const model::CompiledModel& model, const explore::ExploreOptions& options) : model_(model), options_(options) {}

  // What comes is explored in this mode. Nothing that was found before counts.
  void start(const Mode& mode);
  const Mode& mode() const { return mode_; }
  // Does the exploration know where it has been (causal/causal_revisit.cpp) and what the threads have done (causal_steps.cpp)? Then
  // one process has to do all of it.
  bool remembers() const { return mode_.loadBuffering && model_.controlEnds; }

  parallel::PartEnd explore(const explore::Subtree& part, const std::atomic<bool>& attention,
                            explore::Attendant& attendant) final;
  // The mode, and the numbers of threads.
  std::string agreements() const final;
  void setAgreements(const std::string& text) final;

 protected:
  // What runs after each complete execution.
  void setRecovery(explore::Recovery* recovery) { options_.recovery = recovery; }
  void setStopAtError(bool stops) { options_.stopAtError = stops; }

  virtual void begin(const Mode& mode) = 0;  // see start
  virtual Program& program() = 0;
  virtual explore::Observer& observer() = 0;
  // Who is to be asked, in this part, by whatever takes long over one execution.
  virtual void attend(const std::atomic<bool>& attention, const explore::Attendant& attendant) = 0;
  // Which number has which thread, where that is found out only by exploring (runtime/thread_numbers.h).
  virtual std::string threadNumbers() const { return ""; }
  virtual void setThreadNumbers(const std::string&) {}

 private:
  const model::CompiledModel& model_;
  explore::ExploreOptions options_;
  Mode mode_;
};

// Explores everything: in one process or several, within budgets, with checkpoints (parallel/run.h), and from the start once
// more when the mode turns out to be wrong. What explorePart throws, other than that, comes out; `end` has then what was
// found before.
void exploreAll(Subject& subject, const Mode& mode, parallel::Control control, parallel::RunEnd& end);

}  // namespace heddle::run
