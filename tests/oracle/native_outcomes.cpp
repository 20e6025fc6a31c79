// See native_outcomes.h.
#include "native_outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "runtime/error.h"
#include "shrink.h"

namespace heddle::oracle {

namespace {

constexpr std::size_t executionLimit = 2000;
constexpr unsigned nativeRuns = 60;

bool any(const Block& block, const std::function<bool(const Statement&)>& holds) {
  return std::ranges::any_of(block,
                             [&](const Statement& s) { return holds(s) || any(s.body, holds) || any(s.otherwise, holds); });
}
bool any(const RandomProgram& program, const std::function<bool(const Statement&)>& holds) {
  return std::ranges::any_of(program.threads, [&](const Block& thread) { return any(thread, holds); });
}

bool hasReasons(const RandomProgram& program) {
  return !any(program, [](const Statement& s) { return s.weak; });
}
bool hasReasons(const Lines& lines) {
  return std::ranges::none_of(lines, [](const Line& line) {
    return line.text.find("pthread_cond_wait") != std::string::npos || !hasReasons(line.body);
  });
}
bool hasReasons(const ThreadedProgram& program) { return hasReasons(program.threads); }

std::vector<OutcomeVariant> makeVariants() {
  const CheckedBuild forRf{.plainLoads = true};
  const CheckedRun rf{.equivalence = explore::Equivalence::rf};
  return {
      {.name = "-j 2", .run = {.parts = 1}},
      {.name = "--equivalence rf", .build = forRf, .run = rf},
      {.name = "a mixed-size access", .mixed = true},
      {.name = "--no-spurious", .run = {.spurious = false}, .reasons = false},
      {.name = "--model sc", .run = {.model = "sc"}, .smaller = true},
      {.name = "--model tso", .run = {.model = "tso"}, .smaller = true},
      {.name = "--races off", .build = {.races = false}},
      {.name = "--races off --equivalence rf", .build = {.races = false, .plainLoads = true}, .run = rf},
      {.name = "--races off, a mixed-size access", .build = {.races = false}, .mixed = true},
      {.name = "-- -O2", .build = {.flags = {"-O2"}}, .smaller = true},
      {.name = "--unroll 1000", .build = {.unroll = 1000}},
      {.name = "--without spin-loops --unroll 3", .build = {.unroll = 3, .waitingLoops = false}, .smaller = true},
      {.name = "--without spin-loops,joined-loads --unroll 3",
       .build = {.unroll = 3, .waitingLoops = false, .joinedLoads = false},
       .smaller = true},
      {.name = "--without zero-net-effect", .run = {.zeroNetEffect = false}},
      {.name = "--without futile-reads", .run = {.skipFutile = false}},
      {.name = "--reduce overtaken-awaits", .run = {.overtakenAwaits = true}, .smaller = true},
      {.name = "--reduce confirmations", .run = {.confirmations = true}, .smaller = true},
      {.name = "assumptions in place of loops", .build = {.flags = {"-DASSUMES"}}, .waits = false, .threaded = true},
      {.name = "bounded loops", .build = {.flags = {"-DBOUNDED"}}, .waits = false, .threaded = true},
      {.name = "a spinlock in place of the mutex",
       .build = {.flags = {"-DSPINLOCK"}},
       .reasons = false,
       .waits = false,
       .threaded = true},
      {.name = "--volatile relaxed", .build = {.volatileRelaxed = true}},
      {.name = "--no-precompiled --ub", .build = {.undefinedBehaviour = true, .precompiled = false}},
      {.name = "threads in the opposite order", .text = {.reversed = true}},
      {.name = "threads in the opposite order, --equivalence rf", .build = forRf, .text = {.reversed = true}, .run = rf},
      {.name = "a struct that is assigned", .text = {.layout = Layout::assigned}},
      {.name = "a struct that is assigned, --races off", .build = {.races = false}, .text = {.layout = Layout::assigned}},
      {.name = "a struct that is assigned, --equivalence rf", .build = forRf, .text = {.layout = Layout::assigned}, .run = rf},
      {.name = "a struct that is moved", .text = {.layout = Layout::moved}},
      {.name = "a struct that is moved, a mixed-size access", .text = {.layout = Layout::moved}, .mixed = true},
      {.name = "a struct that is passed", .text = {.layout = Layout::passed}},
      {.name = "a struct that is passed, --equivalence rf", .build = forRf, .text = {.layout = Layout::passed}, .run = rf},
      {.name = "a struct that is passed, --races off -- -O2",
       .build = {.flags = {"-O2"}, .races = false},
       .text = {.layout = Layout::passed},
       .smaller = true},
  };
}

// Those of the plain way; the file of a variant may be the same one.
const OutcomeVariant plain{.name = "none"};

bool sameFile(const OutcomeVariant& a, const OutcomeVariant& b) { return a.build == b.build && a.text == b.text; }

bool isForC(const OutcomeVariant& variant) { return variant.text.layout != Layout::globals; }

bool areAllInitial(const RandomProgram& program) { return program.initialThreads == program.threads.size(); }

// Can it be printed? Not all can: outcomes are those of threads that main starts, and a candidate may have no threads left.
bool isFit(const RandomProgram& program) { return areAllInitial(program); }
bool isFit(const ThreadedProgram& program) {
  return std::ranges::all_of(program.threads,
                             [](const Line& line) { return !line.end.empty() && line.text.find("* @T") != std::string::npos; });
}

RandomProgram adapted(const RandomProgram& program) { return forNative(program); }
ThreadedProgram adapted(const ThreadedProgram& program) { return program; }

void generate(std::uint64_t seed, const std::string& profile, RandomProgram& program) {
  program = forNative(randomProgram(seed, profile));
}
void generate(std::uint64_t seed, const std::string&, ThreadedProgram& program) { program = randomThreaded(seed); }

// The programs of the seeds that have an outcome to print.
template <class AnyProgram>
struct Generated {
  std::vector<AnyProgram> programs;
  std::vector<std::uint64_t> seeds;

