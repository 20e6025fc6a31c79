// What the code of a checked program may refer to in the runtime, by name: the table abi/hooks.def with addresses.
#pragma once

#include <string_view>
#include <unordered_map>

namespace heddle::runtime {

// What the passes ask about a call of a hook or of a primitive. See abi/hooks.def.
inline constexpr unsigned kColdHook = 1, kSilentHook = 2, kQuickHook = 4;

struct RuntimeSymbol {
  void* address;
  unsigned traits;  // 0 for variables, and for what takes the place of a function of the host
};

const std::unordered_map<std::string_view, RuntimeSymbol>& runtimeSymbols();

bool isHookWith(unsigned trait, std::string_view name);

}  // namespace heddle::runtime
