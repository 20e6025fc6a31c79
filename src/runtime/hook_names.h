// The names of all that abi/hooks.def lists, as constants. A pass that asks for a hook by a name that is not in the table does not
// compile.
#pragma once

namespace heddle::runtime {
namespace hook_names {

#define HOOK(how, member, result, name, parameters, traits) inline constexpr char name[] = #name;
#define PRIMITIVE(how, result, name, parameters, traits) inline constexpr char name[] = #name;
#define SHARED(how, member, result, name, parameters, traits) inline constexpr char name[] = #name;
#define VARIABLE(type, name) inline constexpr char name[] = #name;
#include "abi/hooks.def"

}  // namespace hook_names
}  // namespace heddle::runtime