  Generated(std::uint64_t first, std::size_t count, const std::string& profile) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      AnyProgram program;
      generate(seed, profile, program);
      if (!isFit(program)) continue;
      programs.push_back(std::move(program));
      seeds.push_back(seed);
    }
  }
};

bool isWaiting(const std::string& outcome) {
  return outcome.starts_with(runtime::name(runtime::ErrorKind::deadlock)) ||
         outcome.starts_with(runtime::name(runtime::ErrorKind::nonTermination));
}

// What is wrong with the outcomes of a variant; nothing: none.
template <class AnyProgram>
std::optional<OutcomeFailure<AnyProgram>> difference(const CheckedOutcomes& expected, const CheckedOutcomes& found,
                                                     const OutcomeVariant& variant) {
  OutcomeFailure<AnyProgram> failure;
  if (expected.race != found.race && !found.unsupported) {
    failure.note = found.race ? "a data race is reported that there is not otherwise" : "a data race is not reported";
    return failure;
  }
  if (found.race || !found.complete || found.unsupported) return std::nullopt;
  std::ranges::set_difference(found.outcomes, expected.outcomes, std::back_inserter(failure.extra));
  if (!variant.smaller) std::ranges::set_difference(expected.outcomes, found.outcomes, std::back_inserter(failure.missing));
  if (!variant.waits) {
    std::erase_if(failure.extra, isWaiting);
    std::erase_if(failure.missing, isWaiting);
  }
  if (variant.run.parts != 0 && std::tie(found.executions, found.blocked) != std::tie(expected.executions, expected.blocked)) {
    failure.note = fmt::format("in parts {} executions and {} blocked ones, as a whole {} and {}", found.executions,
                               found.blocked, expected.executions, expected.blocked);
  }
  if (failure.extra.empty() && failure.missing.empty() && failure.note.empty()) return std::nullopt;
  return failure;
}

}  // namespace

const std::vector<OutcomeVariant>& outcomeVariants() {
  static const std::vector<OutcomeVariant> all = makeVariants();
  return all;
}

CheckedOutcomes exploreOutcomes(const CheckedFile& file, std::size_t program, const OutcomeVariant& variant) {
  std::vector<std::string> arguments = {std::to_string(program)};
  if (variant.mixed) arguments.push_back("mixed");
  CheckedRun run = variant.run;
  run.limit = executionLimit;
  if (run.parts != 0) run.parts += program;
  return file.explore(arguments, run);
}

