#include "native/wait_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

#include "native/control_flow.h"
#include "native/local_variables.h"
#include "native/relevance.h"

namespace heddle::native {
namespace {

constexpr const char* kAgain = "heddle_wait_again";
constexpr const char* kIdle = "heddle_is_idle";  // whoever waits asks

const llvm::Function* calleeOf(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

// May the bytes that `write` writes be read, from here on, before they are written again?
bool isReadAgain(const std::vector<LocalUse>& uses, const LocalUse& write, const llvm::BasicBlock& from) {
  const auto firstUse = [&](const llvm::BasicBlock& block) {
    const LocalUse* first = nullptr;
    for (const LocalUse& use : uses) {
      if (use.instruction->getParent() != &block || use.offset >= write.end() || write.offset >= use.end()) continue;
      if (use.writes() && (use.offset > write.offset || use.end() < write.end())) continue;  // a part of it
      if (!first || use.instruction->comesBefore(first->instruction)) first = &use;
    }
    return first;
  };
  std::set<const llvm::BasicBlock*> seen = {&from};
  std::vector<const llvm::BasicBlock*> work = {&from};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (const LocalUse* first = firstUse(*block)) {
      if (!first->writes()) return true;
      continue;
    }
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

class WaitLoop {
 public:
  WaitLoop(llvm::Loop& loop, std::vector<llvm::Instruction*> waits, const std::vector<std::vector<LocalUse>>& variables)
      : header_(*loop.getHeader()), waits_(std::move(waits)) {
    for (const std::vector<LocalUse>& uses : variables) {
      for (const LocalUse& use : uses) {
        if (use.writes() && loop.contains(use.instruction) && isReadAgain(uses, use, header_)) changes_.push_back(use.instruction);
      }
    }
    for (llvm::BasicBlock* block : llvm::predecessors(&header_)) {
      auto& blocks = loop.contains(block) ? latches_ : entries_;
      if (!llvm::is_contained(blocks, block)) blocks.push_back(block);
    }
  }

  void instrument(llvm::FunctionCallee again, const std::unordered_set<const llvm::Instruction*>& relevant) {
    llvm::BasicBlock& first = header_.getParent()->getEntryBlock();
    llvm::IRBuilder<> builder(&first, first.begin());
    llvm::Type* const number = builder.getInt32Ty();
    llvm::AllocaInst* const place = builder.CreateAlloca(number);
    for (llvm::BasicBlock* entry : entries_) llvm::IRBuilder<>(entry->getTerminator()).CreateStore(builder.getInt32(0), place);
    std::uint32_t count = 0;
    for (llvm::Instruction* wait : waits_) {
      llvm::IRBuilder<> before(wait);
      llvm::Value* const own = before.getInt32(++count);
      llvm::Value* const same = before.CreateICmpEQ(before.CreateLoad(number, place), own);
      before.CreateCall(again, {before.CreateZExt(same, number)});
      before.CreateStore(own, place);
    }
    for (llvm::Instruction* change : changes_) llvm::IRBuilder<>(change).CreateStore(builder.getInt32(0), place);
    for (llvm::BasicBlock* latch : latches_) {
      llvm::BasicBlock* const edge = splitEdge(*latch, header_);
      llvm::IRBuilder<> back(edge->getTerminator());
      llvm::Value* const kept = back.CreateSelect(isSame(back, *edge, relevant), back.CreateLoad(number, place), back.getInt32(0));
      back.CreateStore(kept, place);
    }
  }

 private:
  // Is every value that the loop carries round along this edge what it was?
  llvm::Value* isSame(llvm::IRBuilder<>& builder, const llvm::BasicBlock& edge,
                      const std::unordered_set<const llvm::Instruction*>& relevant) const {
    llvm::Value* same = builder.getTrue();
    for (llvm::PHINode& value : header_.phis()) {
      llvm::Value* next = value.getIncomingValueForBlock(&edge);
      if (!relevant.contains(&value) || next == &value) continue;
      llvm::Type* const type = value.getType();
      if (!type->isSingleValueType() || type->isVectorTy()) return builder.getFalse();
      llvm::Value* now = &value;
      if (type->isFloatingPointTy()) {
        auto* bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
        now = builder.CreateBitCast(now, bits);
        next = builder.CreateBitCast(next, bits);
      }
      same = builder.CreateAnd(same, builder.CreateICmpEQ(now, next));
    }
    return same;
  }

  llvm::BasicBlock& header_;
  std::vector<llvm::Instruction*> waits_, changes_;
  std::vector<llvm::BasicBlock*> latches_, entries_;
};

// Its edges cannot be split, or no code be put where it begins.
bool isOddLoop(const llvm::Loop& loop) {
  return loop.getHeader()->isEHPad() || llvm::any_of(llvm::predecessors(loop.getHeader()), [](const llvm::BasicBlock* block) {
           return llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block->getTerminator());
         });
}

}  // namespace

std::set<const llvm::Function*> waitingFunctions(const llvm::Module& module) {
  std::set<const llvm::Function*> waiting;
  for (bool grows = module.getFunction(kAgain) != nullptr; grows;) {
    grows = false;
    for (const llvm::Function& function : module) {
      if (waiting.contains(&function)) continue;
      const bool waits = llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
        const llvm::Function* callee = calleeOf(instruction);
        return callee && (callee->getName() == kIdle || waiting.contains(callee));
      });
      if (waits) grows = waiting.insert(&function).second;
    }
  }
  return waiting;
}

WaitLoops::WaitLoops(Instrumentation& instrumentation, llvm::Function& function,
                     const std::set<const llvm::Function*>& waiting)
    : ins_(instrumentation), function_(function), waiting_(waiting) {
  if (!waiting.contains(&function)) return;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables_.push_back(variable);
  }
}

void WaitLoops::instrument() {
  if (!waiting_.contains(&function_)) return;
  const llvm::DominatorTree dominators(function_);
  const llvm::LoopInfo loops(dominators);
  std::map<llvm::Loop*, std::vector<llvm::Instruction*>> waits;
  for (llvm::Instruction& instruction : llvm::instructions(function_)) {
    const llvm::Function* callee = calleeOf(instruction);
    llvm::Loop* const loop = loops.getLoopFor(instruction.getParent());
    if (callee && loop && waiting_.contains(callee) && !isOddLoop(*loop)) waits[loop].push_back(&instruction);
  }
  if (waits.empty()) return;
  const auto relevant = relevantValues(function_, ins_.options);
  const llvm::FunctionCallee again = ins_.module.getFunction(kAgain);
  std::vector<std::vector<LocalUse>> variables;  // but for those that will be in frame memory
  for (llvm::AllocaInst* variable : variables_) {
    if (auto uses = localUses(*variable)) variables.push_back(std::move(*uses));
  }
  std::vector<WaitLoop> found;  // before the first is changed
  for (auto& [loop, calls] : waits) found.emplace_back(*loop, std::move(calls), variables);
  for (WaitLoop& loop : found) loop.instrument(again, relevant);
}

}  // namespace heddle::native
