#include "native/loops/thread_exchanges.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <utility>
#include <vector>

#include "native/compile/simplify.h"
#include "native/instrument/control_flow.h"

namespace heddle::native {
namespace {

// The success of a compare-exchange, or its negation; `negated` tells which.
llvm::Value* successOf(llvm::Value* condition, bool& negated) {
  negated = false;
  llvm::Value* inner = nullptr;
  while (llvm::PatternMatch::match(condition, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(inner)))) {
    condition = inner;
    negated = !negated;
  }
  const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(condition);
  const bool isSuccess = part && llvm::isa<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()) && part->getIndices()[0] == 1;
  return isSuccess ? condition : nullptr;
}

struct Decision {
  llvm::Value* success = nullptr;  // null: the block does not branch on one
  llvm::BasicBlock* next[2] = {};  // if it failed, and if it succeeded
};

Decision decisionOf(llvm::BasicBlock& block) {
  Decision decision;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return decision;
  bool negated = false;
  decision.success = successOf(branch->getCondition(), negated);
  decision.next[0] = branch->getSuccessor(negated ? 0 : 1);
  decision.next[1] = branch->getSuccessor(negated ? 1 : 0);
  return decision;
}

// Behind a branch on a success it is known.
bool useWhatIsKnown(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    const Decision decision = decisionOf(block);
    if (!decision.success || !dominators.isReachableFromEntry(&block)) continue;
    for (const bool succeeded : {false, true}) {
      const llvm::BasicBlockEdge edge(&block, decision.next[succeeded]);
      auto* known = llvm::ConstantInt::getBool(function.getContext(), succeeded);
      changed |= llvm::replaceDominatedUsesWith(decision.success, known, dominators, edge) != 0;
    }
  }
  return changed;
}

// Does the block do nothing but decide, and is what it computes of no use elsewhere? What it receives may be: see passBy.
bool onlyDecides(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : block) {
    if (instruction.isTerminator() || llvm::isa<llvm::DbgInfoIntrinsic, llvm::PHINode>(instruction)) continue;
    if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() || instruction.isEHPad()) return false;
    for (const llvm::User* user : instruction.users()) {
      if (llvm::cast<llvm::Instruction>(user)->getParent() != &block) return false;
    }
  }
  return true;
}

// Sends the edges of a block that knows the outcome past one that would ask again.
bool passBy(llvm::BasicBlock& from, bool succeeded, llvm::BasicBlock& asking) {
  llvm::BasicBlock* to = decisionOf(asking).next[succeeded];
  if (to == &asking || llvm::is_contained(llvm::predecessors(to), &from)) return false;
  const auto known = [&](llvm::Value* value) {
    auto* own = llvm::dyn_cast<llvm::PHINode>(value);
    return own && own->getParent() == &asking ? own->getIncomingValueForBlock(&from) : value;
  };
  std::vector<std::pair<llvm::PHINode*, llvm::Value*>> incoming;
  for (llvm::PHINode& phi : to->phis()) {
    llvm::Value* value = known(phi.getIncomingValueForBlock(&asking));
    auto* computed = llvm::dyn_cast<llvm::Instruction>(value);
    if (computed && computed->getParent() == &asking) return false;
    incoming.emplace_back(&phi, value);
  }
  std::vector<std::pair<llvm::PHINode*, llvm::Value*>> received;
  for (llvm::PHINode& phi : asking.phis()) received.emplace_back(&phi, known(&phi));
  for (const auto& [phi, value] : incoming) phi->addIncoming(value, &from);
  asking.removePredecessor(&from, true);
  from.getTerminator()->replaceSuccessorWith(&asking, to);
  for (const auto& [phi, value] : received) useEither(*phi, from, *value);
  return true;
}

// A block behind a decision that only leads on hides where the decision leads.
bool removeDetours(llvm::Function& function) {
  bool changed = false;
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    llvm::BasicBlock* from = block.getSinglePredecessor();
    if (!from || !decisionOf(*from).success || block.getFirstNonPHIOrDbg() != block.getTerminator()) continue;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isConditional() || branch->getSuccessor(0) == &block) continue;
    if (llvm::is_contained(llvm::predecessors(branch->getSuccessor(0)), from)) continue;  // the ways are told apart by it
    changed |= llvm::TryToSimplifyUncondBranchFromEmptyBlock(&block);
  }
  return changed;
}

bool thread(llvm::Function& function) {
  for (llvm::BasicBlock& asking : function) {
    const Decision again = decisionOf(asking);
    if (!again.success || !onlyDecides(asking)) continue;
    for (llvm::BasicBlock* from : llvm::predecessors(&asking)) {
      const Decision decision = decisionOf(*from);
      if (decision.success != again.success || from == &asking) continue;
      if (passBy(*from, decision.next[1] == &asking, asking)) return true;
    }
  }
  return false;
}

}  // namespace

void threadExchanges(llvm::Function& function) {
  const auto isExchange = [](const llvm::Instruction& instruction) { return llvm::isa<llvm::AtomicCmpXchgInst>(instruction); };
  if (!llvm::any_of(llvm::instructions(function), isExchange)) return;
  while (useWhatIsKnown(function) || removeDetours(function) || thread(function)) simplify(function);
}

}  // namespace heddle::native
