// `heddle replay --gdb`: the failing execution in gdb.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

// What gdb is given to know of a replay (gdb_commands.py). Written by the build (cmake/embed_text.cmake).
extern const char* const kGdbCommands;

// gdb takes the place of this process, and runs the replay. Throws InputError if there is no gdb.
[[noreturn]] void runGdb(const Options& replay);

}  // namespace heddle::cli
