// Help texts and the manual, made from the option table.
#pragma once

#include <string>

namespace heddle::cli {

// What --help prints: on one command, or on the program if `command` is empty.
std::string helpText(const std::string& command);

// All of docs/manual.md.
std::string manualText();

}  // namespace heddle::cli
