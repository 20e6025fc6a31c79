#include "native/loops/wait_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

#include "native/compile/link.h"
#include "native/instrument/control_flow.h"
#include "native/instrument/local_variables.h"
#include "native/loops/relevance.h"
#include "runtime/hook_names.h"

namespace heddle::native {
namespace {

constexpr const char* kAgain = "heddle_wait_again";
enum Again : std::uint32_t { kFirst, kSame, kOther, kNotSame };     // its argument; the last one: not kSame, anyway
constexpr std::uint32_t kNone = 0, kAnother = ~0u;                  // places that are none of the waits
constexpr const char* kIdle = runtime::hook_names::heddle_is_idle;  // whoever waits asks

// May the bytes that `write` writes be read, from here on, before they are written again?
bool isReadAgain(const std::vector<LocalUse>& uses, const LocalUse& write, const llvm::Instruction& from) {
  const auto firstUse = [&](const llvm::BasicBlock& block, const llvm::Instruction* after) {
    const LocalUse* first = nullptr;
    for (const LocalUse& use : uses) {
      if (use.instruction->getParent() != &block || use.offset >= write.end() || write.offset >= use.end()) continue;
      if (after && use.instruction->comesBefore(after)) continue;
      if (use.writes() && (use.offset > write.offset || use.end() < write.end())) continue;  // a part of it
      if (!first || use.instruction->comesBefore(first->instruction)) first = &use;
    }
    return first;
  };
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::BasicBlock*> work = {from.getParent()};
  for (const llvm::Instruction* after = &from; !work.empty(); after = nullptr) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (const LocalUse* first = firstUse(*block, after)) {
      if (!first->writes()) return true;
      continue;
    }
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

// Is the value there when the wait is over, for somebody to use it?
bool outlives(const llvm::Instruction& value, const llvm::Instruction& wait) {
  if (&value == &wait || (value.getParent() == wait.getParent() && wait.comesBefore(&value))) return false;
  std::set<const llvm::BasicBlock*> used;  // where it is used, or at the end of which it is needed
  for (const llvm::Use& use : value.uses()) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const bool afterwards = user->getParent() == wait.getParent() && wait.comesBefore(user);
    if (phi ? phi->getIncomingBlock(use) == wait.getParent() : afterwards) return true;
    used.insert(phi ? phi->getIncomingBlock(use) : user->getParent());
  }
  std::set<const llvm::BasicBlock*> seen = {value.getParent()};  // there it is made anew
  std::vector<const llvm::BasicBlock*> work = {wait.getParent()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (!seen.insert(next).second) continue;
      if (used.contains(next)) return true;
      work.push_back(next);
    }
  }
  return false;
}

// Is it always the same if the function is called with the same arguments?
bool dependsOnArgumentsOnly(const llvm::Value* value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return true;
  if (!llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::CmpInst, llvm::BinaryOperator, llvm::SelectInst>(instruction))
    return false;
  return llvm::all_of(instruction->operands(), [](const llvm::Use& operand) { return dependsOnArgumentsOnly(operand.get()); });
}

bool isComparable(const llvm::Type* type) { return type->isSingleValueType() && !type->isVectorTy(); }

llvm::Value* areSame(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
  if (a->getType()->isFloatingPointTy()) {  // bit by bit
    auto* bits = builder.getIntNTy(static_cast<unsigned>(a->getType()->getPrimitiveSizeInBits()));
    a = builder.CreateBitCast(a, bits);
    b = builder.CreateBitCast(b, bits);
  }
  return builder.CreateICmpEQ(a, b);
}

class WaitLoop {
 public:
  WaitLoop(llvm::Loop& loop, std::vector<llvm::Instruction*> waits, const std::vector<std::vector<LocalUse>>& variables)
      : header_(*loop.getHeader()), waits_(std::move(waits)) {
    for (const std::vector<LocalUse>& uses : variables) {
      for (const LocalUse& use : uses) {
        if (!use.writes() || !loop.contains(use.instruction)) continue;
        const bool read = isReadAgain(uses, use, header_.front()) ||
                          llvm::any_of(waits_, [&](const llvm::Instruction* wait) { return isReadAgain(uses, use, *wait); });
        if (read) changes_.push_back(use.instruction);
      }
    }
    for (const llvm::Instruction* wait : waits_) kept_.push_back(keptValues(loop, *wait));
    for (llvm::BasicBlock* block : llvm::predecessors(&header_)) {
      auto& blocks = loop.contains(block) ? latches_ : entries_;
      if (!llvm::is_contained(blocks, block)) blocks.push_back(block);
    }
  }

