// heddle_fuzz: tries random programs of every kind (native_kinds.h) until told to stop or something differs.
//
// A kind's program number i is that of seed S + i, so a failure is reproduced by the kind, its own seed and a count of one.
// Kinds take turns, so that each has its share of the programs whenever the campaign ends. With several jobs each is a process
// that takes every n-th batch of seeds.
//
// With --show there is no campaign: litmus tests are printed, each with what differs, as they are. These are the programs of
// the seeds, or with --test one in a file.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <random>

#include "mixed.h"
#include "native_kinds.h"

namespace {

using namespace heddle::oracle;

struct Options {
  std::uint64_t seed = 0;
  std::uint64_t count = 1000;
  double seconds = 0;  // 0: go by the count
  std::vector<std::string> kinds;
  KindOptions kind;
  unsigned jobs = 1;
  bool show = false;
  std::string test;  // a file
};

// A kind in a campaign of one job.
struct Part {
  const KindInfo* info;
  std::unique_ptr<FuzzKind> kind;  // made when its turn comes first
  std::uint64_t count = 0;         // seeds to try in all jobs; 0: no end
  std::uint64_t next = 0;          // the first seed of the next batch, from that of the campaign
  double turns = 0;                // programs that have had their turn, over the share
};

constexpr std::size_t mostKinds = 32;

struct Outcome {
  FuzzCounts counts[mostKinds];  // by part
  bool failed = false;
};

std::vector<const KindInfo*> chosenKinds(const Options& options) {
  std::vector<const KindInfo*> chosen;
  for (const KindInfo& info : fuzzKinds()) {
    const auto isMeant = [&](const std::string& name) {
      return info.name == name || std::string(info.name).starts_with(name + "-");
    };
    if (options.kinds.empty() || std::ranges::any_of(options.kinds, isMeant)) chosen.push_back(&info);
  }
  return chosen;
}

std::vector<Part> makeParts(const Options& options, unsigned job) {
  std::vector<Part> parts;
  unsigned total = 0;
  for (const KindInfo* info : chosenKinds(options)) total += info->share;
  for (const KindInfo* info : chosenKinds(options)) {
    const std::uint64_t count = options.seconds > 0 ? 0 : (options.count * info->share + total - 1) / total;
    parts.push_back({info, nullptr, count, std::uint64_t{job} * info->batch});
  }
  return parts;
}

// `stop`: some job has found a difference.
Outcome runJob(const Options& options, unsigned job, std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::vector<Part> parts = makeParts(options, job);
  Outcome outcome;
  while (!stop && (options.seconds == 0 || elapsed() < options.seconds)) {
    Part* part = nullptr;
    for (Part& candidate : parts) {
      if (candidate.count != 0 && candidate.next >= candidate.count) continue;
      if (part == nullptr || candidate.turns < part->turns) part = &candidate;
    }
    if (part == nullptr) break;
    if (!part->kind) part->kind = part->info->make(options.kind);
    const std::uint64_t batch = part->info->batch;
    const std::uint64_t count = part->count == 0 ? batch : std::min(batch, part->count - part->next);
    const auto failure = part->kind->run(options.seed + part->next, count);
    outcome.counts[part - parts.data()] = part->kind->counts();
    if (failure) {
      std::cout << part->info->name << ": " << *failure << std::flush;
      outcome.failed = stop = true;
    }
    part->next += batch * options.jobs;
    part->turns += static_cast<double>(count) / part->info->share;
  }
  return outcome;
}

Outcome runJobs(const Options& options) {
  void* const shared = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("cannot share memory");
  std::atomic<bool>& stop = *new (shared) std::atomic<bool>(false);
  if (options.jobs <= 1) return runJob(options, 0, stop);
  std::vector<std::pair<pid_t, int>> children;  // and the pipe each reports to
  for (unsigned job = 0; job < options.jobs; ++job) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("cannot create a pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot create a process");
    if (child == 0) {
      close(ends[0]);
      const Outcome outcome = runJob(options, job, stop);
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
      for (std::size_t i = 0; i < mostKinds; ++i) total.counts[i].add(outcome.counts[i]);
      total.failed |= outcome.failed;
    } else {
      std::cout << "a job ended without a result\n";
      total.failed = true;
    }
  }
  return total;
}

