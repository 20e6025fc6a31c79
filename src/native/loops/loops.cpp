#include "native/loops/loops.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "native/instrument/access_hook.h"
#include "native/instrument/attempt_marks.h"
#include "native/instrument/control_flow.h"
#include "native/loops/attempts.h"
#include "native/loops/effects.h"
#include "native/loops/hoisted_addresses.h"
#include "native/loops/loop_plan.h"
#include "native/loops/peeled_loops.h"
#include "native/loops/rotated_loops.h"
#include "native/loops/thread_exchanges.h"

namespace heddle::native {
namespace {

class Loops {
 public:
  Loops(Instrumentation& instrumentation, const VisibleCode& visible, llvm::Function& function)
      : ins_(instrumentation), visible_(visible), function_(function) {}

  void instrument() {
    const auto isRead = [&](const llvm::Instruction& instruction) { return readsShared(instruction, ins_.options); };
    if (llvm::any_of(llvm::instructions(function_), isRead)) threadConditions(function_);
    threadExchanges(function_);
    if (ins_.options.joinedLoads) {
      mergePeeledLoops(ins_, function_);
      rotateLoops(function_, ins_.options);
    }
    threadExchanges(function_);  // what was a flag that the loop carries round may be the outcome itself now
    if (ins_.options.joinedLoads) hoistAddresses(function_);
    for (const LoopPlan& plan : planLoops(ins_, visible_, function_)) apply(plan);
    for (llvm::BasicBlock& block : function_) block.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  }

 private:
  void apply(const LoopPlan& plan) {
    if (plan.silent && !ins_.sources.isLibrary(plan.source)) leavePlace(plan);
    llvm::Value* counter = plan.bound != 0 ? makeCounter(plan) : nullptr;
    const Watched watched = plan.spin && (!plan.effects.empty() || plan.looks) ? watchEffects(plan) : Watched{};
    llvm::AllocaInst* begin = plan.spin || plan.attempt ? noteBegin(plan) : nullptr;
    llvm::AllocaInst* round = plan.spin && plan.asks && !plan.loads.empty() ? noteRound(plan) : nullptr;
    llvm::AllocaInst* failed = plan.spin && plan.failsOnce ? noteNothing(plan) : nullptr;
    if (plan.attempt) markBegin(*begin, plan.index);
    std::optional<MarkedRound> marked;
    if (plan.marked.isMarked()) marked.emplace(ins_, plan.marked, *plan.header, plan.source);
    if (!plan.spin && !counter && !marked) return;
    for (llvm::BasicBlock* latch : plan.latches) {
      llvm::BasicBlock* edge = splitEdge(*latch, *plan.header);
      llvm::IRBuilder<> builder(edge->getTerminator());
      builder.SetCurrentDebugLocation(locationOf(*latch));
      if (failed) {
        stopIfFailedAgain(builder, plan, *edge, *begin, *failed);
      } else if (plan.spin) {
        if (llvm::Value* idle = idleCondition(builder, plan, edge, watched, *begin))
          stopIf(builder, idle, plan, watched, {begin, round, edge});
      }
      if (marked) marked->end(builder);
      if (counter) {
        llvm::Value* rounds = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(1));
        builder.CreateStore(rounds, counter);
        llvm::Value* over = builder.CreateICmpUGE(rounds, builder.getInt64(plan.bound));
        leaveIf(builder, over, [&](llvm::IRBuilder<>& leaving) {
          leaving.CreateCall(ins_.hooks.loopBound, {leaving.getInt32(plan.index), leaving.getInt32(plan.source)});
        });
      }
    }
  }

  // `leave` emits a call that does not return.
  template <class Leave>
  void leaveIf(llvm::IRBuilder<>& builder, llvm::Value* condition, Leave leave) {
    llvm::IRBuilder<> leaving(ins_.unlikely(builder, condition, true));
    leaving.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    leave(leaving);
  }

  // Variables, or null, that are false or 0 at the end of an iteration that has no effect, as they are at its beginning.
  struct Watched {
    llvm::AllocaInst* changed = nullptr;
    llvm::AllocaInst* called = nullptr;  // code of which nothing is known; it may have changed nothing all the same
    llvm::AllocaInst *entries = nullptr, *bytes = nullptr;  // then: of memory, at the beginning (heddle_written_entries)
    llvm::AllocaInst* held = nullptr;                       // how often the mutex has been taken, less how often given back
    llvm::AllocaInst* allocated = nullptr;                  // allocations of its own, less those that it has freed
  };

