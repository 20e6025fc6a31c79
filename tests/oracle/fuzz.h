// Random programs through the oracle and the explorer: the sets of executions must be equal, and the explorer
// must report none twice.
//
// Every program is compared under every model and both equivalences. When something differs the program is shrunk,
// with that model and equivalence, to the smallest that still differs. A program too large for the oracle
// is passed over and counted.
//
// Models with dependencies allow more; they are for programs that come from a profile with them.
//
// Programs of mixed sizes, which come from a profile of them only, go to the oracle of mixed.h, and keys are those of
// mixed_key.h; the explorer is asked through mixed_explorer.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explorer_keys.h"
#include "model/ast.h"
#include "oracle.h"
#include "random_program.h"

namespace heddle::oracle {

using KeyExplorer = std::function<ExplorerKeys(Program&, const std::string& model, const std::string& equivalence)>;

struct NamedModel {
  std::string name;  // the name the explorer knows it by
  model::Model model;
};

// The models the fuzzer uses unless told otherwise: all built-in ones.
const std::vector<std::string>& allModelNames();

// The built-in models that know dependencies.
const std::vector<std::string>& dependentModelNames();

// co and rf are exact, blocked executions included; "live" is co with those left out that cannot lead to others.
const std::vector<std::string>& allEquivalences();

// Built-in models by name, or files by path.
std::vector<NamedModel> loadModels(const std::vector<std::string>& names);

struct Difference {
  std::string check = "The oracle and the explorer differ";
  std::string model;
  std::string equivalence;
  std::vector<std::string> missing;   // the oracle, or what stands in for it, finds them, the explorer does not
  std::vector<std::string> extra;     // the other way round
  std::vector<std::string> repeated;  // the explorer reports them too often
  std::string note;                   // anything else: the race flag, an exception
};

// How often each execution came, held against how often it should have: once, but for OracleResult::repeated.
Difference compareKeys(const OracleResult& expected, const std::vector<std::string>& found, const std::string& equivalence);

bool isDifferent(const Difference& difference);

struct FuzzCounts {
  std::size_t programs = 0;    // compared
  std::size_t executions = 0;  // of the oracle, by co, over all models
  std::size_t skipped = 0;     // too large
  std::size_t branching = 0;   // more than one execution under some model
  void add(const FuzzCounts& other);
};

struct FuzzFailure {
  std::uint64_t seed = 0;
  RandomProgram original;
  RandomProgram program;  // shrunk
  Difference difference;  // of the shrunk program
};

class Fuzzer {
 public:
  // `profile`: of the random programs; empty: any.
  explicit Fuzzer(std::vector<NamedModel> models, KeyExplorer explorer = exploreKeys,
                  std::vector<std::string> equivalences = allEquivalences(), std::string profile = "");

  // Generates and compares the program of a seed; shrinks it if there is a difference.
  std::optional<FuzzFailure> runSeed(std::uint64_t seed);

  const FuzzCounts& counts() const { return counts_; }

 private:
  std::optional<Difference> compare(const RandomProgram& program, const std::vector<NamedModel>& models,
                                    const std::vector<std::string>& equivalences, FuzzCounts* counts) const;

  std::vector<NamedModel> models_;
  KeyExplorer explorer_;
  std::vector<std::string> equivalences_;
  std::string profile_;
  FuzzCounts counts_;
};

// For people: the seed, the program and what differs.
std::string toString(const FuzzFailure& failure);

// For people: how many executions a litmus test has under each model, and which differ. `test` has no loops that wait.
std::string compareTest(const std::string& test, const std::vector<NamedModel>& models, const KeyExplorer& explorer,
                        const std::string& equivalence);

}  // namespace heddle::oracle
