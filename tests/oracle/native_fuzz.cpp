// See native_fuzz.h.
#include "native_fuzz.h"

#include <algorithm>
#include <iterator>

#include "causal/causal_explorer.h"
#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"
#include "native/build_program.h"
#include "native_host.h"
#include "runtime/crash.h"
#include "runtime/native_program.h"
#include "runtime/object_names.h"
#include "runtime/waiting.h"
#include "shrink.h"

namespace heddle::oracle {

namespace {

constexpr std::size_t candidateLimit = 20000;
constexpr std::size_t executionLimit = 3000;  // of a large program
constexpr unsigned roomForThreads = 8;
constexpr double stuckSeconds = 60;

native::BuildOptions buildOptions(const std::string& path, bool dependencies) {
  native::BuildOptions options;
  options.files = {path};
  options.flags = {"-w", "-fwrapv"};   // litmus integers wrap around
  options.plainLoads = !dependencies;  // explored under rf, too
  options.dependencies = dependencies;
  return options;
}

// Names threads and locations of native graphs as the litmus test does, and gathers keys.
class NativeKeys final : public explore::Observer {
 public:
  NativeKeys(const runtime::NativeProgram& program, const std::map<unsigned, unsigned>& lines,
             const runtime::ObjectNames& objects, explore::Equivalence equivalence)
      : program_(program), lines_(lines), objects_(objects), equivalence_(equivalence) {
    names_.plain = false;
  }

  void begin(explore::AnyExplorer& explorer) override { explorer_ = &explorer; }

  void setAddresses(const std::map<std::string, Address>& addresses) {
    names_.address = [this, &addresses](const ByteRange& location) -> std::optional<Address> {
      const auto [known, isNew] = addresses_.try_emplace(location.address, std::nullopt);
      if (isNew) {
        const std::string name = program_.locationName(location.address, location.size);
        auto found = addresses.find(name);  // an element of an array has a name of its own
        if (found == addresses.end()) found = addresses.find(name.substr(0, name.find_first_of(".[")));
        if (found != addresses.end()) known->second = found->second;
      }
      return known->second;
    };
  }

  void error(const ExecutionView&, ThreadId thread, const Operation&) override {
    failed_ = true;
    const runtime::Error& error = program_.error(thread);
    if (error.kind == runtime::ErrorKind::dataRace) {
      result_.race = true;
    } else if (error.kind != runtime::ErrorKind::assertion) {
      throw std::runtime_error(std::string("an error that the program does not have: ") + runtime::name(error.kind) + ": " +
                               error.message);
    }
  }
  void race(const ExecutionView&, explore::Race) override { result_.race = true; }
  bool execution(const ExecutionView& graph) override { return add(graph, false); }
  bool blocked(const ExecutionView& graph) override {
    nameThreads(graph);
    runtime::findWaiting(*explorer_, objects_, true, [&](const runtime::WaitingError&) {
      result_.waiting.insert(keyOf(graph, names_, KeyCoherence::none));
    });
    return add(graph, isStuck());
  }

  ExplorerKeys& result() { return result_; }

 private:
  // The end of the process waits for threads that have failed as well; in the litmus test there is no such thing.
  bool isStuck() const {
    for (const ThreadId thread : explorer_->stuckThreads()) {
      const Operation& pending = explorer_->pending(thread);
      if (pending.kind != OperationKind::join || !pending.joinsRest) return true;
    }
    return false;
  }

  bool add(const ExecutionView& graph, bool stuck) {
    nameThreads(graph);
    const std::string state = std::string(failed_ ? "failed:" : "") + (stuck ? "stuck:" : "");
    const bool rf = equivalence_ == explore::Equivalence::rf;
    result_.keys.push_back(state + keyOf(graph, names_, rf ? KeyCoherence::none : KeyCoherence::all));
    failed_ = false;
    return !result_.race;  // the rest does not matter then
  }

  void nameThreads(const ExecutionView& graph) {
    names_.threads.clear();
    for (ThreadId t = 0; t < graph.threads(); ++t) {
      for (EventId id = graph.first(t); id != kNone; id = graph[id].poNext) nameThread(graph, id);
    }
  }

