#include "native/loops/thread_exchanges.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
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

// Of a strong exchange: it has succeeded if and only if it has found what it expected.
bool useOutcomes(llvm::Function& function) {
  if (function.hasFnAttribute(kKeepsDependencies)) return false;
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const test = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
    if (!test || !test->isEquality()) continue;
    for (const unsigned side : {0u, 1u}) {
      auto* const found = llvm::dyn_cast<llvm::ExtractValueInst>(test->getOperand(side));
      auto* exchange = found ? llvm::dyn_cast<llvm::AtomicCmpXchgInst>(found->getAggregateOperand()) : nullptr;
      if (!exchange || found->getIndices()[0] != 0 || exchange->isWeak()) continue;
      if (exchange->getCompareOperand() != test->getOperand(1 - side)) continue;
      llvm::IRBuilder<> builder(test);
      llvm::Value* success = builder.CreateExtractValue(exchange, 1);
      if (test->getPredicate() == llvm::ICmpInst::ICMP_NE) {
        for (llvm::User* user : llvm::make_early_inc_range(test->users())) {
          auto* const branch = llvm::dyn_cast<llvm::BranchInst>(user);
          if (!branch) continue;
          branch->swapSuccessors();
          branch->setCondition(success);
        }
        if (!test->use_empty()) success = builder.CreateNot(success);
      }
      test->replaceAllUsesWith(success);
      test->eraseFromParent();
      changed = true;
      break;
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

// Sends a block past another one, which only decides, to some of the places where that one leads. `go` makes the block's
// terminator lead there.
bool passBy(llvm::BasicBlock& from, llvm::BasicBlock& asking, llvm::ArrayRef<llvm::BasicBlock*> places,
            llvm::function_ref<void()> go) {
  const auto known = [&](llvm::Value* value) {
    auto* own = llvm::dyn_cast<llvm::PHINode>(value);
    return own && own->getParent() == &asking ? own->getIncomingValueForBlock(&from) : value;
  };
  using Received = std::vector<std::pair<llvm::PHINode*, llvm::Value*>>;
  Received incoming, received;
  for (llvm::BasicBlock* to : places) {
    if (to == &asking || llvm::is_contained(llvm::predecessors(to), &from)) return false;
    for (llvm::PHINode& phi : to->phis()) {
      llvm::Value* value = known(phi.getIncomingValueForBlock(&asking));
      auto* computed = llvm::dyn_cast<llvm::Instruction>(value);
      if (computed && computed->getParent() == &asking) return false;
      incoming.emplace_back(&phi, value);
    }
  }
  for (llvm::PHINode& phi : asking.phis()) received.emplace_back(&phi, known(&phi));
  for (const auto& [phi, value] : incoming) phi->addIncoming(value, &from);
  asking.removePredecessor(&from, true);
  go();
  for (const auto& [phi, value] : received) useEither(*phi, from, *value);
  return true;
}

// A block that knows the outcome need not ask again.
bool passBy(llvm::BasicBlock& from, bool succeeded, llvm::BasicBlock& asking) {
  llvm::BasicBlock* to = decisionOf(asking).next[succeeded];
  return passBy(from, asking, to, [&] { from.getTerminator()->replaceSuccessorWith(&asking, to); });
}

// The value that a block receives and decides by, or compares with a constant to decide, or negates (`while (!tryLock())`), if it
// does nothing else. Leaving a scope by `break` is such a decision, too: clang has one block for all ways out, which is told
// by a number where to go on.
struct ReceivedCondition {
  llvm::PHINode* value = nullptr;        // null if the block is of another kind
  llvm::ICmpInst* comparison = nullptr;  // if there is one
  bool negated = false;
};

ReceivedCondition receivedCondition(const llvm::BasicBlock& block) {
  const llvm::Instruction* decision = block.getTerminator();
  const llvm::Instruction* first = block.getFirstNonPHIOrDbg();
  llvm::Value* value = nullptr;
  llvm::ICmpInst* comparison = nullptr;
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(decision); branch && branch->isConditional()) {
    if (branch->getSuccessor(0) != branch->getSuccessor(1)) value = branch->getCondition();
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(decision)) {
    value = choice->getCondition();
  }
  // From the decision back to the beginning of the block.
  const llvm::Instruction* user = decision;
  bool negated = false;
  while (value && user != first && user->getPrevNonDebugInstruction() == value && value->hasOneUse()) {
    user = llvm::cast<llvm::Instruction>(value);
    if (llvm::PatternMatch::match(value, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(value)))) {
      if (comparison || !llvm::isa<llvm::BranchInst>(decision)) return {};
      negated = !negated;
      continue;
    }
    auto* const compares = llvm::dyn_cast<llvm::ICmpInst>(value);
    if (!compares || comparison || !llvm::isa<llvm::ConstantInt>(compares->getOperand(1))) return {};
    comparison = compares;
    value = comparison->getOperand(0);
  }
  if (user != first) return {};
  auto* condition = llvm::dyn_cast_or_null<llvm::PHINode>(value);
  return condition && condition->getParent() == &block ? ReceivedCondition{condition, comparison, negated}
                                                       : ReceivedCondition{};
}

