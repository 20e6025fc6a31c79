// Where clang's own headers are (stddef.h, the intrinsics): the only files of clang that are needed when heddle runs.
//
// An installed heddle has a copy of its own in ../lib/heddle/clang, seen from the executable, so that it can be moved, and
// works where clang is not installed. Otherwise they are those of the LLVM that heddle was built with.
#pragma once

#include <string>

namespace heddle::native {

// The folder that clang calls its resource directory. Throws InputError if there are no headers.
std::string clangHeaderFolder();

std::string clangVersion();  // "19.1.7"

}  // namespace heddle::native
