#include "litmus/types.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace heddle::litmus {

namespace {

std::unordered_map<std::string, Type> makeNamedTypes() {
  std::unordered_map<std::string, Type> types;
  const auto integer = [&](const std::string& name, std::uint8_t size, bool isSigned) {
    types[name] = Type{.size = size, .isSigned = isSigned};
    types["atomic_" + name] = Type{.size = size, .isSigned = isSigned, .atomic = true};
  };
  for (const std::uint8_t size : std::initializer_list<std::uint8_t>{1, 2, 4, 8}) {
    const std::string bits = std::to_string(8 * size);
    for (const std::string infix : {"", "_least", "_fast"}) {
      integer("int" + infix + bits + "_t", size, true);
      integer("uint" + infix + bits + "_t", size, false);
    }
  }
  for (const char* name : {"intptr_t", "ptrdiff_t", "intmax_t", "ssize_t"}) integer(name, 8, true);
  for (const char* name : {"uintptr_t", "size_t", "uintmax_t"}) integer(name, 8, false);

  const auto atomic = [&](const char* name, std::uint8_t size, bool isSigned) {
    types[name] = Type{.size = size, .isSigned = isSigned, .atomic = true};
  };
  atomic("atomic_char", 1, true);
  atomic("atomic_schar", 1, true);
  atomic("atomic_uchar", 1, false);
  atomic("atomic_short", 2, true);
  atomic("atomic_ushort", 2, false);
  atomic("atomic_int", 4, true);
  atomic("atomic_uint", 4, false);
  atomic("atomic_long", 8, true);
  atomic("atomic_ulong", 8, false);
  atomic("atomic_llong", 8, true);
  atomic("atomic_ullong", 8, false);
  types["bool"] = types["_Bool"] = kBool;
  types["atomic_bool"] = types["atomic_flag"] = Type{.size = 1, .isSigned = false, .atomic = true, .boolean = true};
  for (const char* name : {"mutex", "mtx_t", "pthread_mutex_t"}) types[name] = Type{.atomic = true, .mutex = true};
  return types;
}

constexpr std::array<std::string_view, 13> kCombiningWords = {"void",   "char",     "short",   "int",      "long",
                                                              "signed", "unsigned", "const",   "volatile", "_Atomic",
                                                              "static", "register", "restrict"};

}  // namespace

std::optional<Type> namedType(std::string_view word) {
  static const std::unordered_map<std::string, Type> types = makeNamedTypes();
  const auto found = types.find(std::string(word));
  if (found == types.end()) return std::nullopt;
  return found->second;
}

bool beginsType(std::string_view word) {
  return std::find(kCombiningWords.begin(), kCombiningWords.end(), word) != kCombiningWords.end() ||
         namedType(word).has_value();
}

}  // namespace heddle::litmus