  // A thread is the one whose name stands on the line that starts it, or on the variable that it writes first.
  void nameThread(const ExecutionView& graph, EventId id) {
    const heddle::Event& event = graph[id];
    const Operation& operation = graph.operation(id);
    if (operation.kind == OperationKind::spawn && !lines_.empty()) {
      // One that is started elsewhere is the library's own, such as what ends the process after pthread_exit.
      const auto name = lines_.find(program_.info().sources.at(operation.source).line);
      if (name != lines_.end()) setName(operation.thread, name->second);
    } else if (event.isWrite() && event.index == 1 && lines_.empty()) {
      const auto name = markedThread(program_.locationName(operation.address, operation.size));
      if (name) setName(event.thread, *name);
    }
  }

  void setName(ThreadId thread, unsigned name) {
    if (names_.threads.size() <= name) names_.threads.resize(name + 1, KeyNames::kNoThread);
    names_.threads[name] = thread;
  }

  const runtime::NativeProgram& program_;
  const std::map<unsigned, unsigned>& lines_;
  const runtime::ObjectNames& objects_;
  explore::Equivalence equivalence_;
  explore::AnyExplorer* explorer_ = nullptr;
  KeyNames names_;
  std::map<Address, std::optional<Address>> addresses_;
  ExplorerKeys result_;
  bool failed_ = false;
};

}  // namespace

struct NativeFile::Parts {
  Parts(const std::string& text, Language language, bool dependencies)
      : build(buildOptions(folder.write(sourceName(language), text), dependencies), memory),
        names(build.info(), memory),
        lines(language == Language::c ? spawnLines(text) : std::map<unsigned, unsigned>()) {}

