#include "native/loops/reread.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>
#include <vector>

#include "native/loops/bytes.h"

namespace heddle::native {
namespace {

// What a value is before conversions between pointers and integers that keep all bits.
llvm::Value* withoutCasts(llvm::Value* value, const llvm::DataLayout& layout) {
  while (auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    if (!cast->isNoopCast(layout)) break;
    value = cast->getOperand(0);
  }
  return value;
}

llvm::AtomicCmpXchgInst* foundBy(llvm::Value* value) {
  auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  if (!part || part->getIndices()[0] != 0) return nullptr;
  return llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand());
}

bool isNotStronger(llvm::AtomicOrdering load, llvm::AtomicOrdering failure) {
  return load == failure || llvm::isStrongerThan(failure, load);
}

// Is the load the last thing in its block that matters, before it goes on to the header? What follows may write plain
// memory: it does so again whenever the loop goes round, or else it is not the header's business.
bool isLast(const llvm::LoadInst& load, const llvm::BasicBlock& header) {
  const llvm::Instruction* next = load.getNextNode();
  for (; !next->isTerminator(); next = next->getNextNode()) {
    if (next->mayReadFromMemory() || next->isAtomic() || llvm::isa<llvm::CallBase>(next)) return false;
  }
  return next->getNumSuccessors() == 1 && next->getSuccessor(0) == &header;
}

// Is the value used for nothing but to be received by the header? Casts of it may be used in the same way.
bool goesToHeaderOnly(const llvm::Value& value, const llvm::BasicBlock& header) {
  for (const llvm::User* user : value.users()) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    if (phi && phi->getParent() == &header) continue;
    const bool isCast = llvm::isa<llvm::CastInst>(user) &&
                        llvm::cast<llvm::Instruction>(user)->getParent() == llvm::cast<llvm::Instruction>(value).getParent();
    if (!isCast || !goesToHeaderOnly(*user, header)) return false;
  }
  return true;
}

// What the value may receive from a round: also by way of blocks in which the ways of a round meet.
llvm::SetVector<llvm::Value*> receivedInside(llvm::PHINode& value, const llvm::Loop& loop) {
  const llvm::DataLayout& layout = value.getModule()->getDataLayout();
  llvm::SetVector<llvm::Value*> received;
  std::vector<llvm::PHINode*> work = {&value};
  for (std::set<llvm::PHINode*> seen = {&value}; !work.empty();) {
    llvm::PHINode* const phi = work.back();
    work.pop_back();
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      if (phi == &value && !loop.contains(phi->getIncomingBlock(i))) continue;
      llvm::Value* const next = withoutCasts(phi->getIncomingValue(i), layout);
      auto* const inner = llvm::dyn_cast<llvm::PHINode>(next);
      if (!inner || inner == &value || !loop.contains(inner) || inner->getParent() == loop.getHeader()) {
        received.insert(next);
      } else if (seen.insert(inner).second) {
        work.push_back(inner);
      }
    }
  }
  return received;
}

}  // namespace

Reread rereadOf(llvm::PHINode& value, const llvm::Loop& loop) {
  const llvm::BasicBlock& header = *loop.getHeader();
  const llvm::Module& module = *header.getModule();
  Reread reread;
  for (unsigned i = 0; i < value.getNumIncomingValues(); ++i) {
    if (loop.contains(value.getIncomingBlock(i))) continue;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(withoutCasts(value.getIncomingValue(i), module.getDataLayout()));
    if (reread.load || !load || !load->isAtomic() || load->getParent() != value.getIncomingBlock(i)) return {};
    reread.load = load;
  }
  if (!reread.load || reread.load->isVolatile() || loop.contains(reread.load)) return {};
  const llvm::LoadInst& load = *reread.load;
  const Bytes bytes = bytesAt(*load.getPointerOperand(), *load.getType(), module);
  const auto readsTheSame = [&](const llvm::Value& address, llvm::Type& type, llvm::AtomicOrdering order) {
    return bytesAt(address, type, module) == bytes && isNotStronger(load.getOrdering(), order);
  };
  bool isRead = false;
  for (llvm::Value* received : receivedInside(value, loop)) {
    if (llvm::AtomicCmpXchgInst* exchange = foundBy(received)) {
      if (!readsTheSame(*exchange->getPointerOperand(), *exchange->getCompareOperand()->getType(),
                        exchange->getFailureOrdering()))
        return {};
      reread.exchanges.push_back(exchange);
    } else {
      const auto* again = llvm::dyn_cast<llvm::LoadInst>(received);
      const bool isOfLoop = again && loop.contains(again) && again->isAtomic() && !again->isVolatile();
      if (!isOfLoop || !readsTheSame(*again->getPointerOperand(), *again->getType(), again->getOrdering())) return {};
    }
    isRead = true;
  }
  if (!isRead || !isLast(load, header) || !goesToHeaderOnly(load, header)) return {};
  return reread;
}

bool goApart(const llvm::PHINode& value, const llvm::PHINode& other, const llvm::LoadInst& load) {
  const llvm::DataLayout& layout = value.getModule()->getDataLayout();
  const auto received = [&](const llvm::PHINode& phi, const llvm::BasicBlock* block) {
    return withoutCasts(phi.getIncomingValueForBlock(block), layout);
  };
  const bool beginsAlike =
      llvm::any_of(other.blocks(), [&](const llvm::BasicBlock* block) { return received(other, block) == &load; });
  return beginsAlike && llvm::any_of(other.blocks(), [&](const llvm::BasicBlock* block) {
           return received(value, block) != received(other, block);
         });
}

llvm::AtomicCmpXchgInst* foundAgain(llvm::PHINode& value, const llvm::Loop& loop) {
  const llvm::DataLayout& layout = value.getModule()->getDataLayout();
  llvm::AtomicCmpXchgInst* exchange = nullptr;
  for (unsigned i = 0; i < value.getNumIncomingValues(); ++i) {
    if (!loop.contains(value.getIncomingBlock(i))) continue;
    llvm::AtomicCmpXchgInst* const found = foundBy(withoutCasts(value.getIncomingValue(i), layout));
    if (!found || (exchange && exchange != found)) return nullptr;
    exchange = found;
  }
  if (!exchange || exchange->isVolatile() || !loop.contains(exchange)) return nullptr;
  if (withoutCasts(exchange->getCompareOperand(), layout) != &value) return nullptr;
  return loop.isLoopInvariant(exchange->getPointerOperand()) ? exchange : nullptr;
}

}  // namespace heddle::native
