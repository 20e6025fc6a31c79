#include "cli/run_control.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/tool_identity.h"
#include "cli/version.h"
#include "util/fingerprint.h"
#include "util/read_file.h"

namespace heddle::cli {

namespace {

unsigned cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
}

std::string textOf(const std::string& file) { return util::readFile(file).value_or(""); }

}  // namespace

std::string modelIdentity(const std::string& name, const std::string& file) {
  return file.empty() ? name + ' ' : util::fingerprint(textOf(file)) + ' ';
}

unsigned workersOf(const Options& options) { return options.jobs == 0 ? cores() : static_cast<unsigned>(options.jobs); }

parallel::Control runControl(const Options& options, const std::string& program, const parallel::Checkpoint* resumed) {
  parallel::Control control;
  control.workers = workersOf(options);
  control.first = options.first;
  control.seconds = options.time;
  control.bytes = options.memory * 1'000'000;
  control.samples = options.sample;
  control.estimates = options.estimate;
  control.seed = options.seed;
  control.attention = &attentionFlag();
  control.interrupted = &interruptFlag();
  const bool isReplay = resumed != nullptr && resumed->isFailure();
  control.keepsFailure = options.command == "check" && !isReplay && (options.json || !options.save.empty());
  if (options.checkpoint.empty() && !control.keepsFailure && resumed == nullptr) return control;
  control.failureFile = options.save;
  control.checkpointFile = options.checkpoint;
  control.checkpointSeconds = options.checkpointInterval;
  control.about = {.version = versionText(),
                   .executable = util::fingerprint(programIdentity()),
                   .command = resumed != nullptr ? resumed->about.command : options.words,
                   .program = program,
                   .folder = std::filesystem::current_path().string()};
  if (resumed != nullptr) control.resume = *resumed;
  return control;
}

Options optionsOf(const std::vector<std::string>& words, const std::string& what) {
  std::vector<const char*> arguments = {"heddle"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const auto parsed = parseCommandLine(static_cast<int>(arguments.size()), arguments.data());
  const Options* const options = std::get_if<Options>(&parsed);
  if (options == nullptr || (options->command != "check" && options->command != "litmus")) {
    throw InputError(what + " cannot be understood");
  }
  return *options;
}

namespace {

// Of the run that a file is of.
Options savedOptions(const parallel::Checkpoint& checkpoint) {
  return optionsOf(checkpoint.about.command, checkpoint.file + ": error: the command line in this file");
}

}  // namespace

Options resumedOptions(const Options& resume, const parallel::Checkpoint& checkpoint) {
  Options options = savedOptions(checkpoint);
  options.jobs = resume.jobs;
  options.time = resume.time;
  options.memory = resume.memory;
  options.maxExecutions = resume.maxExecutions;
  options.checkpoint = resume.checkpoint.empty() ? checkpoint.file : resume.checkpoint;
  options.checkpointInterval = resume.checkpointInterval;
  options.progress = resume.progress;
  options.sandbox = resume.sandbox;
  options.json = options.json || resume.json;
  return options;
}

Options replayedOptions(const Options& replay, const parallel::Checkpoint& failure) {
  Options options = savedOptions(failure);
  // One execution is left, which needs no other process, no budget and no luck.
  options.jobs = 1;
  options.time = 0;
  options.memory = 0;
  options.maxExecutions = 0;
  options.sample = 0;
  options.estimate = false;
  options.checkpoint.clear();
  options.save.clear();
  options.formats = replay.formats;
  options.results.clear();
  options.progress = "off";
  options.json = replay.json;
  options.color = replay.color;
  options.sandbox = replay.debugged ? "off" : replay.sandbox;
  options.debugged = replay.debugged;
  options.output = options.output || replay.output;
  return options;
}

}  // namespace heddle::cli