template <class AnyProgram>
std::optional<OutcomeFailure<AnyProgram>> OptionsFuzzer<AnyProgram>::compare(std::span<const AnyProgram> programs,
                                                                             std::span<const std::uint64_t> seeds,
                                                                             std::span<const OutcomeVariant> variants,
                                                                             bool counted) {
  constexpr bool hasLayouts = std::is_same_v<AnyProgram, RandomProgram>;
  std::vector<CheckedOutcomes> expected(programs.size());
  std::vector<const OutcomeVariant*> rest = {&plain};
  for (const OutcomeVariant& variant : variants) {
    if (hasLayouts && variant.threaded) continue;
    if ((hasLayouts && language_ == Language::c) || !isForC(variant)) rest.push_back(&variant);
  }
  while (!rest.empty()) {
    const OutcomeVariant first = *rest.front();
    const CheckedFile file(toOutcomes(programs, language_, first.text), language_, first.build);
    std::vector<const OutcomeVariant*> later;
    for (const OutcomeVariant* variant : rest) {
      if (!sameFile(*variant, first)) {
        later.push_back(variant);
        continue;
      }
      for (std::size_t i = 0; i < programs.size(); ++i) {
        const bool isPlain = variant == &plain;
        if (!variant->reasons && !hasReasons(programs[i])) continue;
        if (!isPlain && (!expected[i].complete || expected[i].unsupported ||
                         (expected[i].race && (!variant->build.races || variant->smaller))))
          continue;
        std::optional<Failure> failure;
        try {
          const CheckedOutcomes found = explorer_(file, i, *variant);
          if (isPlain)
            expected[i] = found;
          else
            failure = difference<AnyProgram>(expected[i], found, *variant);
          if (counted && isPlain) {
            ++(found.complete ? counts_.programs : counts_.skipped);
            counts_.branching += found.executions > 1;
          }
          if (counted) counts_.executions += found.executions;
        } catch (const std::exception& error) {
          failure.emplace();
          failure->note = error.what();
        }
        if (!failure) continue;
        failure->seed = seeds[i];
        failure->program = programs[i];
        failure->language = language_;
        failure->text = variant->text;
        failure->variant = variant->name;
        return failure;
      }
    }
    rest = std::move(later);
  }
  return std::nullopt;
}

template <class AnyProgram>
std::optional<OutcomeFailure<AnyProgram>> OptionsFuzzer<AnyProgram>::runSeeds(std::uint64_t first, std::size_t count) {
  const auto [programs, seeds] = Generated<AnyProgram>(first, count, profile_);
  if (programs.empty()) return std::nullopt;
  std::vector<OutcomeVariant> asked;
  for (const OutcomeVariant& variant : outcomeVariants()) {
    if (variant.name.find(way_) != std::string::npos) asked.push_back(variant);
  }
  std::optional<Failure> failure = compare(programs, seeds, asked, true);
  if (!failure) return std::nullopt;
  std::vector<OutcomeVariant> variant;
  for (const OutcomeVariant& candidate : outcomeVariants()) {
    if (candidate.name == failure->variant) variant.push_back(candidate);
  }
  const Failure original = *failure;
  const auto stillFails = [&](const AnyProgram& candidate) {
    const AnyProgram program = adapted(candidate);
    if (!isFit(program)) return false;
    std::optional<Failure> found;
    try {
      found = compare({&program, 1}, {&original.seed, 1}, variant, false);
    } catch (const std::exception&) {
      return false;
    }
    if (!found || found->note.empty() != original.note.empty() || found->variant != original.variant) return false;
    failure = found;
    return true;
  };
  shrink(original.program, stillFails);
  return failure;
}

namespace {

// Natively it must come to an end.
bool canBeRun(const RandomProgram& program) {
  return areAllInitial(program) && !hasPlainAccess(program) && !any(program, [](const Statement& s) {
           const bool locks = s.kind == StatementKind::critical || s.kind == StatementKind::attempt;
           return (locks && s.unlock != Unlock::always) || s.kind == StatementKind::await;
         });
}

bool mayWaitForEver(const CheckedOutcomes& outcomes) { return std::ranges::any_of(outcomes.outcomes, isWaiting); }

}  // namespace

