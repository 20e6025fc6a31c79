// The command line: parses it, runs the command, and turns whatever happens into an exit code.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

#include "cli/cache_command.h"
#include "cli/check_command.h"
#include "cli/cluster.h"
#include "cli/completion.h"
#include "cli/exit_code.h"
#include "cli/gdb.h"
#include "cli/interrupt.h"
#include "cli/litmus_command.h"
#include "cli/man_page.h"
#include "cli/manual.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/prove_command.h"
#include "cli/run_control.h"
#include "cli/suggestion.h"
#include "cli/test_command.h"
#include "sandbox/helper.h"

namespace heddle::cli {
namespace {

std::string helpOn(const std::string& topic, const Options& options) {
  if (!options.completion.empty()) return completionScript(options.completion);
  if (options.man) return manPage(topic);
  return options.markdown ? manualText() : helpText(topic);
}

int runHelp(const Options& options) {
  const std::string topic = options.topics.empty() ? "" : options.topics.front();
  for (const CommandInfo& command : commandTable()) {
    if (topic.empty() || topic == command.name) {
      fmt::print("{}", helpOn(topic, options));
      return kNoError;
    }
  }
  fmt::print(stderr, "heddle: no command `{}`\n{}Try `heddle --help`.\n", topic, suggestCommand(topic));
  return kBadInput;
}

int runResume(const Options& resume, parallel::Cluster* cluster) {
  const parallel::Checkpoint checkpoint = parallel::readCheckpoint(resume.checkpoints.front());
  if (!checkpoint.problem.empty()) fmt::print(stderr, "{}\n", checkpoint.problem);
  const Options options = resumedOptions(resume, checkpoint);
  if (options.command == "check") return runCheckCommand(options, &checkpoint, cluster);
  if (cluster != nullptr) throw InputError("heddle: --mpi is for checkpoints of `heddle check`");
  return runLitmusCommand(options, &checkpoint);
}

// The command of the failure names files as they were called from where it was given; the options of this one, from here.
void goToFolderOf(const parallel::Checkpoint& failure, Options& options) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const std::string& folder = failure.about.folder;
  if (folder.empty() || fs::equivalent(folder, fs::current_path(), problem)) return;
  for (auto& [format, file] : options.formats) {
    if (file != "-") file = fs::absolute(file).string();
  }
  fs::current_path(folder, problem);
  if (problem) {
    throw InputError(fmt::format("{}: error: the failure was made in {}, which is not there any more", failure.file, folder));
  }
}

int runReplay(const Options& replay) {
  const parallel::Checkpoint failure = parallel::readFailure(replay.checkpoints.front());
  if (replay.gdb) runGdb(replay);
  Options options = replayedOptions(replay, failure);
  goToFolderOf(failure, options);
  return runCheckCommand(options, &failure);
}

// The last words of a run. Nothing here allocates, throws, or needs a standard error that can be written.
void complain(const char* what, const char* more = "") {
  std::fputs(what, stderr);
  std::fputs(more, stderr);
  std::fputs("\n", stderr);
}

constexpr const char* kReportIt = "\nThis is a bug in heddle; please report it with the command line and its input.";

// What to say, and the exit code, for the exception that is being handled.
int explainException() {
  try {
    throw;
  } catch (const InputError& error) {
    complain(error.what());
    return kBadInput;
  } catch (const parallel::CheckpointError& error) {
    complain(error.what());
    return kBadInput;
  } catch (const parallel::ClusterError& error) {
    complain(error.what());
    return kIncomplete;
  } catch (const std::bad_alloc&) {
    complain("heddle: out of memory");
    return kIncomplete;
  } catch (const std::system_error& error) {  // a full disk, too many processes, ...
    complain("heddle: the run cannot go on: ", error.what());
    return kIncomplete;
  } catch (const std::exception& error) {
    complain("heddle: internal error: ", error.what());
    complain(kReportIt + 1);
  } catch (...) {
    complain("heddle: internal error", kReportIt);
  }
  return kInternalError;
}

// An exception that leaves a function which lets none out. Memory that runs out may do that anywhere.
[[noreturn]] void endWithException() {
  int code = kInternalError;
  if (std::current_exception()) {
    code = explainException();
  } else {
    complain("heddle: internal error: std::terminate was called", kReportIt);
  }
  _exit(code);
}

int run(int argc, char** argv) {
  const auto parsed = parseCommandLine(argc, argv);
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) {
    fmt::print(early->code == kNoError ? stdout : stderr, "{}", early->text);
    return early->code;
  }
  const Options& options = std::get<Options>(parsed);
  if (options.command == "check" || options.command == "litmus" || options.command == "resume" || options.command == "replay") {
    const std::unique_ptr<parallel::Cluster> cluster = options.mpi ? joinCluster(options) : nullptr;
    if (cluster && !cluster->isFirst()) return runForAnother(options, *cluster);
    handleInterrupts();
    if (options.command != "litmus" && options.sandbox != "off") sandbox::startHelper();
    if (options.command == "replay") return runReplay(options);
    if (options.command == "resume") return runResume(options, cluster.get());
    return options.command == "check" ? runCheckCommand(options, nullptr, cluster.get()) : runLitmusCommand(options);
  }
  if (options.command == "test") {
    handleInterrupts();
    if (options.sandbox != "off") sandbox::startHelper();
    return runTestCommand(options);
  }
  if (options.command == "cache") return runCacheCommand(options);
  if (options.command == "prove") return runProveCommand(options);
  return options.command == "models" ? runModels(options) : runHelp(options);
}

}  // namespace
}  // namespace heddle::cli

// The helper of the sandbox is a copy of this process, and pages that were written before are copied when they are written again.
// LLVM writes a thousand before main is called. So the helper is forked before that: after the C library has been set up, and
// before anything of heddle's and LLVM's.
__attribute__((constructor(101))) static void startHelperFirst(int argc, char** argv, char**) {
  std::set_terminate(heddle::cli::endWithException);
  const auto isWord = [&](int i, std::string_view word) { return i < argc && word == argv[i]; };
  if (!isWord(1, "check") && !isWord(1, "test") && !isWord(1, "resume") && !isWord(1, "replay")) return;
  for (int i = 2; i < argc; ++i) {
    if (isWord(i, "--sandbox=off") || (isWord(i, "--sandbox") && isWord(i + 1, "off"))) return;
  }
  heddle::sandbox::startHelper();
}

int main(int argc, char** argv) {
  using namespace heddle::cli;
  int code = kInternalError;
  try {
    code = run(argc, argv);
  } catch (...) {
    code = explainException();
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("heddle: cannot write the output");
    if (code == kNoError) code = kIncomplete;
  }
#ifdef __SANITIZE_ADDRESS__
  return code;
#else
  // Nothing of what LLVM and clang would take down piece by piece outlives the process.
  std::fflush(stderr);
  heddle::sandbox::awaitHelper();
  _exit(code);
#endif
}