  // Where a round began: with the loads before the loop that it makes again, or, if it is taken by itself, at the loop's header (null if
  // that is the same); and where it ends.
  struct Round {
    llvm::AllocaInst* begin;
    llvm::AllocaInst* alone;
    llvm::BasicBlock* edge;
  };

  // The round was in vain: the thread waits, or gives up. What only the runtime knows is asked last.
  void stopIf(llvm::IRBuilder<>& builder, llvm::Value* idle, const LoopPlan& plan, const Watched& watched, const Round& round) {
    if (plan.limit) return giveUpIf(builder, idle, *plan.limit);
    if (!plan.asks) {
      return leaveIf(builder, idle, [&](llvm::IRBuilder<>& leaving) { wait(leaving, plan, positionIn(leaving, round.begin)); });
    }
    std::vector<llvm::Value*> found;  // by this round; the edge is another block soon
    for (const llvm::PHINode* value : plan.reread) found.push_back(value->getIncomingValueForBlock(round.edge));
    llvm::IRBuilder<> asking(ins_.unlikely(builder, idle, false));
    asking.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
    llvm::Value* began = positionIn(asking, round.begin);
    llvm::Value* plain = asking.getInt32(0);
    llvm::Value* entries = asking.getInt32(0);
    llvm::Value* bytes = asking.getInt64(0);
    if (watched.called) {
      plain = asking.CreateZExt(asking.CreateLoad(asking.getInt1Ty(), watched.called), plain->getType());
      entries = asking.CreateLoad(entries->getType(), watched.entries);
      bytes = asking.CreateLoad(bytes->getType(), watched.bytes);
    }
    const auto isUnchangedSince = [&](llvm::Value* since) {
      return asking.CreateIsNotNull(asking.CreateCall(ins_.hooks.unchangedSince, {since, plain, entries, bytes}));
    };
    llvm::Value* unchanged = isUnchangedSince(began);
    if (round.alone) {  // it may have found what the round before has found
      llvm::Value* same = asking.getTrue();
      for (std::size_t i = 0; i < found.size(); ++i)
        same = asking.CreateAnd(same, asking.CreateNot(differ(asking, plan.reread[i], found[i])));
      llvm::Value* alone = positionIn(asking, round.alone);
      began = asking.CreateSelect(unchanged, began, alone);
      unchanged = asking.CreateOr(unchanged, asking.CreateAnd(same, isUnchangedSince(alone)));
    }
    leaveIf(asking, unchanged, [&](llvm::IRBuilder<>& leaving) { wait(leaving, plan, began); });
  }

  // A variable that says where the round before began, plus one: none before the loop.
  llvm::AllocaInst* noteNothing(const LoopPlan& plan) {
    llvm::AllocaInst* failed = makeVariable(llvm::Type::getInt32Ty(ins_.module.getContext()));
    for (llvm::BasicBlock* entry : plan.entries) {
      llvm::IRBuilder<> builder(entry->getTerminator());
      builder.CreateStore(builder.getInt32(0), failed);
    }
    return failed;
  }

  // The exchange has failed for the second time, or has found what was expected: the reads since the first time decided it, or that of
  // this round.
  void stopIfFailedAgain(llvm::IRBuilder<>& builder, const LoopPlan& plan, llvm::BasicBlock& edge, llvm::AllocaInst& begin,
                         llvm::AllocaInst& failed) {
    llvm::PHINode* const expected = plan.carried.front();
    llvm::Value* same = builder.CreateNot(differ(builder, expected, expected->getIncomingValueForBlock(&edge)));
    llvm::Value* before = positionIn(builder, &failed);
    llvm::Value* now = positionIn(builder, &begin);
    builder.CreateStore(builder.CreateAdd(now, builder.getInt32(1)), &failed);
    llvm::Value* began = builder.CreateSelect(same, now, builder.CreateSub(before, builder.getInt32(1)));
    llvm::Value* again = builder.CreateOr(same, builder.CreateIsNotNull(before));
    leaveIf(builder, again, [&](llvm::IRBuilder<>& leaving) { wait(leaving, plan, began); });
  }

