// The comparison, and what is said about a difference. See fuzz.h.
#include "fuzz.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "litmus/test.h"
#include "mixed.h"
#include "model/library.h"
#include "oracle.h"
#include "shrink.h"

namespace heddle::oracle {

namespace {

constexpr std::size_t candidateLimit = 20000;
constexpr std::size_t dependentLimit = 100000;  // nothing is passed over
constexpr std::size_t mixedStepLimit = 20000;

void compareRace(const OracleResult& expected, bool found, Difference& difference) {
  if (expected.race && !found) difference.note = "the oracle finds a data race, the explorer none";
  if (!expected.race && found) difference.note = "the explorer finds a data race, the oracle none";
}

std::vector<const model::Model*> pointersTo(const std::vector<NamedModel>& models) {
  std::vector<const model::Model*> pointers;
  for (const NamedModel& m : models) pointers.push_back(&m.model);
  return pointers;
}

bool knowDependencies(const std::vector<NamedModel>& models) {
  return std::ranges::any_of(models, [](const NamedModel& m) { return hasDependencies(m.model); });
}

std::vector<OracleResult> askOracle(Program& program, const std::vector<NamedModel>& models, std::size_t limit) {
  return runOracle(program, pointersTo(models), limit, !knowDependencies(models));
}

void printKeys(std::ostream& out, const char* title, const std::vector<std::string>& keys) {
  constexpr std::size_t most = 20;
  if (keys.empty()) return;
  out << title << " (" << keys.size() << "):\n";
  for (std::size_t i = 0; i < std::min(most, keys.size()); ++i) out << "  " << keys[i] << "\n";
  if (keys.size() > most) out << "  and " << keys.size() - most << " more\n";
}

void printDifference(std::ostream& out, const Difference& d) {
  if (!d.note.empty()) out << d.note << "\n";
  printKeys(out, "missing", d.missing);
  printKeys(out, "too many", d.extra);
  printKeys(out, "reported too often", d.repeated);
}

}  // namespace

namespace {

bool isStuck(const std::string& key) { return key.starts_with("stuck:") || key.starts_with("failed:stuck:"); }
bool isFailed(const std::string& key) { return key.starts_with("failed:"); }

// What is left when blocked executions may be left out: the others, and whether anything fails.
Difference compareLive(OracleResult expected, std::vector<std::string> found) {
  const bool fails = std::ranges::any_of(expected.coKeys, isFailed);
  const bool foundFails = std::ranges::any_of(found, isFailed);
  std::set<std::string> stuck;
  for (const std::string& key : found) {
    if (isStuck(key)) stuck.insert(key);
  }
  Difference difference;
  for (const std::string& key : stuck) {
    if (!expected.coKeys.contains(key)) difference.extra.push_back(key);
  }
  std::erase_if(expected.coKeys, isStuck);
  std::erase_if(found, isStuck);
  const Difference live = compareKeys(expected, found, "co");
  difference.missing = live.missing;
  difference.repeated = live.repeated;
  difference.extra.insert(difference.extra.end(), live.extra.begin(), live.extra.end());
  difference.equivalence = "live";
  if (fails && !foundFails) difference.note = "the oracle finds an assertion that fails, the explorer none";
  return difference;
}

}  // namespace

Difference compareKeys(const OracleResult& expected, const std::vector<std::string>& found, const std::string& equivalence) {
  if (equivalence == "live") return compareLive(expected, found);
  const std::set<std::string>& keys = equivalence == "co" ? expected.coKeys : expected.rfKeys;
  std::map<std::string, std::size_t> times;
  for (const std::string& key : found) ++times[key];
  Difference difference;
  difference.equivalence = equivalence;
  for (const std::string& key : keys) {
    const std::size_t count = times.contains(key) ? times.at(key) : 0;
    if (count < expected.multiplicity(key)) difference.missing.push_back(key);
    if (count > expected.multiplicity(key)) difference.repeated.push_back(key);
  }
  for (const auto& [key, count] : times) {
    if (!keys.contains(key)) difference.extra.push_back(key);
  }
  return difference;
}

bool isDifferent(const Difference& d) {
  return !d.missing.empty() || !d.extra.empty() || !d.repeated.empty() || !d.note.empty();
}

const std::vector<std::string>& allModelNames() {
  static const std::vector<std::string> names = {"sc", "tso", "pso", "ra", "rc20", "rc11", "c11-orig", "mca-no-lb", "mca-rr"};
  return names;
}

const std::vector<std::string>& allEquivalences() {
  static const std::vector<std::string> names = {"co", "rf", "live"};
  return names;
}

const std::vector<std::string>& dependentModelNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const model::BuiltinModel& builtin : model::builtinModels()) {
      const std::string name(builtin.name);
      if (model::compiledModel(name).hasDependencies) found.push_back(name);
    }
    return found;
  }();
  return names;
}

