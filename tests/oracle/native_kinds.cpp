// See native_kinds.h.
#include "native_kinds.h"

#include "mixed.h"
#include "mixed_explorer.h"
#include "native_fuzz.h"
#include "native_kernel.h"
#include "native_outcomes.h"
#include "native_sequential.h"
#include "native_transactions.h"
#include "persist_check.h"
#include "self_check.h"
#include "symmetry_check.h"

namespace heddle::oracle {

namespace {

template <class T>
const std::vector<T>& orElse(const std::vector<T>& asked, const std::vector<T>& otherwise) {
  return asked.empty() ? otherwise : asked;
}

// A checker of one seed at a time, for each of several profiles; a seed has one of them.
template <class Checker>
class SeedKind final : public FuzzKind {
 public:
  explicit SeedKind(std::vector<Checker> checkers) : checkers_(std::move(checkers)) {}

  std::optional<std::string> run(std::uint64_t first, std::size_t count) override {
    std::optional<std::string> failed;
    for (std::uint64_t seed = first; seed < first + count && !failed; ++seed) {
      if (const auto failure = checkers_[seed % checkers_.size()].runSeed(seed)) failed = toString(*failure);
    }
    counts_ = {};
    for (const Checker& checker : checkers_) counts_.add(checker.counts());
    return failed;
  }
  const FuzzCounts& counts() const override { return counts_; }

 private:
  std::vector<Checker> checkers_;
  FuzzCounts counts_;
};

// A file of programs at a time.
template <class Checker>
class FileKind final : public FuzzKind {
 public:
  explicit FileKind(std::unique_ptr<Checker> checker) : checker_(std::move(checker)) {}

  std::optional<std::string> run(std::uint64_t first, std::size_t count) override {
    const auto failure = checker_->runSeeds(first, count);
    if (!failure) return std::nullopt;
    return toString(*failure);
  }
  const FuzzCounts& counts() const override { return checker_->counts(); }

 private:
  std::unique_ptr<Checker> checker_;
};

std::unique_ptr<FuzzKind> againstOracle(const KindOptions& options, const std::vector<std::string>& profiles,
                                        const std::vector<std::string>& models = allModelNames(),
                                        const std::vector<std::string>& equivalences = allEquivalences()) {
  std::vector<Fuzzer> fuzzers;
  for (const std::string& profile : options.profile.empty() ? profiles : std::vector{options.profile}) {
    fuzzers.emplace_back(loadModels(orElse(options.models, models)), exploreKeys, orElse(options.equivalences, equivalences),
                         profile);
  }
  return std::make_unique<SeedKind<Fuzzer>>(std::move(fuzzers));
}

std::unique_ptr<FuzzKind> litmus(const KindOptions& options) { return againstOracle(options, {""}); }
std::unique_ptr<FuzzKind> awaits(const KindOptions& options) {
  return againstOracle(options, {"waiting", "waiting threads", "confirming", "overtaking", "confirming and looking"});
}
std::unique_ptr<FuzzKind> locks(const KindOptions& options) {
  return againstOracle(options, {"locks", "two mutexes", "locks and threads", "trylocks", "trylocks of two",
                                 "trylocks and threads", "readers", "readers of two", "attempts to read"});
}

std::unique_ptr<FuzzKind> symmetry(const KindOptions& options) {
  std::vector<SymmetryCheck> checks;
  checks.emplace_back(loadModels(orElse(options.models, allModelNames())), orElse(options.equivalences, allEquivalences()),
                      options.profile);
  return std::make_unique<SeedKind<SymmetryCheck>>(std::move(checks));
}

std::unique_ptr<FuzzKind> dependencies(const KindOptions& options) {
  return againstOracle(options, dependentProfileNames(), dependentModelNames(), {"co"});
}

std::unique_ptr<FuzzKind> mixed(const KindOptions& options) {
  std::vector<Fuzzer> fuzzers;
  for (const std::string& profile : options.profile.empty() ? mixedProfileNames() : std::vector{options.profile}) {
    fuzzers.emplace_back(loadMixedModels(orElse(options.models, mixedModelNames())), exploreMixedKeys,
                         orElse(options.equivalences, {"co"}), profile);
  }
  return std::make_unique<SeedKind<Fuzzer>>(std::move(fuzzers));
}

std::unique_ptr<FuzzKind> large(const KindOptions& options) {
  std::vector<SelfCheck> checks;
  checks.emplace_back(
      SelfCheckOptions{orElse(options.models, allModelNames()), options.modelFiles, options.limit, options.profile});
  return std::make_unique<SeedKind<SelfCheck>>(std::move(checks));
}

// The text of a failure has the program in the language in which it fails. A file of programs has one of the profiles.
class NativeKind final : public FuzzKind {
 public:
  NativeKind(const std::vector<NamedModel>& models, NativeOptions options, const std::vector<std::string>& profiles)
      : language_(options.language) {
    for (const std::string& profile : profiles) {
      options.profile = profile;
      fuzzers_.emplace_back(models, options);
    }
  }

