// See native_transactions.h.
#include "native_transactions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "litmus/source.h"
#include "litmus/test.h"
#include "model/library.h"
#include "native_checked.h"
#include "run/run_litmus.h"

namespace heddle::oracle {

namespace {

constexpr std::size_t executionLimit = 2000;

// The programs of a seed have one of these.
const std::vector<TransactionProfile> profiles = {
    {.accesses = 8},
    {.accesses = 8, .plain = true},
    {.accesses = 7, .outside = false},
    {.accesses = 8, .plain = true, .outside = false},
    {.accesses = 7, .single = true},
    {.accesses = 6, .choices = true},
    {.accesses = 7, .aborts = true},
};
const TransactionProfile& profileOf(std::uint64_t seed) { return profiles[seed % profiles.size()]; }

// A final state, whatever the order in which it is written.
std::string normal(const std::string& state) {
  std::set<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] != ';') continue;
    while (begin < i && state[begin] == ' ') ++begin;
    parts.insert(state.substr(begin, i - begin));
    begin = i + 1;
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

struct Found {
  bool complete = true, race = false;
  std::size_t executions = 0;
  std::set<std::string> states;
};

Found litmusOf(const TransactionProgram& program, const std::string& model) {
  const auto test = litmus::parseLitmus(toLitmusWithStates(program), "transactions.litmus");
  run::LitmusOptions options;
  options.maxExecutions = executionLimit;
  options.control.workers = 1;
  const run::Outcome outcome = run::runLitmus(test, model::compiledModel(model), options);
  Found found{.complete = outcome.complete(), .race = run::hasRace(outcome), .executions = outcome.executions, .states = {}};
  for (const std::string& state : outcome.states) found.states.insert(normal(state));
  return found;
}

Found nativeOf(const CheckedFile& file, std::size_t program, const std::string& model, std::uint64_t parts) {
  const CheckedOutcomes outcomes =
      file.explore({std::to_string(program)}, {.model = model, .parts = parts, .limit = executionLimit});
  Found found{.complete = outcomes.complete, .race = outcomes.race, .executions = outcomes.executions, .states = {}};
  for (const std::string& state : outcomes.outcomes) found.states.insert(normal(state));
  return found;
}

// What else a transaction may be, in which programs, without there being another state.
struct Spelling {
  const char* flag;
  std::vector<std::string> flags;
  bool sameCount;
  bool (*isFor)(const TransactionProfile& profile);
};
const std::vector<Spelling> spellings = {
    {"-DHARDWARE", {"-DHARDWARE", "-mrtm"}, true, [](const TransactionProfile&) { return true; }},
    {"-DLOCK", {"-DLOCK"}, false, [](const TransactionProfile& p) { return !p.outside; }},
    {"-DNONE", {"-DNONE"}, true, [](const TransactionProfile& p) { return p.single; }},
};

}  // namespace

std::optional<std::string> TransactionsFuzzer::runSeeds(std::uint64_t first, std::size_t count) {
  std::vector<TransactionProgram> programs;
  for (std::uint64_t seed = first; seed < first + count; ++seed) programs.push_back(randomTransactions(seed, profileOf(seed)));
  const std::string text = toC(programs);
  const auto differs = [&](std::size_t i, const std::string& how, const Found& expected, const Found& found) {
    return fmt::format("seed {}, {}\nexpected {} executions, race {}: {}\nfound {} executions, race {}: {}\n{}\n{}", first + i,
                       how, expected.executions, expected.race, fmt::join(expected.states, " | "), found.executions, found.race,
                       fmt::join(found.states, " | "), toLitmusWithStates(programs[i]), toC({programs[i]}));
  };
  std::vector<Found> underSc(programs.size());
  {
    const CheckedFile file(text, Language::c, {});
    for (std::size_t i = 0; i < programs.size(); ++i) {
      ++counts_.programs;
      for (const std::string& model : models_) {
        const Found expected = litmusOf(programs[i], model);
        if (!expected.complete) {
          ++counts_.skipped;
          continue;
        }
        for (const std::uint64_t parts : {std::uint64_t{0}, first + i + 1}) {
          if (parts != 0 && model != models_.front()) continue;
          const Found found = nativeOf(file, i, model, parts);
          counts_.executions += found.executions;
          counts_.branching += found.executions > 1;
          if (model == "sc") underSc[i] = found;
          const bool same = expected.race == found.race &&
                            (expected.race || (expected.executions == found.executions && expected.states == found.states));
          if (!same) return differs(i, model + (parts != 0 ? " in parts" : ""), expected, found);
        }
      }
    }
  }
  for (const Spelling& spelling : spellings) {
    const CheckedFile file(text, Language::c, {.flags = spelling.flags});
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const Found& expected = underSc[i];
      if (!spelling.isFor(profileOf(first + i)) || !expected.complete || expected.race || expected.executions == 0) continue;
      const Found found = nativeOf(file, i, "sc", 0);
      if (!found.complete) continue;
      const bool same =
          !found.race && expected.states == found.states && (!spelling.sameCount || expected.executions == found.executions);
      if (!same) return differs(i, spelling.flag, expected, found);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::oracle
