// A program that watches how the explorer uses it.
//
// The executions may come out right although the explorer breaks the contract of Program, for a litmus thread sees
// nothing but its own results. A native thread also sees memory, which is that of all threads; so when a thread runs,
// the others must be where the graph says they are. Before each `advance` this program checks that
//
//  - the thread has been given the results of all its events in the graph, and no others;
//  - so has every other thread, but for the newest of its events: of a revisit two threads are resumed, one after the
//    other;
//  - no thread has run that the graph does not start;
//
// and that marks are used as a stack. What is wrong is a BrokenContract.
#pragma once

#include <stdexcept>
#include <vector>

#include "graph/execution_view.h"
#include "program/program.h"

namespace heddle::oracle {

class BrokenContract : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

class WatchedProgram final : public Program {
 public:
  explicit WatchedProgram(Program& program) : program_(program) {}

  // The graph that the explorer keeps for this program.
  void watch(const ExecutionView& graph) { graph_ = &graph; }

  unsigned threadCount() const override { return program_.threadCount(); }
  unsigned initialThreads() const override { return program_.initialThreads(); }
  void reset() override;
  Operation advance(ThreadId thread) override;
  void resume(ThreadId thread, Result result) override;
  bool trackDependencies() override { return program_.trackDependencies(); }
  void dependencies(ThreadId thread, Dependencies& result) const override { program_.dependencies(thread, result); }
  Mark mark(ThreadId thread) override;
  void rewind(ThreadId thread, Mark mark) override;
  void release(Mark mark) override;
  std::vector<Operation> operations() const override { return program_.operations(); }
  Value initialValue(Address address, unsigned size) const override { return program_.initialValue(address, size); }
  bool initialValuesVary() const override { return program_.initialValuesVary(); }
  std::string locationName(Address address, unsigned size) const override { return program_.locationName(address, size); }
  std::string sourceText(std::uint32_t source) const override { return program_.sourceText(source); }

 private:
  struct State {
    std::vector<Result> results;  // that the thread has been given
    bool ran = false;
  };
  struct Marked {
    Mark inner;
    ThreadId thread;
    State state;
  };

  std::size_t agreeing(ThreadId thread) const;
  std::vector<bool> started() const;
  const Marked& marked(Mark mark) const;

  Program& program_;
  const ExecutionView* graph_ = nullptr;
  std::vector<State> states_;  // by thread
  std::vector<Marked> marks_;
};

}  // namespace heddle::oracle