llvm::BasicBlock* placeFor(llvm::Instruction& decision, const ReceivedCondition& by, const llvm::ConstantInt& value) {
  if (by.comparison) {
    const auto* bound = llvm::cast<llvm::ConstantInt>(by.comparison->getOperand(1));
    const bool holds = llvm::ICmpInst::compare(value.getValue(), bound->getValue(), by.comparison->getPredicate());
    return decision.getSuccessor(holds != by.negated ? 0 : 1);
  }
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&decision)) return choice->findCaseValue(&value)->getCaseSuccessor();
  return decision.getSuccessor(value.isZero() != by.negated ? 1 : 0);
}

// Lets one of the blocks before decide by itself.
bool decideEarlier(llvm::BasicBlock& asking) {
  const ReceivedCondition by = receivedCondition(asking);
  llvm::PHINode* const condition = by.value;
  if (!condition || condition->getNumIncomingValues() < 2) return false;
  // A count is compared, too, at the beginning of a loop; that is for the loop to do.
  const auto isConstant = [](const llvm::Value* value) { return llvm::isa<llvm::ConstantInt>(value); };
  if (by.comparison && !llvm::all_of(condition->incoming_values(), isConstant)) return false;
  llvm::Instruction* const decision = asking.getTerminator();
  for (llvm::BasicBlock* from : llvm::predecessors(&asking)) {
    auto* last = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    if (!last || from == &asking || (last->isConditional() && last->getSuccessor(0) == last->getSuccessor(1))) continue;
    llvm::Value* value = condition->getIncomingValueForBlock(from);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      llvm::BasicBlock* to = placeFor(*decision, by, *constant);
      const auto lead = [&] {
        last->replaceSuccessorWith(&asking, to);
        if (llvm::MDNode* loop = decision->getMetadata(llvm::LLVMContext::MD_loop))
          last->setMetadata(llvm::LLVMContext::MD_loop, loop);
      };
      if (passBy(*from, asking, to, lead)) return true;
    } else if (!by.comparison && !last->isConditional() && llvm::isa<llvm::BranchInst>(decision)) {
      llvm::BasicBlock* const ways[] = {decision->getSuccessor(by.negated ? 1 : 0), decision->getSuccessor(by.negated ? 0 : 1)};
      const auto decide = [&] {
        auto* own = llvm::BranchInst::Create(ways[0], ways[1], value, last->getIterator());
        own->copyMetadata(*decision);
        last->eraseFromParent();
      };
      if (passBy(*from, asking, ways, decide)) return true;
    }
  }
  return false;
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

void threadConditions(llvm::Function& function) {
  constexpr unsigned kMost = 256;  // blocks that decide by what they receive from each other might go on for ever
  for (unsigned i = 0; i < kMost && llvm::any_of(function, decideEarlier); ++i) simplify(function);
}

void threadExchanges(llvm::Function& function) {
  const auto isExchange = [](const llvm::Instruction& instruction) { return llvm::isa<llvm::AtomicCmpXchgInst>(instruction); };
  if (!llvm::any_of(llvm::instructions(function), isExchange)) return;
  if (useOutcomes(function)) simplify(function);
  while (useWhatIsKnown(function) || removeDetours(function) || thread(function)) simplify(function);
}

}  // namespace heddle::native
