// Random concurrent programs, checked in many ways: the outcomes must be the same; and run natively: each outcome that is seen
// must be one under tso, this processor's model.
//
// What is right is not asked here (native_fuzz.h asks the oracle): the same program with other options, its threads started
// in the opposite order, its variables in a struct that is copied, its loops that wait written as assumptions, or its mutex as a
// spinlock, must have the same outcomes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz.h"
#include "native_checked.h"
#include "native_host.h"
#include "print_c.h"
#include "threaded_program.h"

namespace heddle::oracle {

// A way to check a program, and what it has to do with the plain way.
struct OutcomeVariant {
  std::string name;
  CheckedBuild build = {};
  OutcomeText text = {};
  CheckedRun run = {};
  bool mixed = false;     // an access of another size is added
  bool smaller = false;   // there may be fewer outcomes: a stronger model, a compiler that has made choices
  bool reasons = true;    // for programs, too, whose operations may fail or end without a reason
  bool waits = true;      // that threads wait for ever is an outcome as well
  bool threaded = false;  // for threaded programs only
};

const std::vector<OutcomeVariant>& outcomeVariants();

// What stands in for a way to check in tests of the comparison.
using OutcomeExplorer =
    std::function<CheckedOutcomes(const CheckedFile& file, std::size_t program, const OutcomeVariant& variant)>;
CheckedOutcomes exploreOutcomes(const CheckedFile& file, std::size_t program, const OutcomeVariant& variant);

template <class AnyProgram>
struct OutcomeFailure {
  std::uint64_t seed = 0;
  AnyProgram program;  // shrunk
  Language language = Language::c;
  OutcomeText text;
  std::string variant;
  std::vector<std::string> missing, extra;  // outcomes, seen from the plain way
  std::string note;
};

// Of random programs, or of threaded ones, which are in C.
template <class AnyProgram>
class OptionsFuzzer {
 public:
  // `profile`: of the programs, `way`: a part of the name of the variants to try; empty: any.
  explicit OptionsFuzzer(Language language, std::string profile = "", std::string way = "",
                         OutcomeExplorer explorer = exploreOutcomes)
      : language_(language), profile_(std::move(profile)), way_(std::move(way)), explorer_(std::move(explorer)) {}

  // Compares the programs of `count` seeds, in one file for each way to build it.
  std::optional<OutcomeFailure<AnyProgram>> runSeeds(std::uint64_t first, std::size_t count);
  const FuzzCounts& counts() const { return counts_; }

 private:
  using Failure = OutcomeFailure<AnyProgram>;
  std::optional<Failure> compare(std::span<const AnyProgram> programs, std::span<const std::uint64_t> seeds,
                                 std::span<const OutcomeVariant> variants, bool counted);

  Language language_;
  std::string profile_, way_;
  OutcomeExplorer explorer_;
  FuzzCounts counts_;
};

// The outcomes that native runs have printed, a line each, and that are not allowed.
std::vector<std::string> unexplained(const std::string& output, const CheckedOutcomes& allowed);

class HostFuzzer {
 public:
  // `model`: the one whose outcomes must contain those that are seen.
  explicit HostFuzzer(Language language, std::string model = "tso")
      : language_(language), model_(std::move(model)), compiler_(language) {}

  std::optional<OutcomeFailure<RandomProgram>> runSeeds(std::uint64_t first, std::size_t count);
  // Executions are native runs.
  const FuzzCounts& counts() const { return counts_; }

 private:
  std::optional<OutcomeFailure<RandomProgram>> compare(std::span<const RandomProgram> programs,
                                                       std::span<const std::uint64_t> seeds, bool counted);

  Language language_;
  std::string model_;
  HostCompiler compiler_;
  FuzzCounts counts_;
};

// For people.
template <class AnyProgram>
std::string toString(const OutcomeFailure<AnyProgram>& failure);

}  // namespace heddle::oracle
