// heddle_fuzz: compares the explorer with the oracle on random programs until told to stop or something differs; with
// --large, the explorer with itself on larger ones (self_check.h); with --native, programs printed as C or C++ and run
// natively (native_fuzz.h). A profile of mixed sizes goes to the oracle for them (mixed.h).
//
// Program number i of a run is the program of seed S + i, so a failure is reproduced by its own seed and a
// count of one. With several jobs each is a process that takes every n-th seed.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

#include "fuzz.h"
#include "mixed.h"
#include "mixed_explorer.h"
#include "native_fuzz.h"
#include "self_check.h"

namespace {

using namespace heddle::oracle;

struct Options {
  std::uint64_t seed = 0;
  std::uint64_t count = 1000;
  double seconds = 0;  // 0: go by the count
  std::vector<std::string> models = allModelNames();
  std::vector<std::string> equivalences = allEquivalences();
  unsigned jobs = 1;
  bool large = false;
  std::string modelFiles;
  std::size_t limit = 20000;
  std::string profile;
  std::string native;  // "c" or "cpp"; empty: not
  bool plain = false;
  bool parted = false;
};

bool isMixed(const Options& options) {
  return std::ranges::count(mixedProfileNames(), options.profile) > 0;
}

struct Outcome {
  FuzzCounts counts;
  bool failed = false;
};

// Every `jobs`-th seed from the first of this job on; stops at the first difference.
template <class Checker>
Outcome runSeeds(const Options& options, unsigned job, Checker checker) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (std::uint64_t i = job; options.seconds > 0 ? elapsed() < options.seconds : i < options.count;
       i += options.jobs) {
    if (const auto failure = checker.runSeed(options.seed + i)) {
      std::cout << toString(*failure) << std::flush;
      return {checker.counts(), true};
    }
  }
  return {checker.counts(), false};
}

// A file of programs at a time; every `jobs`-th file.
Outcome runNative(const Options& options, unsigned job) {
  constexpr std::uint64_t programsInFile = 25;
  const Language language = options.native == "c" ? Language::c : Language::cpp;
  NativeFuzzer fuzzer(loadModels(options.models), {.language = language,
                                                   .plain = options.plain,
                                                   .large = options.large,
                                                   .equivalences = options.equivalences,
                                                   .profile = options.profile,
                                                   .partedLocks = options.parted});
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (std::uint64_t i = job * programsInFile; options.seconds > 0 ? elapsed() < options.seconds : i < options.count;
       i += options.jobs * programsInFile) {
    const std::uint64_t count = options.seconds > 0 ? programsInFile : std::min(programsInFile, options.count - i);
    if (const auto failure = fuzzer.runSeeds(options.seed + i, count)) {
      std::cout << toString(*failure, language) << std::flush;
      return {fuzzer.counts(), true};
    }
  }
  return {fuzzer.counts(), false};
}

Outcome runJob(const Options& options, unsigned job) {
  if (!options.native.empty()) return runNative(options, job);
  if (options.large) {
    return runSeeds(options, job, SelfCheck({options.models, options.modelFiles, options.limit, options.profile}));
  }
  if (isMixed(options)) {
    return runSeeds(options, job,
                    Fuzzer(loadMixedModels(options.models), exploreMixedKeys, options.equivalences, options.profile));
  }
  return runSeeds(options, job, Fuzzer(loadModels(options.models), exploreKeys, options.equivalences, options.profile));
}

Outcome runJobs(const Options& options) {
  if (options.jobs <= 1) return runJob(options, 0);
  std::vector<std::pair<pid_t, int>> children;  // and the pipe each reports to
  for (unsigned job = 0; job < options.jobs; ++job) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("cannot create a pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot create a process");
    if (child == 0) {
      close(ends[0]);
      const Outcome outcome = runJob(options, job);
      const bool told = write(ends[1], &outcome, sizeof outcome) == static_cast<ssize_t>(sizeof outcome);
      _exit(told ? 0 : 1);
    }
    close(ends[1]);
    children.emplace_back(child, ends[0]);
  }
  Outcome total;
  for (const auto& [child, pipeEnd] : children) {
    Outcome outcome;
    const bool heard = read(pipeEnd, &outcome, sizeof outcome) == static_cast<ssize_t>(sizeof outcome);
    close(pipeEnd);
    waitpid(child, nullptr, 0);
    if (heard) {
      total.counts.add(outcome.counts);
      total.failed |= outcome.failed;
    } else {
      std::cout << "a job ended without a result\n";
      total.failed = true;
    }
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.seed = std::random_device{}();
  CLI::App app("Compares the explorer with the oracle on random programs.");
  app.add_option("--seed", options.seed, "the first seed (default: random)");
  auto* count = app.add_option("--count", options.count, "how many seeds")->capture_default_str();
  app.add_option("--seconds", options.seconds, "go on for so long instead")->excludes(count);
  auto* models =
      app.add_option("--models", options.models, "names of models, with commas between them")->delimiter(',');
  auto* equivalences =
      app.add_option("--equivalences", options.equivalences, "co, rf or both, with a comma between them")
          ->delimiter(',')
          ->check(CLI::IsMember(allEquivalences()));
  app.add_option("--profile", options.profile, "programs of this mix only (default: of any)")
      ->check(CLI::IsMember(profileNames()));
  app.add_option("--jobs", options.jobs, "processes")->check(CLI::Range(1, 256))->capture_default_str();
  auto* large = app.add_flag("--large", options.large, "larger programs, and the explorer against itself");
  auto* native = app.add_option("--native", options.native, "as C or C++ programs, natively: c or cpp")
                     ->check(CLI::IsMember({"c", "cpp"}));
  app.add_flag("--plain", options.plain, "with --native: plain accesses stay plain, and may race")->needs(native);
  app.add_flag("--parted", options.parted, "with --native: read-write locks in parts, whose own events do not count")
      ->needs(native);
  app.add_option("--model-files", options.modelFiles, "with --large: where the files of the built-in models are")
      ->needs(large);
  app.add_option("--limit", options.limit, "with --large: pass over a program with more executions under a model")
      ->needs(large)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (isMixed(options)) {
    if (options.large || !options.native.empty()) {
      std::cerr << "heddle_fuzz: programs of mixed sizes go to the oracle only: not with --large or --native\n";
      return 2;
    }
    if (models->empty()) options.models = mixedModelNames();
    if (equivalences->empty()) options.equivalences = {"co"};
  }

  std::cout << "seed " << options.seed << std::endl;
  try {
    const Outcome outcome = runJobs(options);
    const FuzzCounts& counts = outcome.counts;
    std::cout << counts.programs << " programs, " << counts.executions << " executions compared, " << counts.skipped
              << " skipped as too large, " << counts.branching << " with more than one execution"
              << (outcome.failed ? "; FAILED" : "") << std::endl;
    return outcome.failed ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << "heddle_fuzz: " << error.what() << "\n";
    return 2;
  }
}
