// Random programs of one thread, natively and checked: `heddle check` must find one execution, with the checksum that the
// program has natively, whatever the options.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fuzz.h"
#include "native_checked.h"
#include "native_host.h"
#include "sequential_program.h"

namespace heddle::oracle {

// A way to check a program.
struct SequentialVariant {
  std::string name;  // as on the command line
  CheckedBuild build;
  CheckedRun run;
  bool mixed = false;  // an access of another size is added
};

// All of them. Those with the same build options are next to each other.
const std::vector<SequentialVariant>& sequentialVariants();

struct SequentialFailure {
  std::uint64_t seed = 0;
  SequentialProgram program;  // shrunk
  Language language = Language::c;
  std::string variant;
  std::string note;  // what is different
};

// Where native checksums come from; the host's compiler unless a test puts something else in its place.
using Checksums = std::function<std::optional<std::vector<std::string>>(std::span<const SequentialProgram> programs)>;

class SequentialFuzzer {
 public:
  static constexpr unsigned inputs = 8;  // of a program

  // `way`: a part of the name of the variants to try; empty: any.
  explicit SequentialFuzzer(Language language, std::string way = "");
  SequentialFuzzer(Language language, Checksums checksums) : language_(language), checksums_(std::move(checksums)) {}

  // Compares the programs of `count` seeds, in one file, as it is and with other options: --races off and one build that
  // follows from the seed, or, for a single program, all. Shrinks the first that differs.
  std::optional<SequentialFailure> runSeeds(std::uint64_t first, std::size_t count);

  // Executions are those of a program for each input and each way to check it; programs that do something that Heddle says
  // it does not support are skipped.
  const FuzzCounts& counts() const { return counts_; }

 private:
  // The first program that is different, and how.
  struct Found {
    std::size_t program;
    std::string note;
  };
  std::optional<Found> compare(const CheckedFile& file, const std::vector<std::string>& expected,
                               const SequentialVariant& variant);
  SequentialFailure shrunk(std::uint64_t seed, SequentialProgram program, const SequentialVariant& variant,
                           const std::string& note);

  Language language_;
  std::string way_;
  std::optional<HostCompiler> compiler_;
  Checksums checksums_;
  std::set<std::size_t> unsupported_;  // programs of the file that cannot be checked in some way
  FuzzCounts counts_;
};

// For people.
std::string toString(const SequentialFailure& failure);

}  // namespace heddle::oracle