  static llvm::Value* positionIn(llvm::IRBuilder<>& builder, llvm::AllocaInst* variable) {
    return builder.CreateLoad(builder.getInt32Ty(), variable);
  }

  // Goes on where the test would leave the loop, which every round has come by.
  static void giveUpIf(llvm::IRBuilder<>& builder, llvm::Value* idle, const Limit& limit) {
    llvm::BasicBlock* edge = builder.GetInsertBlock();
    llvm::BasicBlock* out = limit.test->getSuccessor(limit.out);
    for (llvm::PHINode& value : out->phis()) value.addIncoming(value.getIncomingValueForBlock(limit.test->getParent()), edge);
    llvm::Instruction* round = edge->getTerminator();
    builder.CreateCondBr(idle, out, round->getSuccessor(0));
    round->eraseFromParent();
    builder.SetInsertPoint(edge->getTerminator());
  }

  void wait(llvm::IRBuilder<>& builder, const LoopPlan& plan, llvm::Value* began) {
    llvm::Value* source = builder.getInt32(plan.source);
    if (!plan.mutex.base) {
      builder.CreateCall(ins_.hooks.spin, {source, began});
      return;
    }
    auto* base = const_cast<llvm::Value*>(plan.mutex.base);
    llvm::Value* offset = builder.getInt64(static_cast<std::uint64_t>(plan.mutex.offset));
    builder.CreateCall(ins_.hooks.spinOnMutex, {source, began, builder.CreateGEP(builder.getInt8Ty(), base, offset)});
  }

  // Where the thread is at the beginning of an iteration, or of the loads before the loop that an iteration makes again: the
  // reads since then decided it.
  llvm::AllocaInst* noteBegin(const LoopPlan& plan) {
    std::vector<llvm::Instruction*> places;
    if (plan.spin) places.assign(plan.loads.begin(), plan.loads.end());
    if (places.empty()) return noteRound(plan);
    return notePosition(places);
  }

  llvm::AllocaInst* noteRound(const LoopPlan& plan) { return notePosition({&*plan.header->getFirstInsertionPt()}); }

  llvm::AllocaInst* notePosition(const std::vector<llvm::Instruction*>& places) {
    llvm::AllocaInst* begin = makeVariable(llvm::Type::getInt32Ty(ins_.module.getContext()));
    for (llvm::Instruction* place : places) {
      llvm::IRBuilder<> builder(place);
      builder.SetCurrentDebugLocation(locationOf(*place->getParent()));
      builder.CreateStore(builder.CreateCall(ins_.hooks.position, {}), begin);
    }
    return begin;
  }

  llvm::AllocaInst* makeVariable(llvm::Type* type) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  }

  // In front of the loop: whoever stops it later knows where it was.
  void leavePlace(const LoopPlan& plan) {
    for (llvm::BasicBlock* entry : plan.entries) {
      llvm::IRBuilder<> builder(entry->getTerminator());
      builder.CreateStore(builder.getInt32(plan.source), ins_.hooks.callSource);
    }
  }

  llvm::Value* makeCounter(const LoopPlan& plan) {
    llvm::AllocaInst* counter = makeVariable(llvm::Type::getInt64Ty(ins_.module.getContext()));
    for (llvm::BasicBlock* entry : plan.entries) {
      llvm::IRBuilder<> builder(entry->getTerminator());
      builder.CreateStore(builder.getInt64(0), counter);
    }
    return counter;
  }

