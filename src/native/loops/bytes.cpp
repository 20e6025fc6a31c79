#include "native/loops/bytes.h"

#include <llvm/Analysis/ValueTracking.h>

namespace heddle::native {

// Memory that is new when the call returns. Every thread's heap hands out other addresses than those in use.
bool isAllocation(const llvm::Value& base) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&base);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return false;
  const llvm::StringRef name = callee->getName();
  const bool isNew = (name.starts_with("_Znw") || name.starts_with("_Zna")) && !name.ends_with("Pv");  // not in place
  return isNew || name == "malloc" || name == "calloc" || name == "aligned_alloc";
}

namespace {

// An object whose address is known to nobody before the function makes it.
bool isFresh(const llvm::Value& base) { return llvm::isa<llvm::AllocaInst>(base) || isAllocation(base); }

bool isOlder(const llvm::Value& base) { return llvm::isa<llvm::GlobalVariable, llvm::Argument>(base); }

bool areDistinct(const llvm::Value& at, const llvm::Value& other) {
  const llvm::Value& a = *llvm::getUnderlyingObject(&at, 0);
  const llvm::Value& b = *llvm::getUnderlyingObject(&other, 0);
  if (&a == &b) return false;
  if (llvm::isa<llvm::GlobalVariable>(a) && llvm::isa<llvm::GlobalVariable>(b)) return true;
  return (isFresh(a) && (isFresh(b) || isOlder(b))) || (isFresh(b) && isOlder(a));
}

}  // namespace

Bytes bytesAt(const llvm::Value& address, llvm::Type& type, const llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const llvm::Value* base = address.stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getSExtValue(), type.isSized() ? layout.getTypeStoreSize(&type).getFixedValue() : 0};
}

bool mayOverlap(const Bytes& a, const Bytes& b) {
  if (a.base != b.base) return !areDistinct(*a.base, *b.base);
  if (a.size == 0 || b.size == 0) return true;
  return a.offset < b.offset + static_cast<std::int64_t>(b.size) && b.offset < a.offset + static_cast<std::int64_t>(a.size);
}

}  // namespace heddle::native
