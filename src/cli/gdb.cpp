#include "cli/gdb.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/models.h"

namespace heddle::cli {

namespace {

// A file without a name that gdb reads; nobody has to delete it. gdb takes a file without a suffix for its own commands.
std::string commandFile() {
  const std::string text = fmt::format("python\n{}\nend\n", kGdbCommands);
  const int file = memfd_create("heddle-gdb", 0);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw InputError(fmt::format("heddle: cannot write the commands for gdb: {}", std::strerror(errno)));
  }
  return fmt::format("/proc/self/fd/{}", file);
}

// An IDE says itself when to run the program.
bool isForProgram(const std::string& word) {
  return word.starts_with("-i=") || word.starts_with("--interpreter") || word.starts_with("-interpreter");
}

}  // namespace

void runGdb(const Options& replay) {
  std::vector<std::string> words = {"gdb", "--quiet", "-x", commandFile()};
  if (std::ranges::none_of(replay.gdbArguments, isForProgram)) words.insert(words.end(), {"-ex", "run"});
  words.insert(words.end(), replay.gdbArguments.begin(), replay.gdbArguments.end());
  words.insert(words.end(), {"--args", std::filesystem::read_symlink("/proc/self/exe").string(), "replay", "--debugged"});
  if (replay.output) words.emplace_back("--output");
  words.push_back(replay.checkpoints.front());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw InputError(errno == ENOENT
                       ? "heddle: gdb was not found. Install it (Debian: apt-get install gdb), or put its folder into PATH"
                       : fmt::format("heddle: gdb cannot be run: {}", std::strerror(errno)));
}

}  // namespace heddle::cli
