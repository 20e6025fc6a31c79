#include "runtime/symbols.h"

#include "runtime/hooks.h"

namespace heddle::runtime {

const std::unordered_map<std::string_view, RuntimeSymbol>& runtimeSymbols() {
  constexpr unsigned COLD = kColdHook, SILENT = kSilentHook, QUICK = kQuickHook;
  static const std::unordered_map<std::string_view, RuntimeSymbol> kSymbols = {
#define HOOK(how, member, result, name, parameters, traits) {#name, {reinterpret_cast<void*>(&name), traits}},
#define PRIMITIVE(how, result, name, parameters, traits) {#name, {reinterpret_cast<void*>(&name), traits}},
#define SHARED(how, member, result, name, parameters, traits) {#name, {reinterpret_cast<void*>(&name), traits}},
#define REPLACEMENT(host, how, result, name, parameters) {#host, {reinterpret_cast<void*>(&name), 0}},
#define VARIABLE(type, name) {#name, {&name, 0}},
#include "abi/hooks.def"
  };
  return kSymbols;
}

bool isHookWith(unsigned trait, std::string_view name) {
  const auto found = runtimeSymbols().find(name);
  return found != runtimeSymbols().end() && (found->second.traits & trait) != 0;
}

}  // namespace heddle::runtime
