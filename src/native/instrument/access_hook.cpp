#include "native/instrument/access_hook.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "native/instrument/globals.h"
#include "native/instrument/hook_condition.h"
#include "runtime/hooks.h"

namespace heddle::native {

void markOwn(llvm::Instruction& access) { access.setMetadata(kOwnAccess, llvm::MDNode::get(access.getContext(), {})); }

Place AccessHook::placeOf(llvm::Value* address) const {
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

const Object* AccessHook::objectOf(const Place& place) const {
  const auto found = ins_.objects.find(place.base);
  return found == ins_.objects.end() ? nullptr : &found->second;
}

bool AccessHook::isWithin(const Object& object, const Place& place, std::uint64_t size) {
  return place.offset && *place.offset >= 0 && size <= object.size &&
         static_cast<std::uint64_t>(*place.offset) <= object.size - size;
}

void AccessHook::emit(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source) {
  checkBounds(builder, access, source);
  llvm::CallInst* const call = callHook(builder, access, source);
  if (runtime::hasInlineCheck(access.size)) markHookCall(*call, access.alignment, objectOf(placeOf(access.address)) != nullptr);
}

void AccessHook::checkBounds(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source) {
  const Place place = placeOf(access.address);
  const Object* object = objectOf(place);
  if (!object || isWithin(*object, place, access.size)) return;
  const std::string& name = ins_.info.variables[object->variable].name;
  const std::string message = fmt::format("{} {} bytes outside of {}", access.stored ? "writes" : "reads", access.size,
                                          name.empty() ? "a local variable" : name);
  if (access.size > object->size || place.offset) {
    ins_.fail(builder, runtime::ErrorKind::outOfBounds, message, source);
    return;
  }
  llvm::Value* offset = builder.CreateSub(builder.CreatePtrToInt(access.address, builder.getInt64Ty()),
                                          builder.CreatePtrToInt(place.base, builder.getInt64Ty()));
  llvm::Value* outside = builder.CreateICmpUGT(offset, builder.getInt64(object->size - access.size));
  ins_.failIf(builder, outside, runtime::ErrorKind::outOfBounds, message, source);
}

llvm::Value* AccessHook::slowCondition(llvm::IRBuilder<>& builder, const Access& access) {
  return native::slowCondition(builder,
                               {.address = access.address,
                                .size = access.size,
                                .alignment = access.alignment,
                                .write = access.stored != nullptr,
                                .inProgramMemory = objectOf(placeOf(access.address)) != nullptr},
                               ins_.hooks.epoch);
}

llvm::CallInst* AccessHook::callHook(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source) {
  llvm::Value* size = builder.getInt64(access.size);
  // A library's own variables are no matter of where the program calls it.
  llvm::Value* where = objectOf(placeOf(access.address)) ? builder.getInt32(source) : ins_.where(builder, source);
  if (access.stored) {
    const llvm::FunctionCallee hook = access.looks ? ins_.hooks.plainUpdate : ins_.hooks.plainWrite;
    return builder.CreateCall(hook, {access.address, size, where, asWord(builder, access.stored)});
  }
  return builder.CreateCall(ins_.hooks.plainRead, {access.address, size, where});
}

llvm::Value* AccessHook::asWord(llvm::IRBuilder<>& builder, llvm::Value* value) const {
  llvm::Type* type = value->getType();
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(type));
  if (bits > 64 || type->isAggregateType()) return builder.getInt64(0);
  if (type->isPtrOrPtrVectorTy()) value = builder.CreatePtrToInt(value, layout_.getIntPtrType(type));
  value = builder.CreateBitCast(value, builder.getIntNTy(bits));
  return builder.CreateZExt(value, builder.getInt64Ty());
}

}  // namespace heddle::native
