#include "native/access_check.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "memory/layout.h"
#include "native/globals.h"

namespace heddle::native {

using memory::kBase;
using memory::kShadow;
using memory::kSize;
using memory::kSizeBits;

void markOwn(llvm::Instruction& access) { access.setMetadata(kOwnAccess, llvm::MDNode::get(access.getContext(), {})); }

Place AccessCheck::placeOf(llvm::Value* address) const {
  std::int64_t offset = 0;
  bool known = true;
  while (!ins_.objects.contains(address)) {
    auto* element = llvm::dyn_cast<llvm::GEPOperator>(address);
    if (!element) break;
    llvm::APInt step(64, 0);
    if (element->accumulateConstantOffset(layout_, step)) {
      offset += step.getSExtValue();
    } else {
      known = false;
    }
    address = element->getPointerOperand();
  }
  return {address, known ? std::optional(offset) : std::nullopt};
}

const Object* AccessCheck::objectOf(const Place& place) const {
  const auto found = ins_.objects.find(place.base);
  return found == ins_.objects.end() ? nullptr : &found->second;
}

bool AccessCheck::isWithin(const Object& object, const Place& place, std::uint64_t size) {
  return place.offset && *place.offset >= 0 && size <= object.size &&
         static_cast<std::uint64_t>(*place.offset) <= object.size - size;
}

void AccessCheck::emit(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source) {
  checkBounds(builder, access, source);
  llvm::Value* slow = slowCondition(builder, access);
  if (!slow) {
    callHook(builder, access, source);
    return;
  }
  llvm::IRBuilder<> inside(ins_.unlikely(builder, slow));
  inside.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
  callHook(inside, access, source);
}

void AccessCheck::checkBounds(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source) {
  const Place place = placeOf(access.address);
  const Object* object = objectOf(place);
  if (!object || isWithin(*object, place, access.size)) return;
  const std::string& name = ins_.info.variables[object->variable].name;
  const std::string message = fmt::format("{} {} bytes outside of {}", access.stored ? "writes" : "reads", access.size,
                                          name.empty() ? "a local variable" : name);
  if (access.size > object->size || place.offset) {
    ins_.fail(builder, ErrorKind::outOfBounds, message, source);
    return;
  }
  llvm::Value* offset = builder.CreateSub(builder.CreatePtrToInt(access.address, builder.getInt64Ty()),
                                          builder.CreatePtrToInt(place.base, builder.getInt64Ty()));
  llvm::Value* outside = builder.CreateICmpUGT(offset, builder.getInt64(object->size - access.size));
  ins_.failIf(builder, outside, ErrorKind::outOfBounds, message, source);
}

llvm::Value* AccessCheck::slowCondition(llvm::IRBuilder<>& builder, const Access& access) {
  const std::uint64_t size = access.size;
  if (size != 1 && size != 2 && size != 4 && size != 8) return nullptr;
  llvm::Value* address = builder.CreatePtrToInt(access.address, builder.getInt64Ty());
  llvm::Value* offset = builder.CreateSub(address, builder.getInt64(kBase));
  llvm::Value* slow = nullptr;
  const auto orSlow = [&](llvm::Value* condition) { slow = slow ? builder.CreateOr(slow, condition) : condition; };

  // The cell is read before the address is known to be good, so the address is forced into program memory.
  llvm::Value* granule = builder.CreateAnd(offset, builder.getInt64(kSize - 4));
  llvm::Value* cell = builder.CreateAdd(builder.CreateShl(granule, 1), builder.getInt64(kShadow));
  llvm::LoadInst* epoch = builder.CreateLoad(builder.getInt32Ty(), ins_.hooks.epoch);
  markOwn(*epoch);
  const bool write = access.stored || access.asWrite;
  for (std::uint64_t part = 0; part < size; part += 4) {
    orSlow(isStale(builder, part == 0 ? cell : builder.CreateAdd(cell, builder.getInt64(2 * part)), epoch, write));
  }
  if (!objectOf(placeOf(access.address))) {
    orSlow(builder.CreateICmpNE(builder.CreateLShr(offset, kSizeBits), builder.getInt64(0)));
  }

  // An access that may reach into one granule more than its size says.
  if (access.alignment < std::min<std::uint64_t>(size, 4)) {
    llvm::Value* within = builder.CreateAnd(address, builder.getInt64(3));
    orSlow(builder.CreateICmpUGT(within, builder.getInt64(size >= 4 ? 0 : 4 - size)));
  }
  return slow;
}

// Was the granule not yet accessed in this segment in a way that covers this access?
llvm::Value* AccessCheck::isStale(llvm::IRBuilder<>& builder, llvm::Value* cell, llvm::Value* epoch, bool write) {
  const auto differs = [&](llvm::Value* half) {
    llvm::LoadInst* load =
        builder.CreateAlignedLoad(builder.getInt32Ty(), builder.CreateIntToPtr(half, builder.getPtrTy()), llvm::Align(4));
    markOwn(*load);
    return builder.CreateICmpNE(load, epoch);
  };
  llvm::Value* staleWrite = differs(cell);
  if (write) return staleWrite;
  return builder.CreateAnd(staleWrite, differs(builder.CreateAdd(cell, builder.getInt64(4))));
}

void AccessCheck::callHook(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source) {
  llvm::Value* size = builder.getInt64(access.size);
  llvm::Value* where = builder.getInt32(source);
  if (access.stored || access.asWrite) {
    llvm::Value* value = access.stored ? asWord(builder, access.stored) : builder.getInt64(0);
    const llvm::FunctionCallee hook = access.asWrite || access.looks ? ins_.hooks.plainUpdate : ins_.hooks.plainWrite;
    builder.CreateCall(hook, {access.address, size, where, value});
  } else {
    builder.CreateCall(ins_.hooks.plainRead, {access.address, size, where});
  }
}

llvm::Value* AccessCheck::asWord(llvm::IRBuilder<>& builder, llvm::Value* value) const {
  llvm::Type* type = value->getType();
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(type));
  if (bits > 64 || type->isAggregateType()) return builder.getInt64(0);
  if (type->isPtrOrPtrVectorTy()) value = builder.CreatePtrToInt(value, layout_.getIntPtrType(type));
  value = builder.CreateBitCast(value, builder.getIntNTy(bits));
  return builder.CreateZExt(value, builder.getInt64Ty());
}

}  // namespace heddle::native
