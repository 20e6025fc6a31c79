// Manual pages for man(1), made from the option table.
#pragma once

#include <string>

namespace heddle::cli {

// heddle.1 if `command` is empty, heddle-COMMAND.1 otherwise.
std::string manPage(const std::string& command);

}  // namespace heddle::cli
