// The check of a plain access, as instrumented code runs it (hooks.h, src/memory/memory.h): a call of a hook, marked as one
// that hook_condition.h may put a condition in front of.
#pragma once

#include <cstdint>
#include <optional>

#include "native/instrument/shared_state.h"

namespace heddle::native {

// A load or store as far as the check is concerned.
struct Access {
  llvm::Instruction* instruction = nullptr;
  llvm::Value* address = nullptr;
  llvm::Value* stored = nullptr;  // null for a load
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  bool isVolatile = false;
  bool looks = false;  // a store before which heddle's own code looks at what is there
};

// The object that an address is certainly in or beside, and how far from its start, if that is known.
struct Place {
  llvm::Value* base = nullptr;
  std::optional<std::int64_t> offset;
};

class AccessHook {
 public:
  explicit AccessHook(Instrumentation& instrumentation)
      : ins_(instrumentation), layout_(instrumentation.module.getDataLayout()) {}

  Place placeOf(llvm::Value* address) const;
  const Object* objectOf(const Place& place) const;
  static bool isWithin(const Object& object, const Place& place, std::uint64_t size);

  // In front of the builder's place.
  void emit(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source);
  void checkBounds(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source);
  // Whether the hook must be called, for an access of 1, 2, 4 or 8 bytes.
  llvm::Value* slowCondition(llvm::IRBuilder<>& builder, const Access& access);

  // A value of at most 8 bytes as the hooks take it; 0 for what is larger.
  llvm::Value* asWord(llvm::IRBuilder<>& builder, llvm::Value* value) const;

 private:
  llvm::CallInst* callHook(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t source);

  Instrumentation& ins_;
  const llvm::DataLayout& layout_;
};

// Marks an access as heddle's own, which is not checked.
void markOwn(llvm::Instruction& access);

}  // namespace heddle::native
