// How a project compiles a file: its entry in compile_commands.json.
#pragma once

#include <string>
#include <vector>

namespace heddle::native {

struct CompileCommand {
  std::string directory;           // relative paths of the flags start here
  std::string file;                // absolute
  std::vector<std::string> flags;  // without the compiler, the input, and what only says where output goes
};

// The entry for `file`, which is a path or the end of one ("queue.cpp", "src/queue.cpp"). `database` is the JSON file
// or a folder that has a compile_commands.json. If the project compiles the file more than once, the first entry
// counts, as for other tools. Throws InputError if there is no database, no entry, or if several files match.
CompileCommand findCompileCommand(const std::string& database, const std::string& file);

// The source files of a target of the project, by the folder that CMake (app_test.dir) or Meson (app_test.p) puts its object files into.
// Throws InputError if there is none of this name, and says which there are.
std::vector<std::string> filesOfTarget(const std::string& database, const std::string& target);

// All files, each once, as absolute paths.
std::vector<std::string> filesOfDatabase(const std::string& database);

// The path of its JSON file.
std::string databaseFile(const std::string& database);

// `flags` without those that choose an output, an action, a level of optimisation or a sanitizer: heddle decides these.
// An entry of a database also loses what clang does not know (the project may use another compiler), what only a linker
// wants, and -Werror.
std::vector<std::string> relevantFlags(const std::vector<std::string>& flags, bool fromDatabase);

}  // namespace heddle::native
