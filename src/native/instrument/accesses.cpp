#include "native/instrument/accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "native/compile/link.h"
#include "native/instrument/access_hook.h"
#include "native/instrument/byte_copies.h"
#include "native/instrument/globals.h"
#include "native/instrument/local_variables.h"
#include "native/instrument/repeated_accesses.h"
#include "native/instrument/volatile_accesses.h"

namespace heddle::native {
namespace {

class Accesses {
 public:
  Accesses(Instrumentation& instrumentation, llvm::Function& function)
      : ins_(instrumentation), function_(function), layout_(instrumentation.module.getDataLayout()), check_(instrumentation) {}

  void lower() {
    lowerHostReads();
    lowerByteCopies(ins_, function_);
    std::vector<Access> plain, wide, relaxed, copied;
    std::vector<llvm::MemIntrinsic*> ranges;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (instruction.hasMetadata(kOwnAccess)) continue;
      if (auto access = describe(instruction)) {
        if (isPartOfCopy(*access)) {
          copied.push_back(*access);
        } else if (!isExempt(*access)) {
          std::vector<Access>& checked = isWide(*access) ? wide : isPartOfUpdate(*access) ? copied : plain;
          (isRelaxed(access->isVolatile) ? relaxed : checked).push_back(*access);
          if (access->isVolatile && !isRelaxed(true)) ins_.sources.setVolatile(ins_.sources.of(instruction));
        }
      } else if (auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        if (!isNative(range->getRawDest()) || !isNativeSource(*range)) ranges.push_back(range);
      }
    }
    // Where reads may be events, the same address may have another value a moment later.
    const bool areEvents = !ins_.options.races || ins_.options.plainLoads || ins_.options.crashes;
    const auto redundant = checkedBefore(function_, areEvents ? std::vector<Access>{} : plain, check_);
    for (const Access& access : plain) {
      if (!redundant.contains(access.instruction)) lower(access);
    }
    for (const Access& access : wide) lowerWide(access);
    for (const Access& access : relaxed) lowerAsRelaxed(ins_, access);
    for (const Access& access : copied) {
      llvm::IRBuilder<> builder(access.instruction);
      builder.CreateCall(ins_.hooks.plainPeek, {access.address, builder.getInt64(access.size),
                                                ins_.where(builder, ins_.sources.of(*access.instruction))});
    }
    for (llvm::MemIntrinsic* range : ranges) {
      isRelaxed(range->isVolatile()) ? lowerAsRelaxed(ins_, *range) : lower(*range);
    }
  }

 private:
  std::optional<Access> describe(llvm::Instruction& instruction) const {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      return Access{load,
                    load->getPointerOperand(),
                    nullptr,
                    layout_.getTypeStoreSize(load->getType()),
                    load->getAlign().value(),
                    load->isVolatile()};
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      llvm::Value* stored = store->getValueOperand();
      return Access{store,
                    store->getPointerOperand(),
                    stored,
                    layout_.getTypeStoreSize(stored->getType()),
                    store->getAlign().value(),
                    store->isVolatile()};
    }
    return std::nullopt;
  }

