#include "native/reserved_names.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "native/pipeline.h"

namespace heddle::native {

namespace {

constexpr std::string_view kNames[] = {
#define HOOK(how, member, result, name, parameters, traits) #name,
#define PRIMITIVE(how, result, name, parameters, traits) #name,
#define VARIABLE(type, name) #name,
#include "abi/hooks.def"
    "heddle_ignores_argument",  // instrument/ignored_arguments.h
};

// By include/heddle, native/overlay and native/frameworks.
constexpr std::string_view kForHeaders[] = {
    "heddle_arrive",
    "heddle_assume_hook",
    "heddle_atomic_noreturn",
    "heddle_atomic_update_if",
    "heddle_begin_marking",
    "heddle_begin_transaction",
    "heddle_check_read",
    "heddle_choose_hook",
    "heddle_depart",
    "heddle_depart_or_never",
    "heddle_end_marking",
    "heddle_end_of_wait",
    "heddle_end_program",
    "heddle_end_transaction",
    "heddle_fail_hook",
    "heddle_has_met",
    "heddle_kernel_fence",
    "heddle_notify",
    "heddle_notify_one",
    "heddle_spin_end_hook",
    "heddle_spin_start_hook",
    "heddle_take",
    "heddle_wait",
    "heddle_wait_notified",
    "heddle_warn_hook",
};

bool isReserved(llvm::StringRef name) {
  name.consume_front("\1");  // an assembler name
  const std::string_view text = name;
  return std::ranges::find(kNames, text) != std::end(kNames) && std::ranges::find(kForHeaders, text) == std::end(kForHeaders);
}

std::string placeOf(const llvm::GlobalValue& value) {
  for (const llvm::User* user : value.users()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    const llvm::DILocation* const place = instruction ? instruction->getDebugLoc().get() : nullptr;
    if (place) return fmt::format("{}:{}: ", place->getFilename().str(), place->getLine());
  }
  return "";
}

}  // namespace

void refuseReservedNames(const llvm::Module& program) {
  for (const llvm::GlobalValue& value : program.global_values()) {
    if (!value.getName().contains("heddle_") || !isReserved(value.getName())) continue;
    if (value.isDeclaration() && value.use_empty()) continue;
    throw InputError(fmt::format("{}error: {} belongs to heddle's own runtime: a program can neither call nor define it",
                                 placeOf(value), value.getName().ltrim('\1').str()));
  }
}

}  // namespace heddle::native
