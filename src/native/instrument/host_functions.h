// The symbols of the host that a program may use as they are.
//
// These compute a value from their arguments, unwind the stack, or describe types: they touch none of the program's shared
// memory and do nothing that another thread could see. Everything else that a program calls must be part of it or a
// library model, because heddle could neither undo its effects nor see its accesses.
#pragma once

#include <string_view>

namespace heddle::native {

bool isHostSymbol(std::string_view name);

// Does the function do nothing but compute a value from its arguments?
bool isPureHostFunction(std::string_view name);

}  // namespace heddle::native
