// The checks of self_check.h. All of them are comparisons of sorted lists of keys.
#include "self_check.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "litmus/test.h"
#include "model/cat.h"
#include "model/library.h"
#include "shrink.h"

namespace heddle::oracle {

namespace {

// The first is stronger than the second: all its executions are executions of the second.
constexpr std::array<std::array<const char*, 2>, 7> inclusions = {{
    {"sc", "tso"},
    {"tso", "pso"},
    {"tso", "ra"},
    {"pso", "mca-no-lb"},
    {"mca-no-lb", "mca-rr"},
    {"mca-rr", "rc20"},
    {"rc11", "rc20"},
}};

using Keys = std::vector<std::string>;

Keys sorted(Keys keys) {
  std::ranges::sort(keys);
  return keys;
}

Keys minus(const Keys& a, const Keys& b) {
  Keys result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

Keys repeatedIn(const Keys& keys) {
  Keys result;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i] == keys[i - 1]) result.push_back(keys[i]);
  }
  return result;
}

// What is left of keys, each once.
Keys partsOf(const Keys& keys, std::string (*part)(const std::string&)) {
  Keys parts;
  for (const std::string& key : keys) parts.push_back(part(key));
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::string readsFromPart(const std::string& coKey) { return coKey.substr(0, coKey.find('|')); }

// Other numbers: backwards, or far apart, so that the clocks need more than one chunk.
std::vector<unsigned> otherNumbers(const RandomProgram& program) {
  const bool apart = program.locations.size() % 2 != 0;
  const unsigned initial = program.initialThreads, threads = static_cast<unsigned>(program.threads.size());
  std::vector<unsigned> names;
  for (unsigned t = 0; t < initial; ++t) names.push_back(apart ? 5 * t + 3 : initial - 1 - t);
  const unsigned first = apart ? 5 * initial : initial;
  for (unsigned t = initial; t < threads; ++t) names.push_back(first + threads - 1 - t);
  return names;
}

}  // namespace

SelfCheck::SelfCheck(const SelfCheckOptions& options, ModelExplorer explorer)
    : limit_(options.limit), profile_(options.profile), explorer_(std::move(explorer)) {
  for (const std::string& name : options.models) {
    CheckedModel model{compile(model::loadModel(name)), {}};
    if (!options.modelFiles.empty()) {
      model.fromFile = compile(model::loadModel(options.modelFiles + "/" + name + ".cat"));
    } else {
      for (const model::BuiltinModel& builtin : model::builtinModels()) {
        if (builtin.name == name) model.fromFile = compile(model::parseCat(std::string(builtin.text), name + ".cat"));
      }
    }
    model.fromFile.interpreted = true;
    if (!model.builtin.builtin || model.fromFile.builtin) throw std::invalid_argument(name + " is not built in");
    models_.emplace(name, std::move(model));
  }
}

std::optional<Difference> SelfCheck::checkModel(const RandomProgram& source, Program& program, const CheckedModel& model,
                                                Keys& keys, bool& complete) const {
  Difference d;
  const auto explore = [&](Program& p, const model::CompiledModel& m, KeyOptions options) {
    p.reset();
    options.limit = limit_;
    d.equivalence = options.equivalence;
    return explorer_(p, m, options);
  };
  const auto differs = [&](const std::string& check, const Keys& expected, const ExplorerKeys& found, bool race) {
    const Keys all = sorted(found.keys);
    d.check = check;
    d.repeated = repeatedIn(all);
    d.missing = minus(expected, all);
    d.extra = minus(all, expected);
    if (found.race != race) d.note = race ? "a data race is not found" : "a data race is found here only";
    return isDifferent(d);
  };
  const bool plain = hasPlainAccess(source);
  const ExplorerKeys base = explore(program, model.builtin, {});
  complete = base.complete;
  if (!complete) return std::nullopt;
  keys = sorted(base.keys);
  if (!plain && base.race) {
    d.note = "a data race without a plain access";
    return d;
  }
  if (differs("An execution comes twice", keys, base, base.race)) return d;

  const ExplorerKeys readsFrom = explore(program, model.builtin, {.equivalence = "rf"});
  const Keys parts = partsOf(keys, readsFromPart);
  if (differs("The rf equivalence differs from the co equivalence", parts, readsFrom, base.race)) return d;
  if (differs("The coherence orders of the rf equivalence differ from the co equivalence", keys,
              explore(program, model.builtin, {.equivalence = "rf", .everyCoherence = true}), base.race)) {
    return d;
  }
  if (differs("The last writes under the rf equivalence differ from those under the co equivalence", partsOf(keys, endOf),
              explore(program, model.builtin, {.equivalence = "rf", .everyEnd = true}), base.race)) {
    return d;
  }

  const ExplorerKeys interpreted = explore(program, model.fromFile, {});
  if (differs("The interpreted model differs from the generated one", keys, interpreted, base.race)) return d;
  if (interpreted.keys != base.keys) {
    d.note = "the executions come in another order";
    return d;
  }

  const std::vector<unsigned> names = otherNumbers(source);
  const auto test = litmus::parseLitmus(toLitmus(renumberThreads(source, names), "renumbered"), "renumbered.litmus");
  const char* const renumbered = "The order of the threads matters";
  if (differs(renumbered, keys, explore(*test.program, model.builtin, {.names = names}), base.race)) return d;
  if (differs(renumbered, parts, explore(*test.program, model.builtin, {.equivalence = "rf", .names = names}), base.race)) {
    return d;
  }
  return std::nullopt;
}

std::optional<Difference> SelfCheck::check(const RandomProgram& source, FuzzCounts* counts) const {
  const auto test = litmus::parseLitmus(toLitmus(source, "large"), "large.litmus");
  std::map<std::string, Keys> found;
  std::size_t most = 0;
  for (const auto& [name, model] : models_) {
    Keys keys;
    bool complete = true;
    std::optional<Difference> difference;
    try {
      difference = checkModel(source, *test.program, model, keys, complete);
    } catch (const std::exception& error) {
      difference.emplace();
      difference->check = "The explorer fails";
      difference->note = error.what();
    }
    if (difference) {
      difference->model = name;
      return difference;
    }
    if (!complete) {
      if (counts != nullptr) ++counts->skipped;
      continue;
    }
    if (counts != nullptr) counts->executions += keys.size();
    most = std::max(most, keys.size());
    found.emplace(name, std::move(keys));
  }
  for (const auto& [stronger, weaker] : inclusions) {
    const auto strong = found.find(stronger), weak = found.find(weaker);
    if (strong == found.end() || weak == found.end()) continue;
    Difference d;
    d.missing = minus(strong->second, weak->second);
    d.check = std::string("An execution of ") + stronger + " is not one of " + weaker;
    d.model = weaker;
    d.equivalence = "co";
    if (isDifferent(d)) return d;
  }
  if (counts != nullptr) {
    ++counts->programs;
    counts->branching += most > 1;
  }
  return std::nullopt;
}

std::optional<FuzzFailure> SelfCheck::runSeed(std::uint64_t seed) {
  FuzzFailure failure;
  failure.seed = seed;
  failure.original = largeProgram(seed, profile_);
  const std::optional<Difference> first = check(failure.original, &counts_);
  if (!first) return std::nullopt;
  failure.difference = *first;
  const auto stillFails = [&](const RandomProgram& candidate) {
    const std::optional<Difference> difference = check(candidate, nullptr);
    if (difference) failure.difference = *difference;
    return difference.has_value();
  };
  failure.program = shrink(failure.original, stillFails);
  return failure;
}

}  // namespace heddle::oracle
