// A program whose threads remember what they have been resumed with, for who runs the execution once more (retrace.h).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "program/thread_set.h"

namespace heddle::run {

class RecordedResults final : public Program {
 public:
  explicit RecordedResults(Program& program) : program_(program) {}

  // Of the operations of a thread, up to where it is now.
  std::vector<Result> of(ThreadId thread) const {
    std::vector<Result> results;
    for (const Step* step = last_[thread].get(); step != nullptr; step = step->before.get()) results.push_back(step->result);
    std::ranges::reverse(results);
    return results;
  }

  unsigned threadCount() const override { return program_.threadCount(); }
  unsigned initialThreads() const override { return program_.initialThreads(); }
  void reset() override {
    program_.reset();
    last_.fill(nullptr);
    marks_.clear();
  }
  Operation advance(ThreadId thread) override { return program_.advance(thread); }
  void resume(ThreadId thread, Result result) override {
    last_[thread] = std::make_shared<Step>(last_[thread], result);
    program_.resume(thread, result);
  }
  bool trackDependencies() override { return program_.trackDependencies(); }
  void dependencies(ThreadId thread, Dependencies& result) const override { program_.dependencies(thread, result); }
  bool looksAtGraph() const override { return program_.looksAtGraph(); }
  Mark mark(ThreadId thread) override {
    marks_.push_back(last_[thread]);
    return program_.mark(thread);
  }
  void rewind(ThreadId thread, Mark mark) override {
    last_[thread] = marks_[mark];
    program_.rewind(thread, mark);
  }
  void release(Mark mark) override {
    marks_.resize(mark);
    program_.release(mark);
  }
  std::vector<Operation> operations() const override { return program_.operations(); }
  Value initialValue(Address address, unsigned size) const override { return program_.initialValue(address, size); }
  bool initialValuesVary() const override { return program_.initialValuesVary(); }
  Wide bytesOfNumber(Value number) const override { return program_.bytesOfNumber(number); }
  Value numberOfBytes(Wide bytes) override { return program_.numberOfBytes(bytes); }
  Value image(Value value, ThreadId from, ThreadId to) const override { return program_.image(value, from, to); }
  bool mayRead(const Operation& begin, Address address, unsigned size) const override {
    return program_.mayRead(begin, address, size);
  }
  std::string locationName(Address address, unsigned size) const override { return program_.locationName(address, size); }
  std::string sourceText(std::uint32_t source) const override { return program_.sourceText(source); }

 private:
  // Threads that are rewound and take another way share what was before.
  struct Step {
    Step(std::shared_ptr<const Step> earlier, Result with) : before(std::move(earlier)), result(with) {}
    std::shared_ptr<const Step> before;
    Result result;
  };
  using Last = std::shared_ptr<const Step>;

  Program& program_;
  std::array<Last, kMostThreads> last_;
  std::vector<Last> marks_;
};

}  // namespace heddle::run