  std::optional<std::string> run(std::uint64_t first, std::size_t count) override {
    const auto failure = fuzzers_[first / count % fuzzers_.size()].runSeeds(first, count);
    counts_ = {};
    for (const NativeFuzzer& fuzzer : fuzzers_) counts_.add(fuzzer.counts());
    if (!failure) return std::nullopt;
    return toString(*failure, language_);
  }
  const FuzzCounts& counts() const override { return counts_; }

 private:
  std::vector<NativeFuzzer> fuzzers_;
  FuzzCounts counts_;
  Language language_;
};

std::unique_ptr<FuzzKind> native(const KindOptions& options, const std::vector<std::string>& models, NativeOptions own,
                                 const std::vector<std::string>& profiles = {}) {
  own.equivalences = orElse(options.equivalences, own.dependencies ? std::vector<std::string>{"co"} : allEquivalences());
  const std::vector<std::string> asked = options.profile.empty() ? profiles : std::vector{options.profile};
  return std::make_unique<NativeKind>(loadModels(orElse(options.models, models)), own, orElse(asked, {own.profile}));
}

std::unique_ptr<FuzzKind> nativeC(const KindOptions& options) {
  return native(options, {"sc", "tso", "ra", "rc20", "rc11"}, {});
}
std::unique_ptr<FuzzKind> nativeCpp(const KindOptions& options) {
  return native(options, {"sc", "rc20"}, {.language = Language::cpp, .plain = true});
}
std::unique_ptr<FuzzKind> nativeRaces(const KindOptions& options) {
  return native(options, {"sc", "rc20"}, {.plain = true, .profile = "plain and atomic"});
}
std::unique_ptr<FuzzKind> nativeLarge(const KindOptions& options) {
  return native(options, {"sc", "rc20"}, {.plain = true, .large = true});
}
std::unique_ptr<FuzzKind> nativeReaders(const KindOptions& options) {
  return native(options, {"sc", "rc20"}, {.profile = "readers", .partedLocks = true});
}

std::unique_ptr<FuzzKind> nativeLooks(const KindOptions& options) {
  return native(options, allModelNames(), {.plain = true, .profile = "waiting and looking"});
}

std::unique_ptr<FuzzKind> nativeDependencies(const KindOptions& options) {
  return native(options, dependentModelNames(), {.dependencies = true}, dependentProfileNames());
}
std::unique_ptr<FuzzKind> nativeDependenciesCpp(const KindOptions& options) {
  return native(options, dependentModelNames(), {.language = Language::cpp, .dependencies = true}, dependentProfileNames());
}

std::unique_ptr<FuzzKind> sequentialC(const KindOptions& options) {
  return std::make_unique<FileKind<SequentialFuzzer>>(std::make_unique<SequentialFuzzer>(Language::c, options.way));
}
std::unique_ptr<FuzzKind> sequentialCpp(const KindOptions& options) {
  return std::make_unique<FileKind<SequentialFuzzer>>(std::make_unique<SequentialFuzzer>(Language::cpp, options.way));
}

std::unique_ptr<FuzzKind> optionsC(const KindOptions& options) {
  return std::make_unique<FileKind<OptionsFuzzer<RandomProgram>>>(
      std::make_unique<OptionsFuzzer<RandomProgram>>(Language::c, options.profile, options.way));
}
std::unique_ptr<FuzzKind> optionsCpp(const KindOptions& options) {
  return std::make_unique<FileKind<OptionsFuzzer<RandomProgram>>>(
      std::make_unique<OptionsFuzzer<RandomProgram>>(Language::cpp, options.profile, options.way));
}
std::unique_ptr<FuzzKind> optionsThreads(const KindOptions& options) {
  return std::make_unique<FileKind<OptionsFuzzer<ThreadedProgram>>>(
      std::make_unique<OptionsFuzzer<ThreadedProgram>>(Language::c, "", options.way));
}

class TransactionsKind final : public FuzzKind {
 public:
  explicit TransactionsKind(TransactionsFuzzer fuzzer) : fuzzer_(std::move(fuzzer)) {}
  std::optional<std::string> run(std::uint64_t first, std::size_t count) override { return fuzzer_.runSeeds(first, count); }
  const FuzzCounts& counts() const override { return fuzzer_.counts(); }

