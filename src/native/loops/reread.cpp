#include "native/loops/reread.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

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

}  // namespace

Reread rereadOf(llvm::ArrayRef<llvm::Value*> values, llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::BasicBlock& header) {
  const llvm::Module& module = *header.getModule();
  Reread reread;
  for (std::size_t i = 0; i < values.size(); ++i) {
    llvm::Value* value = withoutCasts(values[i], module.getDataLayout());
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      if (reread.load || !load->isAtomic() || load->getParent() != blocks[i]) return {};
      reread.load = load;
    } else if (llvm::AtomicCmpXchgInst* exchange = foundBy(value)) {
      reread.exchanges.push_back(exchange);
    } else {
      return {};
    }
  }
  if (!reread.load || reread.exchanges.empty()) return {};
  const llvm::LoadInst& load = *reread.load;
  const Bytes bytes = bytesAt(*load.getPointerOperand(), *load.getType(), module);
  for (const llvm::AtomicCmpXchgInst* exchange : reread.exchanges) {
    const llvm::Type& type = *exchange->getCompareOperand()->getType();
    if (bytesAt(*exchange->getPointerOperand(), const_cast<llvm::Type&>(type), module) != bytes) return {};
    if (!isNotStronger(load.getOrdering(), exchange->getFailureOrdering()) || load.isVolatile()) return {};
  }
  if (!isLast(load, header) || !goesToHeaderOnly(load, header)) return {};
  return reread;
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
