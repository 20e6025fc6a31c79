#include "runtime/call_targets.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "memory/layout.h"

namespace heddle::runtime {

const Address CallTargets::memoryBegin_ = memory::kImage;

namespace {

// What the virtual tables of the C++ run-time lead to: members of std's exceptions and of type information.
bool isVirtualOfHost(std::string_view name) {
  for (const std::string_view start :
       {"_ZNSt", "_ZNKSt", "_ZN10__cxxabiv1", "_ZNK10__cxxabiv1", "_ZTv", "_ZThn", "__cxa_pure_virtual"})
    if (name.starts_with(start)) return true;
  return false;
}

}  // namespace

void CallTargets::clear() {
  starts_.clear();
  host_.clear();
}

void CallTargets::add(Address function) {
  const Address offset = function - memoryBegin_;
  if (offset >= memory::kImageSize) {
    host_.insert(function);
    return;
  }
  if (offset >= starts_.size()) starts_.resize(offset + offset / 2 + 1);
  starts_[offset] = true;
}

bool CallTargets::isOfHost(Address callee) {
  if (callee < memory::kPage || host_.contains(callee)) return true;  // to call nothing is a fault of its own
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(callee), &info) == 0 || info.dli_sname == nullptr) return false;
  if (info.dli_saddr != reinterpret_cast<void*>(callee) || !isVirtualOfHost(info.dli_sname)) return false;
  host_.insert(callee);
  return true;
}

std::string CallTargets::describe(Address callee) {
  const char* what = "no memory of the program";
  if (callee - memory::kImage < memory::kImageSize) {
    what = "in the program's image, where no function begins";
  } else if (memory::isProgramMemory(callee)) {
    what = "memory of the program that is not code";
  }
  return fmt::format("the call goes to {:#x}, which is no function of the program ({})", callee, what);
}

CallTargets& callTargets() {
  static CallTargets targets;
  return targets;
}

}  // namespace heddle::runtime
