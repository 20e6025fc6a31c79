// What `heddle --version` prints.
#pragma once

#include <string>

namespace heddle::cli {

std::string versionText();  // "heddle 0.9.0"

// For scripts: the version, LLVM's, the machine, the models, the commands, and the formats that results can be written in.
std::string versionJson();

}  // namespace heddle::cli
