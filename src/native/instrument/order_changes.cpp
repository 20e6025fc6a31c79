#include "native/instrument/order_changes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace heddle::native {
namespace {

using llvm::AtomicOrdering;

AtomicOrdering orderingOf(Order order) {
  switch (order) {
    case Order::acquire: return AtomicOrdering::Acquire;
    case Order::release: return AtomicOrdering::Release;
    case Order::acq_rel: return AtomicOrdering::AcquireRelease;
    case Order::seq_cst: return AtomicOrdering::SequentiallyConsistent;
    default: return AtomicOrdering::Monotonic;
  }
}

AtomicOrdering join(AtomicOrdering a, AtomicOrdering b) {
  if (llvm::isAtLeastOrStrongerThan(a, b)) return a;
  return llvm::isAtLeastOrStrongerThan(b, a) ? b : AtomicOrdering::AcquireRelease;
}

// What a load, or a compare-exchange that fails, may have of an order.
AtomicOrdering ofLoad(AtomicOrdering order) {
  if (order == AtomicOrdering::Release) return AtomicOrdering::Monotonic;
  return order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire : order;
}

AtomicOrdering ofStore(AtomicOrdering order) {
  if (order == AtomicOrdering::Acquire) return AtomicOrdering::Monotonic;
  return order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release : order;
}

// A compare-exchange has two orders, and each is changed for itself: what fails only reads.
void strengthen(llvm::Instruction& atomic, AtomicOrdering order, bool failure) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&atomic)) {
    load->setOrdering(join(load->getOrdering(), ofLoad(order)));
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&atomic)) {
    store->setOrdering(join(store->getOrdering(), ofStore(order)));
  } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic)) {
    rmw->setOrdering(join(rmw->getOrdering(), order));
  } else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) {
    if (failure) {
      cas->setFailureOrdering(join(cas->getFailureOrdering(), ofLoad(order)));
    } else {
      cas->setSuccessOrdering(join(cas->getSuccessOrdering(), order));
    }
  } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&atomic)) {
    fence->setOrdering(join(fence->getOrdering(), order));
  }
}

}  // namespace

void changeOrders(Instrumentation& instrumentation, llvm::Function& function) {
  if (instrumentation.options.changes.empty()) return;
  std::vector<llvm::Instruction*> atomics;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.isAtomic()) atomics.push_back(&instruction);
  }
  for (llvm::Instruction* atomic : atomics) {
    SourceTable& sources = instrumentation.sources;
    const runtime::Source& place = sources[sources.shown(sources.of(*atomic))];
    for (const OrderChange& change : instrumentation.options.changes) {
      if (change.file != place.file || change.line != place.line || change.column != place.column || change.part != place.part)
        continue;
      const AtomicOrdering order = orderingOf(change.order);
      if (!change.fenceBefore && !change.fenceAfter) {
        strengthen(*atomic, order, change.failure);
        continue;
      }
      llvm::IRBuilder<> builder(change.fenceBefore ? atomic : atomic->getNextNode());
      builder.SetCurrentDebugLocation(atomic->getDebugLoc());
      builder.CreateFence(order);
    }
  }
}

}  // namespace heddle::native