 private:
  TransactionsFuzzer fuzzer_;
};
std::unique_ptr<FuzzKind> transactions(const KindOptions& options) {
  return std::make_unique<TransactionsKind>(TransactionsFuzzer(orElse(options.models, {"sc", "tso", "rc20"})));
}

class KernelKind final : public FuzzKind {
 public:
  std::optional<std::string> run(std::uint64_t first, std::size_t count) override { return fuzzer_.runSeeds(first, count); }
  const FuzzCounts& counts() const override { return fuzzer_.counts(); }

 private:
  KernelFuzzer fuzzer_;
};
std::unique_ptr<FuzzKind> kernel(const KindOptions&) { return std::make_unique<KernelKind>(); }

std::unique_ptr<FuzzKind> host(const KindOptions&) {
  return std::make_unique<FileKind<HostFuzzer>>(std::make_unique<HostFuzzer>(Language::c));
}

class PersistKind final : public FuzzKind {
 public:
  std::optional<std::string> run(std::uint64_t first, std::size_t count) override {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      std::size_t executions = 0;
      ++counts_.programs;
      if (auto difference = comparePersistency(seed, executions)) return difference;
      counts_.executions += executions;
    }
    return std::nullopt;
  }
  const FuzzCounts& counts() const override { return counts_; }

 private:
  FuzzCounts counts_;
};

std::unique_ptr<FuzzKind> crashes(const KindOptions&) { return std::make_unique<PersistKind>(); }

}  // namespace

// The shares are such that a campaign spends half of its time on the first four, where most of what is subtle is, and the rest
// evenly on what has to be compiled.
const std::vector<KindInfo>& fuzzKinds() {
  static const std::vector<KindInfo> all = {
      {"litmus", "the executions of a litmus test are those of the oracle", 625, 100, litmus},
      {"awaits", "the same, of tests that wait in loops", 120, 100, awaits},
      {"locks", "the same, of tests with locks", 120, 100, locks},
      {"symmetry", "with symmetry, a test with copies of a thread has one execution of each class of the oracle's", 100, 100,
       symmetry},
      {"dependencies", "the same, of tests with dependencies under models that know them", 100, 50, dependencies},
      {"mixed", "the same, of tests with accesses of different sizes", 100, 50, mixed},
      {"crashes", "what recovery finds after a crash is what the oracle for persistency says", 100, 100, crashes},
      {"large", "larger litmus tests: the explorer agrees with itself", 4, 10, large},
      {"native-c", "the same program in C has the executions of the litmus test", 12, 25, nativeC},
      {"native-cpp", "the same program in C++ has the executions of the litmus test", 2, 25, nativeCpp},
      {"native-races", "the same, of programs with data races", 4, 25, nativeRaces},
      {"native-large", "the same, of larger programs", 3, 25, nativeLarge},
      {"native-readers", "the same, of programs with read-write locks", 3, 25, nativeReaders},
      {"native-looks", "the same, of programs that look plainly at atomics in the end", 2, 25, nativeLooks},
      {"native-dependencies", "the same, of programs with dependencies under models that know them", 4, 25, nativeDependencies},
      {"native-dependencies-cpp", "the same in C++", 1, 25, nativeDependenciesCpp},
      {"native-kernel", "C in the Linux kernel's style has the executions of the kernel's litmus test", 4, 50, kernel},
      {"native-transactions", "C with transactions has the executions of the litmus test", 4, 50, transactions},
      {"sequential-c", "a program of one thread computes what it computes natively", 1, 50, sequentialC},
      {"sequential-cpp", "the same in C++", 1, 25, sequentialCpp},
      {"options-c", "with other options, or variables elsewhere, a C program has the same outcomes", 1, 25, optionsC},
      {"options-cpp", "the same in C++", 1, 25, optionsCpp},
      {"options-threads", "the same, of programs with copies, condition variables and loops", 1, 25, optionsThreads},
      {"host", "an outcome that is seen when a C program runs on this machine is one under tso", 1, 25, host},
  };
  return all;
}

}  // namespace heddle::oracle
