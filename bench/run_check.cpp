#include "bench/run_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace heddle::bench {

namespace {

using nlohmann::json;

struct Output {
  std::string text;
  double cpuSeconds = 0;
};

std::string readAll(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t n = read(file, buffer.data(), buffer.size());
    if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR)) return text;
  }
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

Output outputOf(const std::string& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string shell = "sh", dashC = "-c", text = command;
  std::array<char*, 4> arguments = {shell.data(), dashC.data(), text.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Output output;
  if (failure == 0) output.text = readAll(ends[0]);
  close(ends[0]);
  if (failure != 0) throw std::system_error(failure, std::generic_category(), "cannot run " + command);
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  output.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return output;
}

}  // namespace

CheckRun runCheck(const std::string& source, const std::string& options, const std::string& flags) {
  const std::string command = fmt::format("'{}' check --json --progress off {} '{}'{}{}", HEDDLE_EXECUTABLE, options, source,
                                          flags.empty() ? "" : " -- ", flags);
  const Output output = outputOf(command);
  const json result = json::parse(output.text, nullptr, false);
  if (result.is_discarded()) throw std::runtime_error("no JSON from " + command);
  CheckRun run{.verdict = result.at("verdict"),
               .message = {},
               .executions = result.at("executions"),
               .blocked = result.at("blocked"),
               .seconds = result.at("seconds"),
               .totalSeconds = result.at("totalSeconds"),
               .cpuSeconds = output.cpuSeconds,
               .peakBytes = result.at("peakBytes")};
  if (const auto error = result.find("error"); error != result.end() && error->is_object()) {
    run.message = error->at("message");
  } else if (const auto reason = result.find("incomplete"); reason != result.end() && reason->is_string()) {
    run.message = *reason;
  }
  return run;
}

CheckRun bestCheck(const std::string& source, const std::string& options, const std::string& flags, unsigned runs) {
  CheckRun best = runCheck(source, options, flags);
  for (unsigned i = 1; i < runs; ++i) {
    CheckRun again = runCheck(source, options, flags);
    if (again.seconds < best.seconds) best = std::move(again);
  }
  return best;
}

}  // namespace heddle::bench
