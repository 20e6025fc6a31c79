#include "symmetry_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <unordered_map>

#include "explore/symmetry.h"
#include "litmus/test.h"
#include "model/library.h"
#include "oracle.h"
#include "shrink.h"

namespace heddle::oracle {

namespace {

constexpr std::size_t candidateLimit = 20000;
constexpr unsigned mostEvents = 9;

// The program with its last thread so many times.
RandomProgram withCopies(RandomProgram program, unsigned copies) {
  for (unsigned i = 1; i < copies; ++i) program.threads.push_back(program.threads.back());
  program.initialThreads = static_cast<unsigned>(program.threads.size());
  return program;
}

bool has(const Block& block, StatementKind kind) {
  return std::ranges::any_of(block,
                             [&](const Statement& s) { return s.kind == kind || has(s.body, kind) || has(s.otherwise, kind); });
}

// Choices are not in keys, and threads that are spawned are there once.
bool isSuitable(const RandomProgram& program) {
  return program.initialThreads == program.threads.size() && std::ranges::none_of(program.threads, [](const Block& thread) {
           return has(thread, StatementKind::choose) || has(thread, StatementKind::spawn);
         });
}

// At most, in one execution.
unsigned eventsIn(const Block& block) {
  unsigned events = 0;
  for (const Statement& s : block) {
    switch (s.kind) {
      case StatementKind::load:
      case StatementKind::store:
      case StatementKind::fence: ++events; break;
      case StatementKind::rmw:
      case StatementKind::cas: events += 2; break;
      case StatementKind::critical:
      case StatementKind::attempt: events += 3; break;
      default: break;
    }
    events += eventsIn(s.body) + eventsIn(s.otherwise);
  }
  return events;
}

// As many copies as the oracle can bear, by turns; 0: the program is too large for two.
unsigned copiesOf(const RandomProgram& program, std::uint64_t seed) {
  unsigned others = 0;
  for (std::size_t t = 0; t + 1 < program.threads.size(); ++t) others += eventsIn(program.threads[t]);
  const unsigned own = std::max(1u, eventsIn(program.threads.back()));
  if (others + 2 * own > mostEvents) return 0;
  const unsigned most = std::clamp((mostEvents - others) / own, 2u, 4u);
  return 2 + static_cast<unsigned>(seed / 3 % (most - 1));
}

std::size_t numberAt(const std::string& text, std::size_t at, unsigned& number) {
  const char* const begin = text.data() + at;
  return at + static_cast<std::size_t>(std::from_chars(begin, text.data() + text.size(), number).ptr - begin);
}

// A small program: a thread of it, or two, and copies of one.
RandomProgram smallProgram(std::uint64_t seed, const std::string& profile) {
  RandomProgram program = randomProgram(seed, profile);
  const std::size_t others = seed % 3;
  if (program.threads.size() > others + 1) {
    program.threads.resize(others + 1);
    program.initialThreads = std::min(program.initialThreads, static_cast<unsigned>(others + 1));
  }
  return program;
}

}  // namespace

std::string exchanged(const std::string& key, const std::vector<unsigned>& names) {
  const std::size_t bar = std::min(key.find('|'), key.size());
  std::string prefix;
  std::map<unsigned, std::string> threads;
  std::size_t at = key.find_first_of("0123456789[");
  if (at == std::string::npos || at > bar) return key;
  prefix = key.substr(0, at);
  // An event of another thread, after `<` or in an order: T.I
  const auto renameEvent = [&](std::size_t from, std::string& text) {
    unsigned thread = 0;
    const std::size_t end = numberAt(key, from, thread);
    text += std::to_string(names.at(thread));
    return end;
  };
  while (at < bar) {
    unsigned thread = 0;
    at = numberAt(key, at, thread);
    std::string events;
    while (key[at] != ']') {
      events += key[at];
      const bool names_event = key[at] == '<' && key[at + 1] != 'i';
      ++at;
      if (names_event) at = renameEvent(at, events);
    }
    ++at;
    threads[names.at(thread)] = events;
  }
  std::string result = prefix;
  for (const auto& [thread, events] : threads) result += fmt::format("{}{}]", thread, events);
  while (at < key.size()) {
    result += key[at];
    const bool names_event = key[at] == ':' || key[at] == ',';
    ++at;
    if (names_event && at < key.size() && key[at] != ';') at = renameEvent(at, result);
  }
  return result;
}

std::string classOf(const std::string& key, unsigned first, unsigned count) {
  std::vector<unsigned> names(count);
  std::iota(names.begin(), names.end(), 0u);
  std::string least = key;
  do least = std::min(least, exchanged(key, names));
  while (std::next_permutation(names.begin() + first, names.end()));
  return least;
}

SymmetryCheck::SymmetryCheck(std::vector<NamedModel> models, std::vector<std::string> equivalences, std::string profile)
    : models_(std::move(models)), equivalences_(std::move(equivalences)), profile_(std::move(profile)) {
  for (const NamedModel& model : models_) compiled_.push_back(model::compiledModel(model.name));
}

std::optional<Difference> SymmetryCheck::compare(const RandomProgram& source, std::uint64_t seed,
                                                 const std::vector<NamedModel>& models,
                                                 const std::vector<std::string>& equivalences, FuzzCounts* counts) {
  const auto others = static_cast<unsigned>(source.threads.size()) - 1;
  const unsigned copies = copiesOf(source, seed);
  if (copies == 0) return std::nullopt;
  const unsigned threads = others + copies;
  const RandomProgram whole = withCopies(source, copies);
  const auto test = litmus::parseLitmus(toLitmus(whole, "random"), "random.litmus");
  const auto defined = litmus::parseLitmus(toLitmus(whole, "random", Waiting::assume), "random.litmus");
  Program& program = *test.program;
  std::vector<const model::Model*> pointers;
  for (const NamedModel& model : models) pointers.push_back(&model.model);
  std::vector<OracleResult> all;
  try {
    all = runOracle(*defined.program, pointers, candidateLimit);
  } catch (const OracleLimit&) {
    if (counts != nullptr) ++counts->skipped;
    return std::nullopt;
  }
  explore::AlikeThreads alike;
  alike.initial.emplace_back();
  for (unsigned t = others; t < threads; ++t) alike.initial[0].push_back(static_cast<ThreadId>(t));
  if (counts != nullptr) {
    ++counts->programs;
    for (const OracleResult& result : all) counts->executions += result.coKeys.size();
    counts->branching += std::ranges::any_of(all, [](const OracleResult& r) { return r.coKeys.size() > 1; });
  }
  std::unordered_map<std::string, std::string> classes;  // of keys that have come up: models have most executions in common
  const auto inClass = [&](const std::string& key) -> const std::string& {
    const auto [known, isNew] = classes.try_emplace(key);
    if (isNew) known->second = classOf(key, others, threads);
    return known->second;
  };
  const auto classesOf = [&](const std::set<std::string>& keys) {
    std::set<std::string> found;
    for (const std::string& key : keys) found.insert(inClass(key));
    return found;
  };
  for (std::size_t m = 0; m < models.size(); ++m) {
    OracleResult expected;
    expected.coKeys = classesOf(all[m].coKeys);
    expected.rfKeys = classesOf(all[m].rfKeys);
    expected.race = all[m].race;
    for (const auto& [key, times] : all[m].repeated) expected.repeated[inClass(key)] = 0;
    if (counts != nullptr) classes_ += expected.coKeys.size();
    for (const std::string& equivalence : equivalences) {
      Difference difference;
      try {
        program.reset();
        const auto compiled = std::ranges::find(models_, models[m].name, &NamedModel::name) - models_.begin();
        ExplorerKeys found = exploreWith(program, compiled_[static_cast<std::size_t>(compiled)],
                                         {.equivalence = equivalence, .split = seed % 2 == 0 ? 0 : seed, .alike = &alike});
        const auto& theirs = equivalence == "rf" ? all[m].rfKeys : all[m].coKeys;
        std::vector<std::string> unknown;
        for (std::string& key : found.keys) {
          if (!theirs.contains(key)) unknown.push_back(key);
          key = inClass(key);
        }
        // What the oracle has several times may come several times.
        for (auto& [key, times] : expected.repeated) {
          times = std::max<std::size_t>(1, static_cast<std::size_t>(std::ranges::count(found.keys, key)));
        }
        difference = compareKeys(expected, found.keys, equivalence);
        difference.extra.insert(difference.extra.end(), unknown.begin(), unknown.end());
        if (hasPlainAccess(whole) && expected.race != found.race) {
          difference.note =
              expected.race ? "the oracle finds a data race, the explorer none" : "only the explorer finds a data race";
        }
      } catch (const std::exception& error) {
        difference.equivalence = equivalence;
        difference.note = std::string("the explorer failed: ") + error.what();
      }
      difference.check =
          fmt::format("The explorer does not have one execution of each class, with {} copies of the last thread", copies);
      difference.model = models[m].name;
      if (isDifferent(difference)) return difference;
    }
  }
  return std::nullopt;
}

std::optional<FuzzFailure> SymmetryCheck::runSeed(std::uint64_t seed) {
  FuzzFailure failure;
  failure.seed = seed;
  failure.original = smallProgram(seed, profile_);
  if (!isSuitable(failure.original)) return std::nullopt;
  const std::optional<Difference> first = compare(failure.original, seed, models_, equivalences_, &counts_);
  if (!first) return std::nullopt;
  std::vector<NamedModel> model;
  for (const NamedModel& m : models_) {
    if (m.name == first->model) model.push_back(m);
  }
  failure.difference = *first;
  const auto stillFails = [&](const RandomProgram& candidate) {
    if (candidate.threads.empty() || !isSuitable(candidate)) return false;
    const std::optional<Difference> difference = compare(candidate, seed, model, {first->equivalence}, nullptr);
    if (difference) failure.difference = *difference;
    return difference.has_value();
  };
  failure.program = shrink(failure.original, stillFails);
  return failure;
}

}  // namespace heddle::oracle