std::vector<NamedModel> loadModels(const std::vector<std::string>& names) {
  std::vector<NamedModel> models;
  for (const std::string& name : names) models.push_back({name, model::loadModel(name)});
  return models;
}

void FuzzCounts::add(const FuzzCounts& other) {
  programs += other.programs;
  executions += other.executions;
  skipped += other.skipped;
  branching += other.branching;
}

Fuzzer::Fuzzer(std::vector<NamedModel> models, KeyExplorer explorer, std::vector<std::string> equivalences, std::string profile)
    : models_(std::move(models)),
      explorer_(std::move(explorer)),
      equivalences_(std::move(equivalences)),
      profile_(std::move(profile)) {}

std::optional<Difference> Fuzzer::compare(const RandomProgram& source, const std::vector<NamedModel>& models,
                                          const std::vector<std::string>& equivalences, FuzzCounts* counts) const {
  const auto test = litmus::parseLitmus(toLitmus(source, "random"), "random.litmus");
  const auto defined = litmus::parseLitmus(toLitmus(source, "random", Waiting::assume), "random.litmus");
  Program& program = *test.program;
  std::vector<OracleResult> expected;
  try {
    expected = source.mixedSizes
                   ? runMixedOracle(*defined.program, pointersTo(models), mixedStepLimit)
                   : askOracle(*defined.program, models, knowDependencies(models) ? dependentLimit : candidateLimit);
  } catch (const OracleLimit&) {
    if (counts != nullptr) ++counts->skipped;
    return std::nullopt;
  }
  if (counts != nullptr) {
    ++counts->programs;
    for (const OracleResult& result : expected) counts->executions += result.coKeys.size();
    counts->branching += std::ranges::any_of(expected, [](const OracleResult& r) { return r.coKeys.size() > 1; });
  }
  const bool plain = hasPlainAccess(source);
  for (std::size_t m = 0; m < models.size(); ++m) {
    for (const std::string& equivalence : equivalences) {
      Difference difference;
      try {
        program.reset();
        const ExplorerKeys found = explorer_(program, models[m].name, equivalence);
        difference = compareKeys(expected[m], found.keys, equivalence);
        if (plain) compareRace(expected[m], found.race, difference);
      } catch (const std::exception& error) {
        difference.equivalence = equivalence;
        difference.note = std::string("the explorer failed: ") + error.what();
      }
      difference.model = models[m].name;
      if (isDifferent(difference)) return difference;
    }
  }
  return std::nullopt;
}

std::optional<FuzzFailure> Fuzzer::runSeed(std::uint64_t seed) {
  FuzzFailure failure;
  failure.seed = seed;
  failure.original = randomProgram(seed, profile_);
  const std::optional<Difference> first = compare(failure.original, models_, equivalences_, &counts_);
  if (!first) return std::nullopt;
  std::vector<NamedModel> model;
  for (const NamedModel& m : models_) {
    if (m.name == first->model) model.push_back(m);
  }
  failure.difference = *first;
  const auto stillFails = [&](const RandomProgram& candidate) {
    const std::optional<Difference> difference = compare(candidate, model, {first->equivalence}, nullptr);
    if (difference) failure.difference = *difference;
    return difference.has_value();
  };
  failure.program = shrink(failure.original, stillFails);
  return failure;
}

std::string toString(const FuzzFailure& failure) {
  const Difference& d = failure.difference;
  std::ostringstream out;
  out << d.check << ": seed " << failure.seed << ", model " << d.model << ", equivalence " << d.equivalence << ", profile "
      << failure.original.profile << "\n\n"
      << toLitmus(failure.program, "seed" + std::to_string(failure.seed)) << "\n";
  printDifference(out, d);
  return out.str();
}

std::string compareTest(const std::string& text, const std::vector<NamedModel>& models, const KeyExplorer& explorer,
                        const std::string& equivalence) {
  constexpr std::size_t limit = 5000000;
  const auto test = litmus::parseLitmus(text, "test.litmus");
  const std::vector<OracleResult> expected = askOracle(*test.program, models, limit);
  std::ostringstream out;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const auto& keys = equivalence == "rf" ? expected[m].rfKeys : expected[m].coKeys;
    std::size_t count = 0;
    for (const std::string& key : keys) count += expected[m].multiplicity(key);
    out << models[m].name << ": " << count << " executions, ";
    try {
      test.program->reset();
      const ExplorerKeys found = explorer(*test.program, models[m].name, equivalence);
      out << "the explorer has " << found.keys.size() << "\n";
      printDifference(out, compareKeys(expected[m], found.keys, equivalence));
    } catch (const std::exception& error) {
      out << "the explorer failed: " << error.what() << "\n";
    }
  }
  return out.str();
}

}  // namespace heddle::oracle