std::vector<std::string> unexplained(const std::string& output, const CheckedOutcomes& allowed) {
  std::set<std::string> seen;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) seen.insert(line + "\n");
  std::vector<std::string> result;
  for (const std::string& outcome : seen) {
    const auto isThis = [&](const std::string& known) {
      return outcome == "assertion\n" ? known.starts_with(runtime::name(runtime::ErrorKind::assertion)) : known == outcome;
    };
    if (std::ranges::none_of(allowed.outcomes, isThis)) result.push_back(outcome);
  }
  return result;
}

std::optional<OutcomeFailure<RandomProgram>> HostFuzzer::compare(std::span<const RandomProgram> programs,
                                                                 std::span<const std::uint64_t> seeds, bool counted) {
  const std::string text = toOutcomes(programs, language_);
  std::vector<CheckedOutcomes> expected;
  {
    const CheckedFile file(text, language_, {});
    for (std::size_t i = 0; i < programs.size(); ++i) {
      expected.push_back(exploreOutcomes(file, i, {.name = "--model " + model_, .run = {.model = model_}}));
    }
  }
  const TemporaryFolder folder;
  const std::string executable = compiler_.compile(text, {"-DHOST"}, folder);
  if (executable.empty()) throw std::runtime_error("a program does not compile natively");
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!expected[i].complete || expected[i].race || mayWaitForEver(expected[i])) {
      counts_.skipped += counted ? 1 : 0;
      continue;
    }
    const std::optional<std::string> output = outputOf(executable, {std::to_string(i), std::to_string(nativeRuns)});
    OutcomeFailure<RandomProgram> failure{seeds[i], programs[i], language_, {}, "native runs against --model " + model_,
                                          {},       {},          {}};
    if (!output) failure.note = "natively the program crashes or does not end";
    failure.extra = unexplained(output.value_or(""), expected[i]);
    if (counted) {
      ++counts_.programs;
      counts_.executions += nativeRuns;
      counts_.branching += expected[i].outcomes.size() > 1;
    }
    if (!failure.extra.empty() || !failure.note.empty()) return failure;
  }
  return std::nullopt;
}

std::optional<OutcomeFailure<RandomProgram>> HostFuzzer::runSeeds(std::uint64_t first, std::size_t count) {
  auto [programs, seeds] = Generated<RandomProgram>(first, count, "");
  for (std::size_t i = programs.size(); i-- > 0;) {
    programs[i] = withoutPlain(programs[i]);
    if (canBeRun(programs[i])) continue;
    programs.erase(programs.begin() + static_cast<std::ptrdiff_t>(i));
    seeds.erase(seeds.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (programs.empty()) return std::nullopt;
  std::optional<OutcomeFailure<RandomProgram>> failure = compare(programs, seeds, true);
  if (!failure) return std::nullopt;
  const OutcomeFailure<RandomProgram> original = *failure;
  const auto stillFails = [&](const RandomProgram& candidate) {
    const RandomProgram program = withoutPlain(forNative(candidate));
    if (!canBeRun(program)) return false;
    const std::optional<OutcomeFailure<RandomProgram>> found = compare({&program, 1}, {&original.seed, 1}, false);
    if (!found || found->note.empty() != original.note.empty()) return false;
    failure = found;
    return true;
  };
  shrink(original.program, stillFails);
  return failure;
}

namespace {

std::string titleOf(const RandomProgram& program) {
  return "profile " + program.profile + "\n\n" + toLitmus(program, "random");
}
std::string titleOf(const ThreadedProgram&) { return ""; }

}  // namespace

template <class AnyProgram>
std::string toString(const OutcomeFailure<AnyProgram>& failure) {
  std::string text = "A program has other outcomes.\nseed " + std::to_string(failure.seed) + ", " + failure.variant + "\n" +
                     failure.note + (failure.note.empty() ? "" : "\n");
  for (const std::string& outcome : failure.missing) text += "missing: " + outcome + "\n";
  for (const std::string& outcome : failure.extra) text += "extra: " + outcome + "\n";
  return text + titleOf(failure.program) + "\n" +
         toOutcomes(std::span<const AnyProgram>(&failure.program, 1), failure.language, failure.text);
}

template class OptionsFuzzer<RandomProgram>;
template class OptionsFuzzer<ThreadedProgram>;
template std::string toString(const OutcomeFailure<RandomProgram>&);
template std::string toString(const OutcomeFailure<ThreadedProgram>&);

}  // namespace heddle::oracle