  // The library models' own variables are no business of the options'.
  bool isRelaxed(bool isVolatile) const {
    if (function_.hasFnAttribute(kLibraryAttribute)) return false;
    return ins_.options.volatileRelaxed && isVolatile;
  }
  // A store of more than the hook can be told, as of a vector.
  static bool isWide(const Access& access) { return access.stored && access.size > 8; }
  // The bits around a bit field may be uninitialised when it is assigned to.
  static bool isPartOfUpdate(const Access& access) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
    return load && isBitFieldUpdate(*load);
  }

  // On the native stack, where nothing is checked: what is left of the allocas is private.
  bool isNative(llvm::Value* address) const {
    const llvm::Value* base = check_.placeOf(address).base;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base)) return argument->hasByValAttr();
    return llvm::isa<llvm::AllocaInst>(base);
  }
  bool isNativeSource(llvm::MemIntrinsic& range) const {
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&range);
    return !copy || isNative(copy->getRawSource());
  }

  bool isExempt(const Access& access) const {
    if (isRuntimeVariable(access.address) || isNative(access.address)) return true;
    const Place place = check_.placeOf(access.address);
    const Object* object = check_.objectOf(place);
    return object && !access.stored && object->constant && AccessHook::isWithin(*object, place, access.size);
  }

  // A load of a whole struct, as for an argument by value: parts of it may be uninitialised.
  bool isPartOfCopy(const Access& access) const {
    const Place place = check_.placeOf(access.address);
    const Object* object = check_.objectOf(place);
    if (!object || object->constant || access.stored || !AccessHook::isWithin(*object, place, access.size)) return false;
    return object->type && isBytewiseCopy(llvm::cast<llvm::LoadInst>(*access.instruction),
                                          static_cast<std::uint64_t>(*place.offset), object->type);
  }

  // What the host's functions read of the program's memory: the virtual table's address.
  void lowerHostReads() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->getName() != "__dynamic_cast") continue;
      llvm::IRBuilder<> builder(call);
      builder.CreateCall(ins_.hooks.plainRead, {call->getArgOperand(0), builder.getInt64(layout_.getPointerSize()),
                                                ins_.where(builder, ins_.sources.of(*call))});
    }
  }

  void lower(Access access) {
    llvm::Instruction* const place = beforeOwnLoads(*access.instruction, access.address);
    access.looks = place != access.instruction;
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
    check_.emit(builder, access, ins_.sources.of(*access.instruction));
  }

  // By way of the native stack.
  void lowerWide(const Access& access) {
    auto* store = llvm::cast<llvm::StoreInst>(access.instruction);
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::AllocaInst* room = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(store->getValueOperand()->getType());
    llvm::IRBuilder<> builder(store);
    const std::uint32_t source = ins_.sources.of(*store);
    check_.checkBounds(builder, access, source);
    markOwn(*builder.CreateStore(store->getValueOperand(), room));
    builder.CreateCall(ins_.hooks.copy,
                       {store->getPointerOperand(), room, builder.getInt64(access.size), ins_.where(builder, source)});
    store->eraseFromParent();
  }

  // Loads that compare a value with the one about to be stored (loops.cpp) come after the check of the store. One that loads what is
  // stored comes before.
  static llvm::Instruction* beforeOwnLoads(llvm::Instruction& access, const llvm::Value* address) {
    llvm::Instruction* place = &access;
    while (auto* load = llvm::dyn_cast_or_null<llvm::LoadInst>(place->getPrevNode())) {
      const bool compares = load->getPointerOperand() == address && load->hasMetadata(kOwnAccess);
      if (!compares || llvm::is_contained(access.operands(), load)) break;
      place = load;
    }
    return place;
  }

  void lower(llvm::MemIntrinsic& range) {
    llvm::IRBuilder<> builder(&range);
    llvm::Value* length = builder.CreateZExtOrTrunc(range.getLength(), builder.getInt64Ty());
    const std::uint32_t source = ins_.sources.of(range);
    checkBounds(builder, range, range.getRawDest(), source);
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&range)) {
      checkBounds(builder, range, transfer->getRawSource(), source);
      builder.CreateCall(ins_.hooks.copy,
                         {transfer->getRawDest(), transfer->getRawSource(), length, ins_.where(builder, source)});
    } else {
      auto* set = llvm::cast<llvm::MemSetInst>(&range);
      llvm::Value* byte = builder.CreateZExt(set->getValue(), builder.getInt32Ty());
      builder.CreateCall(ins_.hooks.set, {set->getRawDest(), byte, length, ins_.where(builder, source)});
    }
    range.eraseFromParent();
  }

  void checkBounds(llvm::IRBuilder<>& builder, llvm::MemIntrinsic& range, llvm::Value* address, std::uint32_t source) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(range.getLength());
    if (!length || length->isZero()) return;
    Access access;
    access.address = address;
    access.size = length->getZExtValue();
    check_.checkBounds(builder, access, source);
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  AccessHook check_;
};

}  // namespace

void lowerAccesses(Instrumentation& instrumentation, llvm::Function& function) { Accesses(instrumentation, function).lower(); }

}  // namespace heddle::native
