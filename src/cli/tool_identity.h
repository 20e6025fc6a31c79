// What tells this heddle, with all that it is made of, from any other.
#pragma once

#include <string>

namespace heddle::cli {

// The version, and the build identifiers of the program and of the shared libraries that it uses: the linker makes one of everything
// that is in a file. A file without one is told by its contents.
std::string toolIdentity();

// That of the program alone, for files that go from one machine to another.
std::string programIdentity();

}  // namespace heddle::cli
