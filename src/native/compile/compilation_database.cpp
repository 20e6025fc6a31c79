// compile_commands.json, read by clang's own library; flags are told apart by clang's own table of options.
#include "native/compile/compilation_database.h"

#include <clang/Driver/Options.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "native/pipeline.h"

namespace heddle::native {

namespace {

namespace fs = std::filesystem;
namespace options = clang::driver::options;

bool dropped(const llvm::opt::Arg& arg, bool fromDatabase) {
  const llvm::opt::Option& option = arg.getOption();
  static constexpr unsigned kAlways[] = {
      options::OPT_O_Group,
      options::OPT_M_Group,
      options::OPT_Action_Group,
      options::OPT_o,
      options::OPT_fsanitize_EQ,
      options::OPT_flto,
      options::OPT_flto_EQ,
      options::OPT_coverage,
      options::OPT_ftest_coverage,
      options::OPT_fprofile_arcs,
      options::OPT_pg,
      options::OPT_save_temps,
      options::OPT_save_temps_EQ,
      options::OPT_emit_llvm,
      options::OPT_save_stats,
      options::OPT_fprofile_generate,
      options::OPT_fprofile_instr_generate,
      options::OPT_ftime_report,
  };
  const auto matches = [&](unsigned id) { return option.matches(id); };
  if (std::ranges::any_of(kAlways, matches)) return true;
  if (!fromDatabase) return false;
  static constexpr unsigned kOfDatabase[] = {options::OPT_UNKNOWN, options::OPT_INPUT, options::OPT_Link_Group,
                                             options::OPT__DASH_DASH};
  if (option.matches(options::OPT_W_Joined) && llvm::StringRef(arg.getValue()) == "error") return true;
  return std::ranges::any_of(kOfDatabase, matches);
}

// Symbolic links and ".." resolved, as far as the path exists.
fs::path resolved(const fs::path& path) {
  std::error_code ignored;
  const fs::path full = fs::weakly_canonical(path, ignored);
  return full.empty() ? path.lexically_normal() : full;
}

bool endsWith(const fs::path& path, const fs::path& tail) {
  const std::vector<fs::path> whole(path.begin(), path.end());
  const std::vector<fs::path> part(tail.begin(), tail.end());
  return part.size() <= whole.size() && std::equal(part.rbegin(), part.rend(), whole.rbegin());
}

using Commands = std::vector<clang::tooling::CompileCommand>;

Commands readDatabase(const std::string& path) {
  std::error_code ignored;
  const fs::path file = databaseFile(path);
  if (!fs::exists(file, ignored)) throw InputError(fmt::format("{}: no such compilation database", file.string()));
  std::string message;
  const auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      file.string(), message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database) throw InputError(fmt::format("{}: {}", file.string(), message));
  return database->getAllCompileCommands();
}

std::string absoluteFile(const clang::tooling::CompileCommand& command) {
  return resolved(fs::path(command.Directory) / command.Filename).string();
}

CompileCommand toCompileCommand(const clang::tooling::CompileCommand& command) {
  std::vector<std::string> arguments = command.CommandLine;
  // A launcher such as ccache comes before the compiler; neither is a flag.
  const auto first = std::ranges::find_if(arguments, [](const std::string& word) { return word.starts_with("-"); });
  arguments.erase(arguments.begin(), first);
  std::vector<std::string> flags = relevantFlags(arguments, true);
  flags.insert(flags.begin(), "-Wno-unknown-warning-option");
  return {command.Directory, absoluteFile(command), std::move(flags)};
}

// "app_test" of "CMakeFiles/app_test.dir/src/queue.cpp.o"; empty if the path does not say it.
std::string targetOf(const clang::tooling::CompileCommand& command) {
  std::string output = command.Output;
  const auto flag = std::ranges::find(command.CommandLine, "-o");
  if (output.empty() && flag != command.CommandLine.end() && flag + 1 != command.CommandLine.end()) output = flag[1];
  for (const fs::path& part : fs::path(output)) {
    for (const char* const suffix : {".dir", ".p"}) {
      if (part.extension() == suffix) return part.stem().string();
    }
  }
  return "";
}

}  // namespace

std::string databaseFile(const std::string& database) {
  std::error_code ignored;
  const fs::path path(database);
  return fs::absolute(fs::is_directory(path, ignored) ? path / "compile_commands.json" : path).string();
}

std::vector<std::string> relevantFlags(const std::vector<std::string>& flags, bool fromDatabase) {
  std::vector<const char*> words;
  for (const std::string& flag : flags) words.push_back(flag.c_str());
  unsigned missingIndex = 0;
  unsigned missingCount = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      words, missingIndex, missingCount, llvm::opt::Visibility(options::ClangOption));
  if (missingCount > 0) throw InputError(fmt::format("the flag {} lacks its argument", flags[missingIndex]));

  std::vector<std::string> result;
  for (const llvm::opt::Arg* arg : parsed) {
    if (dropped(*arg, fromDatabase)) continue;
    if (arg->getOption().matches(options::OPT_INPUT))
      throw InputError(fmt::format("'{}' among the flags for clang is not a flag", arg->getValue()));
    llvm::opt::ArgStringList rendered;
    arg->render(parsed, rendered);
    result.insert(result.end(), rendered.begin(), rendered.end());
  }
  return result;
}

std::vector<std::string> filesOfTarget(const std::string& database, const std::string& target) {
  std::vector<std::string> files;
  std::set<std::string> targets;
  for (const auto& command : readDatabase(database)) {
    const std::string its = targetOf(command);
    if (!its.empty()) targets.insert(its);
    if (its == target) files.push_back(absoluteFile(command));
  }
  if (!files.empty()) return files;
  throw InputError(fmt::format("{}: neither a file nor a target of {}{}", target, databaseFile(database),
                               targets.empty() ? "" : fmt::format(", whose targets are {}", fmt::join(targets, ", "))));
}

std::vector<std::string> filesOfDatabase(const std::string& database) {
  std::vector<std::string> files;
  for (const auto& command : readDatabase(database)) {
    const std::string file = absoluteFile(command);
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  return files;
}

CompileCommand findCompileCommand(const std::string& database, const std::string& file) {
  const Commands commands = readDatabase(database);
  const fs::path wanted = resolved(fs::absolute(file));
  const fs::path tail = fs::path(file).lexically_normal();

  const clang::tooling::CompileCommand* found = nullptr;
  for (const auto& command : commands) {
    const std::string candidate = absoluteFile(command);
    if (candidate == wanted) return toCompileCommand(command);
    if (tail.is_absolute() || !endsWith(candidate, tail)) continue;
    if (found != nullptr && absoluteFile(*found) != candidate)
      throw InputError(fmt::format("{}: the compilation database has several such files:\n  {}\n  {}", file,
                                   absoluteFile(*found), candidate));
    if (found == nullptr) found = &command;
  }
  if (found == nullptr) throw InputError(fmt::format("{}: no entry in the compilation database {}", file, database));
  return toCompileCommand(*found);
}

}  // namespace heddle::native
