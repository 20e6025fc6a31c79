// Where the project defines what a program lacks: a file of the compilation database.
#pragma once

#include <string>

#include "native/pipeline.h"

namespace heddle::native {

// The file that defines the symbol, if the options name a database and one of its files that mention the name does. Empty if there is
// none. Compiles the candidates, so it is for messages.
std::string definingFile(const BuildOptions& options, const std::string& symbol);

}  // namespace heddle::native