// The models and the explorer are those of kind "dependencies", unless others are asked for.
void show(const Options& options) {
  const auto models = loadModels(options.kind.models.empty() ? dependentModelNames() : options.kind.models);
  const std::string equivalence = options.kind.equivalences.empty() ? "co" : options.kind.equivalences.front();
  const auto compare = [&](const std::string& text) {
    std::cout << text << "\n" << compareTest(text, models, exploreKeys, equivalence) << std::flush;
  };
  if (!options.test.empty()) {
    std::ifstream file(options.test);
    if (!file) throw std::runtime_error("cannot read " + options.test);
    return compare(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  const auto profiles = options.kind.profile.empty() ? dependentProfileNames() : std::vector{options.kind.profile};
  for (std::uint64_t seed = options.seed; seed < options.seed + options.count; ++seed) {
    compare(toLitmus(randomProgram(seed, profiles[seed % profiles.size()]), "seed" + std::to_string(seed)));
  }
}

void print(const std::string& name, const FuzzCounts& counts) {
  std::cout << name << ": " << counts.programs << " programs, " << counts.executions << " executions compared, "
            << counts.skipped << " skipped as too large, " << counts.branching << " with more than one execution\n";
}

std::string kindsText() {
  std::string text = "Kinds, and what must hold:\n";
  for (const KindInfo& info : fuzzKinds()) text += std::string("  ") + info.name + ": " + info.what + "\n";
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.seed = std::random_device{}();
  CLI::App app("Tries random programs of every kind until something differs.");
  app.footer(kindsText());
  app.add_option("--seed", options.seed, "the first seed of each kind (default: random)");
  auto* count = app.add_option("--count", options.count, "how many programs, of all kinds together")->capture_default_str();
  app.add_option("--seconds", options.seconds, "go on for so long instead")->excludes(count);
  app.add_option("--kind", options.kinds,
                 "kinds, or first words of kinds (native, sequential, options), with commas between them (default: all)")
      ->delimiter(',');
  app.add_option("--jobs", options.jobs, "processes")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("--models", options.kind.models, "names of models, with commas between them (default: those of the kind)")
      ->delimiter(',');
  app.add_option("--equivalences", options.kind.equivalences, "co, rf or live, with commas between them (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(allEquivalences()));
  app.add_option("--profile", options.kind.profile, "programs of this mix only (default: of any of the kind)")
      ->check(CLI::IsMember(profileNames()));
  app.add_option("--way", options.kind.way, "of kinds sequential and options: only the ways to check whose name has this text");
  app.add_option("--model-files", options.kind.modelFiles, "of kind large: where the files of the built-in models are");
  app.add_option("--limit", options.kind.limit, "of kind large: pass over a program with more executions under a model")
      ->capture_default_str();
  app.add_flag("--show", options.show, "print the tests of kind dependencies for the seeds, as they are, and what differs");
  app.add_option("--test", options.test, "with --show: the test in this file instead");
  CLI11_PARSE(app, argc, argv);
  const std::vector<const KindInfo*> kinds = chosenKinds(options);
  if (kinds.empty()) {
    std::cerr << "heddle_fuzz: there is no such kind\n" << kindsText();
    return 2;
  }
  const bool isMixed = std::ranges::count(mixedProfileNames(), options.kind.profile) > 0;
  if (isMixed && (kinds.size() != 1 || std::string(kinds[0]->name) != "mixed")) {
    std::cerr << "heddle_fuzz: programs of mixed sizes are of kind mixed: add --kind mixed\n";
    return 2;
  }

  const bool isDependent = std::ranges::count(dependentProfileNames(), options.kind.profile) > 0;
  const auto isCompiled = [](const KindInfo* kind) {
    return std::ranges::count(std::vector<std::string>{"litmus", "dependencies", "large"}, kind->name) == 0;
  };
  if (isDependent && !options.show && std::ranges::any_of(kinds, isCompiled)) {
    std::cerr << "heddle_fuzz: programs with dependencies are litmus tests: add --kind dependencies\n";
    return 2;
  }

  try {
    if (options.show) {
      show(options);
      return 0;
    }
    std::cout << "seed " << options.seed << std::endl;
    const Outcome outcome = runJobs(options);
    FuzzCounts all;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      print(kinds[i]->name, outcome.counts[i]);
      all.add(outcome.counts[i]);
    }
    print("all", all);
    std::cout << (outcome.failed ? "FAILED" : "none different") << std::endl;
    return outcome.failed ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << "heddle_fuzz: " << error.what() << "\n";
    return 2;
  }
}
