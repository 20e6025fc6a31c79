// What bash, zsh and fish complete after `heddle`, made from the option table.
#pragma once

#include <string>

namespace heddle::cli {

// A script for "bash", "zsh" or "fish".
std::string completionScript(const std::string& shell);

}  // namespace heddle::cli