  Watched watchEffects(const LoopPlan& plan) {
    const auto makeZero = [&](unsigned bits) {
      llvm::IRBuilder<> start(&*plan.header->getFirstInsertionPt());
      llvm::AllocaInst* variable = makeVariable(start.getIntNTy(bits));
      start.CreateStore(start.getIntN(bits, 0), variable);
      return variable;
    };
    Watched watched{.changed = makeZero(1)};
    if (plan.calls) {
      watched.called = makeZero(1);
      const auto note = [&](llvm::FunctionCallee hook) {
        llvm::IRBuilder<> start(&*plan.header->getFirstInsertionPt());
        start.SetCurrentDebugLocation(locationOf(*plan.header));
        llvm::Value* now = start.CreateCall(hook, {});
        llvm::AllocaInst* variable = makeVariable(now->getType());
        start.CreateStore(now, variable);
        return variable;
      };
      watched.entries = note(ins_.hooks.writtenEntries);
      watched.bytes = note(ins_.hooks.writtenBytes);
    }
    if (plan.mutex.base) watched.held = makeZero(32);
    if (!plan.allocations.empty()) watched.allocated = makeZero(32);
    for (llvm::Instruction* effect : plan.effects) watch(*effect, plan, watched);
    if (plan.looks) {
      llvm::IRBuilder<> builder(plan.looks->exchange->getNextNode());
      builder.SetCurrentDebugLocation(plan.looks->exchange->getDebugLoc());
      llvm::Value* found = builder.CreateExtractValue(plan.looks->exchange, 0);
      orInto(builder, watched.changed, differ(builder, plan.looks->load, found));
    }
    return watched;
  }

  static void add(llvm::IRBuilder<>& builder, llvm::Value* number, std::uint32_t step) {
    llvm::Value* old = builder.CreateLoad(builder.getInt32Ty(), number);
    builder.CreateStore(builder.CreateAdd(old, builder.getInt32(step)), number);
  }

  // What failed does not count. Where it could be noticed that a mutex is taken each time is a change; so is giving back one
  // that the thread had before the iteration began: it has it again in the end, and has looked without it.
  void watchMutex(llvm::IRBuilder<>& builder, llvm::Instruction& call, const Watched& watched) {
    const bool takes = effectOf(call, ins_.options) == Effect::lock;
    if (takes) {
      llvm::Value* passes = builder.CreateCall(ins_.hooks.polls, {});
      orInto(builder, watched.changed, builder.CreateICmpEQ(passes, builder.getInt32(0)));
    }
    builder.SetInsertPoint(call.getNextNode());
    llvm::Value* done = builder.CreateICmpEQ(&call, llvm::Constant::getNullValue(call.getType()));
    llvm::Value* count = builder.CreateLoad(builder.getInt32Ty(), watched.held);
    llvm::Value* step = builder.CreateZExt(done, builder.getInt32Ty());
    llvm::Value* held = takes ? builder.CreateAdd(count, step) : builder.CreateSub(count, step);
    builder.CreateStore(held, watched.held);
    if (!takes) orInto(builder, watched.changed, builder.CreateICmpSLT(held, builder.getInt32(0)));
  }