  TemporaryFolder folder;
  memory::Memory memory;
  native::Build build;
  runtime::ObjectNames names;
  std::map<unsigned, unsigned> lines;
};

NativeFile::NativeFile(std::span<const RandomProgram> programs, const NativeOptions& options)
    : parts_(std::make_unique<Parts>(toNative(programs, options.language, options.partedLocks), options.language,
                                     options.dependencies)) {}

NativeFile::~NativeFile() = default;

ExplorerKeys NativeFile::explore(std::size_t number, const std::map<std::string, Address>& addresses,
                                 const model::CompiledModel& model, const std::string& equivalence) const {
  std::map<std::string, Address> byName;
  for (const auto& [name, address] : addresses) byName[nativeName(number, name)] = address;
  runtime::NativeProgram program(parts_->build.info(), parts_->memory, parts_->build.entry({std::to_string(number)}),
                                 roomForThreads);
  program.setNames(&parts_->names);
  explore::ExploreOptions options;
  options.equivalence = equivalence == "rf" ? explore::Equivalence::rf : explore::Equivalence::co;
  program.setPlainLoads(options.equivalence == explore::Equivalence::rf);
  NativeKeys withLoadBuffering(program, parts_->lines, parts_->names, options.equivalence);
  withLoadBuffering.setAddresses(byName);
  options.skipFutile = equivalence == "live";
  options.overtakenAwaits = options.confirmations = options.skipFutile;
  options.races = true;
  const runtime::CrashGuard guard(stuckSeconds);
  const auto run = [&](explore::AnyExplorer&& explorer, NativeKeys& observer) {
    observer.begin(explorer);
    program.attach(explorer.execution(), explorer.raceView());
    explorer.run();
  };
  if (model.hasDependencies) {
    program.setAttempts(false);
    program.setRedoneStores(false);
    program.setRepeatedStores(false);
    program.setPolls(false);
    run(causal::CausalExplorer(program, model, options, withLoadBuffering), withLoadBuffering);
  }
  while (true) {
    NativeKeys keys(program, parts_->lines, parts_->names, options.equivalence);
    keys.setAddresses(byName);
    try {
      run(explore::Explorer(program, model, options, keys), keys);
      if (model.hasDependencies && isSame(keys.result(), withLoadBuffering.result())) return withLoadBuffering.result();
      return keys.result();
    } catch (const explore::LoadBuffering&) {
      return withLoadBuffering.result();
    } catch (const explore::UnorderedWrites& unordered) {
      options.unordered.push_back(unordered.bytes);
    } catch (const explore::ValueComesBack& back) {
      options.recurring.push_back(back.found);
    }
  }
}

NativeFuzzer::NativeFuzzer(std::vector<NamedModel> models, NativeOptions options)
    : models_(std::move(models)), options_(std::move(options)) {
  for (const NamedModel& named : models_) compiled_.push_back(model::compile(model::loadModel(named.name)));
}

RandomProgram NativeFuzzer::adapted(const RandomProgram& program) const {
  const RandomProgram native = options_.plain ? forNative(program) : withoutPlain(forNative(program));
  return options_.dependencies ? withoutResultsOfAttempts(native) : native;
}

// What each model allows; nothing if that is too much.
std::optional<std::vector<OracleResult>> NativeFuzzer::expect(Program& litmus) const {
  if (!options_.large) {
    std::vector<const model::Model*> models;
    for (const NamedModel& named : models_) models.push_back(&named.model);
    try {
      return runOracle(litmus, models, candidateLimit, !options_.dependencies);
    } catch (const OracleLimit&) {
      return std::nullopt;
    }
  }
  std::vector<OracleResult> results;
  for (const model::CompiledModel& model : compiled_) {
    OracleResult& result = results.emplace_back();
    for (const std::string equivalence : {"co", "rf"}) {
      litmus.reset();
      const ExplorerKeys found = exploreWith(litmus, model, {.equivalence = equivalence, .limit = executionLimit});
      if (!found.complete) return std::nullopt;
      result.race = found.race;
      std::map<std::string, std::size_t> times;
      for (const std::string& key : found.keys) ++times[key];
      for (const auto& [key, count] : times) {
        (equivalence == "co" ? result.coKeys : result.rfKeys).insert(key);
        if (count > 1) result.repeated[key] = count;
      }
    }
  }
  return results;
}

std::optional<NativeFuzzer::Case> NativeFuzzer::prepare(std::uint64_t seed, const RandomProgram& program) const {
  const auto test = litmus::parseLitmus(toLitmus(program, "random", Waiting::assume), "random.litmus");
  Case result{.seed = seed, .program = program, .addresses = {}, .plain = {}, .expected = {}};
  for (const litmus::CompiledLocation& location : test.program->locations()) {
    result.addresses[location.name] = location.address;
    for (std::uint64_t i = 0; location.isArray && i < location.count; ++i)
      result.addresses[location.name + "[" + std::to_string(i) + "]"] = location.address + i * location.type.size;
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    result.plain.emplace_back();
    for (const auto& [type, name] : threadText(program, t).parameters) {
      const bool atomic = type.starts_with("atomic_") || (type == "mutex" && !options_.partedLocks);
      if (!atomic) result.plain.back().insert(result.addresses.at(name));
    }
  }
  if (options_.partedLocks) {
    for (const char* mutex : {"m", "n"}) result.addresses.erase(mutex);
  }
  std::optional<std::vector<OracleResult>> expected = expect(*test.program);
  if (!expected) return std::nullopt;
  result.expected = std::move(*expected);
  return result;
}

namespace {

// What the native program should show, from what the oracle knows.
OracleResult projected(const OracleResult& full, const std::vector<std::set<Address>>& plain) {
  OracleResult result;
  result.race = full.race;
  std::map<std::string, std::size_t> times;
  const auto add = [&](const std::set<std::string>& from, std::set<std::string>& to) {
    for (const std::string& key : from) {
      const std::string rest = withoutPlainEvents(key, plain);
      to.insert(rest);
      times[rest] += full.multiplicity(key);
    }
  };
  add(full.coKeys, result.coKeys);
  add(full.rfKeys, result.rfKeys);
  for (const auto& [key, count] : times) {
    if (count > 1) result.repeated[key] = count;
  }
  return result;
}

}  // namespace

std::optional<Difference> NativeFuzzer::compare(const NativeFile& file, std::size_t number, const Case& tested) const {
  for (std::size_t m = 0; m < models_.size(); ++m) {
    OracleResult expected = projected(tested.expected[m], tested.plain);
    if (options_.partedLocks) expected.repeated.clear();
    std::optional<std::set<std::string>> waiting;  // under the first equivalence
    for (const std::string& equivalence : options_.equivalences) {
      Difference difference;
      try {
        ExplorerKeys found = file.explore(number, tested.addresses, compiled_[m], equivalence);
        if (options_.partedLocks) {
          const std::set<std::string> different(found.keys.begin(), found.keys.end());
          found.keys.assign(different.begin(), different.end());
        }
        if (!expected.race && !found.race) difference = compareKeys(expected, found.keys, equivalence);
        if (options_.partedLocks && models_[m].name != "sc") difference.extra.clear();
        if (expected.race && !found.race) difference.note = "the oracle finds a data race, the native program has none";
        if (!expected.race && found.race) difference.note = "a data race is reported that the oracle does not find";
        if (!waiting) waiting = found.waiting;
        if (!expected.race && *waiting != found.waiting) {
          difference.note = "which threads wait for ever depends on the equivalence";
          std::ranges::set_difference(*waiting, found.waiting, std::back_inserter(difference.missing));
          std::ranges::set_difference(found.waiting, *waiting, std::back_inserter(difference.extra));
        }
      } catch (const std::exception& error) {
        difference.note = error.what();
      }
      difference.check = "The oracle and the native program differ";
      difference.model = models_[m].name;
      difference.equivalence = equivalence;
      if (isDifferent(difference)) return difference;
    }
  }
  return std::nullopt;
}

FuzzFailure NativeFuzzer::shrunk(const Case& tested, const Difference& difference) const {
  FuzzFailure failure{.seed = tested.seed, .original = tested.program, .program = {}, .difference = difference};
  std::vector<NamedModel> model;
  for (const NamedModel& named : models_) {
    if (named.name == difference.model) model.push_back(named);
  }
  NativeOptions options = options_;
  // What one of them finds may be held against what the first does.
  if (difference.note.empty()) options.equivalences = {difference.equivalence};
  const NativeFuzzer narrowed(model, options);
  const auto stillFails = [&](const RandomProgram& candidate) {
    const RandomProgram program = adapted(candidate);
    const std::optional<Case> smaller = narrowed.prepare(tested.seed, program);
    if (!smaller) return false;
    std::optional<Difference> found;
    try {
      found = narrowed.compare(NativeFile({&program, 1}, options_), 0, *smaller);
    } catch (const std::exception& error) {
      found.emplace();
      found->note = error.what();
    }
    // Another failure is another matter: an invalid candidate must not take the place of what was found.
    if (!found || found->note.empty() != difference.note.empty()) return false;
    failure.difference = *found;
    failure.difference.model = difference.model;
    failure.difference.equivalence = difference.equivalence;
    return true;
  };
  failure.program = adapted(shrink(tested.program, stillFails));
  return failure;
}

std::optional<FuzzFailure> NativeFuzzer::runSeeds(std::uint64_t first, std::size_t count) {
  std::vector<Case> cases;
  std::vector<RandomProgram> programs;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto generate = options_.large ? largeProgram : randomProgram;
    const std::optional<Case> prepared = prepare(seed, adapted(generate(seed, options_.profile)));
    if (!prepared) {
      ++counts_.skipped;
      continue;
    }
    cases.push_back(*prepared);
    programs.push_back(prepared->program);
    ++counts_.programs;
    for (const OracleResult& result : prepared->expected) counts_.executions += result.coKeys.size();
    counts_.branching += std::ranges::any_of(prepared->expected, [](const OracleResult& r) { return r.coKeys.size() > 1; });
  }
  std::optional<Difference> difference;
  std::size_t failed = 0;
  {
    const NativeFile file(programs, options_);
    for (std::size_t i = 0; i < cases.size() && !difference; ++i) {
      difference = compare(file, i, cases[i]);
      failed = i;
    }
  }
  if (!difference) return std::nullopt;
  return shrunk(cases[failed], *difference);
}

std::string toString(const FuzzFailure& failure, Language language) {
  return toString(failure) + "\n" + toNative({&failure.program, 1}, language);
}

}  // namespace heddle::oracle
