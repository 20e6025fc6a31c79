// LitmusProgram: a compiled litmus test as a Program.
//
// The explorer advances, resumes, marks and rewinds threads tens of millions of times a second, so all of that
// works on flat blocks of words (see bytecode.h) and a stack of such blocks for the marks; nothing allocates, except
// when the stack of marks has to grow. A loop that goes round too often in one run throws LitmusError from advance.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "litmus/bytecode.h"
#include "litmus/source.h"
#include "program/program.h"

namespace heddle::litmus {

class LitmusProgram final : public Program {
 public:
  // A thread may go round its loops `loopBound` times in one run, all of them counted together.
  LitmusProgram(std::shared_ptr<const SourceFile> file, Code code, unsigned loopBound);

  unsigned threadCount() const override { return static_cast<unsigned>(code_.threads.size()); }
  unsigned initialThreads() const override { return code_.initialThreads; }
  void reset() override;
  Operation advance(ThreadId thread) override;
  void resume(ThreadId thread, Result result) override;
  void proceed(ThreadId thread, Result result, Operation& next) override;
  void proceedFrom(Mark mark, ThreadId thread, Result result, Operation& next) override;
  Mark mark(ThreadId thread) override;
  void rewind(ThreadId thread, Mark mark) override;
  void release(Mark mark) override { top_ = mark; }
  void takeBack(ThreadId thread, Mark mark) override;
  bool trackDependencies() override;
  void dependencies(ThreadId thread, Dependencies& result) const override;
  // The same, but those reads are apart that decide which value is written, or whether one is, without being part of it: what
  // has picked it, and what a compare-exchange compares with. A machine that hands the value on does not wait for them.
  void dependencies(ThreadId thread, Dependencies& result, std::vector<std::uint32_t>& deciding) const;
  std::vector<Operation> operations() const override;
  Value initialValue(Address address, unsigned size) const override;
  bool mayRead(const Operation& begin, Address address, unsigned size) const override;
  std::string locationName(Address address, unsigned size) const override;
  std::string sourceText(std::uint32_t source) const override;

  // Has it load-exclusives and store-exclusives where dependencies are tracked?
  bool hasExclusives() const;

  // Are there values that reads decide on without being part of them?
  bool hasDecisions() const { return code_.selects; }

  // The opposite of trackDependencies, for another model.
  void forgetDependencies();

  // The current value of a local variable: 64 bits, extended by the sign of its type.
  Value registerValue(ThreadId thread, unsigned slot) const { return static_cast<Value>(registers(thread)[slot]); }

  // n of the Pn that the source calls this thread. It differs from the ThreadId when a thread that is spawned has
  // a lower number than one that runs from the start.
  unsigned sourceNumber(ThreadId thread) const { return code_.threads[thread].number; }
  std::string threadName(ThreadId thread) const { return "P" + std::to_string(sourceNumber(thread)); }

  // What went wrong, for an `error` operation.
  const std::string& errorText(Value operand) const { return code_.messages.at(operand); }

  unsigned sourceLine(std::uint32_t source) const { return code_.sources.at(source).line; }

  bool hasPlainAccesses() const { return code_.hasPlainAccesses; }
  bool hasMixedSizes() const { return code_.hasMixedSizes; }
  bool hasTransactions() const { return !code_.transactions.empty(); }
  const std::vector<CompiledLocation>& locations() const { return code_.locations; }

  // Bytes that a mark of this thread takes.
  std::size_t stateBytes(ThreadId thread) const { return 8 * std::size_t{code_.threads[thread].stateWords}; }

 private:
  using Word = std::int64_t;

  // What the hot path needs to know of a thread.
  struct Block {
    std::uint32_t offset;  // in states_
    std::uint32_t words;
    std::uint32_t masks;  // where the dependencies of its registers begin
  };

  Word* state(ThreadId thread) { return states_.data() + blocks_[thread].offset; }
  const Word* registers(ThreadId thread) const { return states_.data() + blocks_[thread].offset + 1; }
  void resumeIn(Word* block, ThreadId thread, Result result);
  void advanceIn(Word* block, ThreadId thread, Operation& next);
  void layOut();
  enum class Tracking : std::uint8_t { off, on, withPicks };

  // Where the masks of what has picked registers begin.
  template <class AnyWord>
  static AnyWord* picksOf(AnyWord* depends, std::uint32_t masks) {
    return depends + masks + 1;
  }
  static void followPicks(const Instruction& in, Word* depends, std::uint32_t masks, const Word* regs);

  // `masks`: of the registers, if dependencies are tracked; those of control come after them.
  template <Tracking kTracking>
  Operation interpret(Word* block, std::uint32_t masks);
  void noteResult(Word* block, std::uint32_t masks, const Instruction& instruction, const Result& result);
  Mark growAndMark(ThreadId thread);
  bool isInLocation(Address address) const;
  [[noreturn]] void failLoop(std::uint32_t pc) const;

  std::shared_ptr<const SourceFile> file_;
  Code code_;
  unsigned loopBound_;
  bool tracks_ = false;
  std::vector<Block> blocks_;
  std::vector<Word> initialStates_;
  std::vector<Word> states_;  // of all threads
  std::vector<Word> marks_;   // a stack of blocks; a Mark is the index of the first word
  std::uint32_t top_ = 0;
};

}  // namespace heddle::litmus