  void instrument(llvm::FunctionCallee again, const std::unordered_set<const llvm::Instruction*>& relevant) {
    llvm::BasicBlock& start = header_.getParent()->getEntryBlock();
    llvm::IRBuilder<> builder(&start, start.begin());
    llvm::Type* const number = builder.getInt32Ty();
    llvm::AllocaInst* const place = builder.CreateAlloca(number);
    for (llvm::BasicBlock* entry : entries_)
      llvm::IRBuilder<>(entry->getTerminator()).CreateStore(builder.getInt32(kNone), place);
    for (std::uint32_t i = 0; i < waits_.size(); ++i) {
      llvm::IRBuilder<> before(waits_[i]);
      llvm::Value* const own = before.getInt32(i + 1);
      llvm::Value* const last = before.CreateLoad(number, place);
      llvm::Value* same = before.CreateICmpEQ(last, own);
      for (llvm::Value* value : kept_[i]) {
        if (!isComparable(value->getType())) {
          same = before.getFalse();
          continue;
        }
        llvm::AllocaInst* const old = builder.CreateAlloca(value->getType());
        llvm::Value* const equal = areSame(before, before.CreateLoad(value->getType(), old), value);
        same = before.CreateSelect(same, equal, before.getFalse());  // there is no last one the first time
        before.CreateStore(value, old);
      }
      llvm::Value* const first = before.CreateSelect(before.CreateICmpEQ(last, before.getInt32(kNone)), before.getInt32(kFirst),
                                                     before.getInt32(kOther));
      before.CreateCall(again, {before.CreateSelect(same, before.getInt32(kSame), first)});
      before.CreateStore(own, place);
    }
    for (llvm::Instruction* change : changes_) llvm::IRBuilder<>(change).CreateStore(builder.getInt32(kAnother), place);
    for (llvm::BasicBlock* latch : latches_) {
      llvm::BasicBlock* const edge = splitEdge(*latch, header_);
      llvm::IRBuilder<> back(edge->getTerminator());
      llvm::Value* const last = back.CreateLoad(number, place);
      llvm::Value* const other =
          back.CreateSelect(back.CreateICmpEQ(last, back.getInt32(kNone)), last, back.getInt32(kAnother));
      back.CreateStore(back.CreateSelect(isSame(back, *edge, relevant), last, other), place);
    }
  }

 private:
  // What of an iteration the thread keeps while it waits, or hands to the function that waits.
  std::vector<llvm::Value*> keptValues(const llvm::Loop& loop, const llvm::Instruction& wait) const {
    std::vector<llvm::Value*> kept;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& value : *block) {
        if (value.getType()->isVoidTy() || (llvm::isa<llvm::PHINode>(value) && block == &header_)) continue;
        if (llvm::is_contained(wait.operands(), &value) || outlives(value, wait)) kept.push_back(&value);
      }
    }
    return kept;
  }

  // Is every value that the loop carries round along this edge what it was?
  llvm::Value* isSame(llvm::IRBuilder<>& builder, const llvm::BasicBlock& edge,
                      const std::unordered_set<const llvm::Instruction*>& relevant) const {
    llvm::Value* same = builder.getTrue();
    for (llvm::PHINode& value : header_.phis()) {
      llvm::Value* next = value.getIncomingValueForBlock(&edge);
      if (!relevant.contains(&value) || next == &value) continue;
      if (!isComparable(value.getType())) return builder.getFalse();
      same = builder.CreateAnd(same, areSame(builder, &value, next));
    }
    return same;
  }

  llvm::BasicBlock& header_;
  std::vector<llvm::Instruction*> waits_, changes_;
  std::vector<std::vector<llvm::Value*>> kept_;  // for each wait
  std::vector<llvm::BasicBlock*> latches_, entries_;
};

// A wait that is in no loop of its function: does the thread keep anything while it waits but what it was called with?
bool keepsSomething(const llvm::Instruction& wait, const std::vector<std::vector<LocalUse>>& variables) {
  for (const llvm::Use& operand : wait.operands()) {
    if (!dependsOnArgumentsOnly(operand.get())) return true;
  }
  for (const llvm::Instruction& value : llvm::instructions(*wait.getFunction())) {
    if (!value.getType()->isVoidTy() && !dependsOnArgumentsOnly(&value) && outlives(value, wait)) return true;
  }
  return llvm::any_of(variables, [&](const std::vector<LocalUse>& uses) {
    return llvm::any_of(uses, [&](const LocalUse& use) { return use.writes() && isReadAgain(uses, use, wait); });
  });
}

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

WaitLoops::WaitLoops(Instrumentation& instrumentation, llvm::Function& function, const std::set<const llvm::Function*>& waiting)
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
    if (callee && waiting_.contains(callee)) waits[loop && !isOddLoop(*loop) ? loop : nullptr].push_back(&instruction);
  }
  if (waits.empty()) return;
  const auto relevant = relevantValues(function_, ins_.options);
  const llvm::FunctionCallee again = ins_.module.getFunction(kAgain);
  std::vector<std::vector<LocalUse>> variables;  // but for those that will be in frame memory
  for (llvm::AllocaInst* variable : variables_) {
    if (auto uses = localUses(*variable)) variables.push_back(std::move(*uses));
  }
  std::erase_if(waits[nullptr], [&](const llvm::Instruction* wait) {
    return function_.hasFnAttribute(kLibraryAttribute) ||
           (!loops.getLoopFor(wait->getParent()) && !keepsSomething(*wait, variables));
  });
  for (llvm::Instruction* wait : waits[nullptr]) {
    llvm::IRBuilder<> before(wait);
    before.CreateCall(again, {before.getInt32(kNotSame)});
  }
  waits.erase(nullptr);
  std::vector<WaitLoop> found;  // before the first is changed
  for (auto& [loop, calls] : waits) found.emplace_back(*loop, std::move(calls), variables);
  for (WaitLoop& loop : found) loop.instrument(again, relevant);
}

}  // namespace heddle::native
