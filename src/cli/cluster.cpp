#include "cli/cluster.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <variant>

#include "cli/check_command.h"
#include "cli/exit_code.h"
#include "cli/models.h"
#include "cli/run_control.h"
#include "cli/version.h"
#include "sandbox/helper.h"

namespace heddle::cli {

namespace {

[[noreturn]] void becomeRelay(const Options& options) {
  const std::filesystem::path heddle = std::filesystem::read_symlink("/proc/self/exe");
  const std::string relay = (heddle.parent_path() / "heddle-mpi").string();
  std::vector<std::string> words = {relay, heddle.string()};
  words.insert(words.end(), options.words.begin(), options.words.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(relay.c_str(), arguments.data());
  throw InputError(
      fmt::format("heddle: --mpi needs the program {}: {}. It is built and installed with heddle where MPI is found "
                  "(Debian package libopenmpi-dev); see docs/cluster.md",
                  relay, std::strerror(errno)));
}

}  // namespace

std::unique_ptr<parallel::Cluster> joinCluster(const Options& options) {
  std::unique_ptr<parallel::Relay> relay = parallel::Relay::connect();
  if (!relay) becomeRelay(options);
  return std::make_unique<parallel::Cluster>(std::move(relay), workersOf(options), versionText());
}

std::string textOfWords(const std::vector<std::string>& words) { return nlohmann::json(words).dump(); }

int runForAnother(const Options& options, parallel::Cluster& cluster) {
  // Rank 0 decides what an interrupt means. When it has ended, so has the other side of the sockets.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  if (options.sandbox != "off") sandbox::startHelper();
  const std::optional<std::string> text = cluster.await("command");
  if (!text) return kNoError;
  Options command = optionsOf(nlohmann::json::parse(*text).get<std::vector<std::string>>(), "the command line of rank 0");
  command.jobs = options.jobs;
  command.sandbox = options.sandbox;
  // There is nothing to be shown or kept here.
  command.json = false;
  command.formats.clear();
  command.results.clear();
  command.checkpoint.clear();
  command.save.clear();
  command.progress = "off";
  return runCheckCommand(command, nullptr, &cluster);
}

}  // namespace heddle::cli