  void watch(llvm::Instruction& effect, const LoopPlan& plan, const Watched& watched) {
    llvm::Value* changed = watched.changed;
    llvm::IRBuilder<> builder(&effect);
    builder.SetCurrentDebugLocation(effect.getDebugLoc());
    if (llvm::is_contained(plan.allocations, &effect)) return add(builder, watched.allocated, 1);
    if (llvm::is_contained(plan.frees, &effect)) return add(builder, watched.allocated, ~0u);
    if (isMarkedGuard(effect)) return;  // the runtime knows
    Effect kind = effectOf(effect, ins_.options);
    if ((kind == Effect::lock || kind == Effect::unlock) && mutexOf(effect) != plan.mutex) kind = Effect::certain;
    switch (kind) {
      case Effect::none:
      case Effect::ifNew: break;
      case Effect::unknown: builder.CreateStore(builder.getTrue(), watched.called); break;
      case Effect::certain: builder.CreateStore(builder.getTrue(), changed); break;
      case Effect::ifReturnsZero:
        builder.SetInsertPoint(effect.getNextNode());
        orInto(builder, changed, builder.CreateICmpEQ(&effect, llvm::Constant::getNullValue(effect.getType())));
        break;
      case Effect::lock:
      case Effect::unlock: watchMutex(builder, effect, watched); break;
      case Effect::ifSucceeds:
        builder.SetInsertPoint(effect.getNextNode());
        orInto(builder, changed, exchanges(builder, llvm::cast<llvm::AtomicCmpXchgInst>(effect)));
        break;
      case Effect::ifRaced:  // if it was an event the runtime knows
      case Effect::ifChanges:
        if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&effect)) {
          watchReadModifyWrite(builder, *rmw, changed);
        } else {
          watchStore(builder, llvm::cast<llvm::StoreInst>(effect), changed);
        }
        break;
    }
  }

  // Has it succeeded, and written another value than was there?
  llvm::Value* exchanges(llvm::IRBuilder<>& builder, llvm::AtomicCmpXchgInst& exchange) const {
    llvm::Value* other = differ(builder, exchange.getCompareOperand(), exchange.getNewValOperand());
    return builder.CreateAnd(builder.CreateExtractValue(&exchange, 1), other);
  }

  void watchReadModifyWrite(llvm::IRBuilder<>& builder, llvm::AtomicRMWInst& rmw, llvm::Value* changed) {
    builder.SetInsertPoint(rmw.getNextNode());
    if (rmw.getType()->isVectorTy()) {
      builder.CreateStore(builder.getTrue(), changed);
      return;
    }
    llvm::Value* written = llvm::buildAtomicRMWValue(rmw.getOperation(), builder, &rmw, rmw.getValOperand());
    orInto(builder, changed, differ(builder, &rmw, written));
  }

  // The store's own check comes before the load that compares (see accesses.cpp).
  void watchStore(llvm::IRBuilder<>& builder, llvm::StoreInst& store, llvm::Value* changed) {
    llvm::Type* type = store.getValueOperand()->getType();
    if (!type->isSingleValueType() || type->isVectorTy()) {
      builder.CreateStore(builder.getTrue(), changed);
      return;
    }
    llvm::LoadInst* old = builder.CreateAlignedLoad(type, store.getPointerOperand(), store.getAlign());
    markOwn(*old);
    builder.SetInsertPoint(store.getNextNode());
    orInto(builder, changed, differ(builder, old, store.getValueOperand()));
  }

  static void orInto(llvm::IRBuilder<>& builder, llvm::Value* variable, llvm::Value* condition) {
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), variable), condition), variable);
  }

  // Bit by bit: -0.0 is not 0.0, and NaN is NaN.
  llvm::Value* differ(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) const {
    llvm::Type* type = a->getType();
    if (type->isFloatingPointTy()) {
      auto* bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
      a = builder.CreateBitCast(a, bits);
      b = builder.CreateBitCast(b, bits);
    }
    return builder.CreateICmpNE(a, b);
  }

  // Nothing has changed in the iteration that ends at this edge. Null if something always has.
  llvm::Value* idleCondition(llvm::IRBuilder<>& builder, const LoopPlan& plan, llvm::BasicBlock* edge, const Watched& watched,
                             llvm::AllocaInst& begin) {
    llvm::Value* idle = builder.getTrue();
    for (llvm::PHINode* value : plan.carried) {
      llvm::Value* next = value->getIncomingValueForBlock(edge);
      if (next == value) continue;
      idle = builder.CreateAnd(idle, builder.CreateNot(differ(builder, value, next)));
    }
    for (llvm::AllocaInst* variable : {watched.changed, watched.held, watched.allocated}) {
      if (!variable) continue;
      llvm::Value* value = builder.CreateLoad(variable->getAllocatedType(), variable);
      idle = builder.CreateAnd(idle, builder.CreateIsNull(value));
    }
    if (plan.mayReadNothing) {
      llvm::Value* began = builder.CreateLoad(builder.getInt32Ty(), &begin);
      idle = builder.CreateAnd(idle, builder.CreateICmpNE(builder.CreateCall(ins_.hooks.position, {}), began));
    }
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(idle);
    return known && known->isZero() ? nullptr : idle;
  }

  llvm::DebugLoc locationOf(const llvm::BasicBlock& block) const {
    if (const llvm::DebugLoc& own = block.getTerminator()->getDebugLoc()) return own;
    llvm::DISubprogram* subprogram = function_.getSubprogram();
    if (!subprogram) return {};
    return llvm::DILocation::get(ins_.module.getContext(), 0, 0, subprogram);
  }

  Instrumentation& ins_;
  const VisibleCode& visible_;
  llvm::Function& function_;
};

}  // namespace

void instrumentLoops(Instrumentation& instrumentation, const VisibleCode& visible, llvm::Function& function) {
  Loops(instrumentation, visible, function).instrument();
}

}  // namespace heddle::native
