#include "native/loops/loop_shape.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <set>

#include "native/instrument/control_flow.h"

namespace heddle::native {
namespace {

using Blocks = std::set<llvm::BasicBlock*>;

bool isFixed(llvm::BasicBlock& header) {
  if (header.isEHPad()) return true;
  Blocks seen;
  for (llvm::BasicBlock* way : llvm::predecessors(&header)) {
    if (llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(way->getTerminator()) || !seen.insert(way).second) return true;
  }
  return false;
}

bool counts(const llvm::PHINode& count, const llvm::Value* next, const llvm::Loop& loop) {
  const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(next);
  if (!step || (step->getOpcode() != llvm::Instruction::Add && step->getOpcode() != llvm::Instruction::Sub)) return false;
  return step->getOperand(0) == &count && loop.isLoopInvariant(step->getOperand(1));
}

// The ways round on which some count begins anew, if there are others on which it goes on.
Blocks outerWays(const llvm::Loop& loop) {
  for (const llvm::PHINode& count : loop.getHeader()->phis()) {
    Blocks anew;
    bool goesOn = false, isOther = false;
    for (unsigned i = 0; i < count.getNumIncomingValues(); ++i) {
      llvm::BasicBlock* way = count.getIncomingBlock(i);
      if (!loop.contains(way)) continue;
      const llvm::Value* next = count.getIncomingValue(i);
      if (loop.isLoopInvariant(next)) {
        anew.insert(way);
      } else {
        (counts(count, next, loop) ? goesOn : isOther) = true;
      }
    }
    if (goesOn && !isOther && !anew.empty()) return anew;
  }
  return {};
}

// Gives the outer loop a block of its own to go back to.
void separate(const llvm::Loop& loop, const Blocks& outer) {
  llvm::BasicBlock* inner = loop.getHeader();
  llvm::BasicBlock* header = llvm::BasicBlock::Create(inner->getContext(), "", inner->getParent(), inner);
  llvm::Instruction* const last = llvm::BranchInst::Create(inner, header);
  last->setDebugLoc(inner->getFirstNonPHIOrDbg()->getDebugLoc());
  const auto leadsToOuter = [&](const llvm::BasicBlock* way) {
    return !loop.contains(way) || outer.contains(const_cast<llvm::BasicBlock*>(way));
  };
  for (llvm::PHINode& value : inner->phis()) {
    auto* received = llvm::PHINode::Create(value.getType(), 2, "", last->getIterator());
    for (unsigned i = 0; i < value.getNumIncomingValues(); ++i) {
      if (leadsToOuter(value.getIncomingBlock(i))) received->addIncoming(value.getIncomingValue(i), value.getIncomingBlock(i));
    }
    value.removeIncomingValueIf([&](unsigned i) { return leadsToOuter(value.getIncomingBlock(i)); }, false);
    value.addIncoming(received, header);
  }
  const Blocks ways(llvm::pred_begin(inner), llvm::pred_end(inner));
  for (llvm::BasicBlock* way : ways) {
    if (way != header && leadsToOuter(way)) way->getTerminator()->replaceSuccessorWith(inner, header);
  }
}

bool separateOne(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->getNumBackEdges() < 2 || isFixed(*loop->getHeader())) continue;
    const Blocks outer = outerWays(*loop);
    if (outer.empty()) continue;
    separate(*loop, outer);
    return true;
  }
  return false;
}

void uniteWays(const llvm::Loop& loop) {
  llvm::BasicBlock* header = loop.getHeader();
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  if (latches.size() < 2 || isFixed(*header)) return;
  const auto receivesOne = [&](const llvm::PHINode& phi) {
    return llvm::all_of(latches, [&](const llvm::BasicBlock* latch) {
      return phi.getIncomingValueForBlock(latch) == phi.getIncomingValueForBlock(latches[0]);
    });
  };
  if (!llvm::all_of(header->phis(), receivesOne)) return;
  llvm::MDNode* const id = loop.getLoopID();  // where the loop stands in the source
  llvm::BasicBlock* one = splitEdge(*latches[0], *header);
  for (llvm::BasicBlock* latch : latches) {
    if (latch == latches[0]) continue;
    for (llvm::PHINode& phi : header->phis()) {
      phi.removeIncomingValueIf([&](unsigned i) { return phi.getIncomingBlock(i) == latch; }, false);
    }
    latch->getTerminator()->replaceSuccessorWith(header, one);
  }
  one->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
}

}  // namespace

void shapeLoops(llvm::Function& function) {
  while (separateOne(function)) {}
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) uniteWays(*loop);
}

}  // namespace heddle::native
