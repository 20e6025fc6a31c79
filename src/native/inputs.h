// What a program depends on besides its options.
#pragma once

#include <set>
#include <string>

namespace heddle::native {

// Files that a compilation has read or looked at, those that it looked for in vain, and folders in which new names could matter.
// compile/input_files.h takes the notes.
struct InputFiles {
  std::set<std::string> read, absent, folders;
};

}  // namespace heddle::native
