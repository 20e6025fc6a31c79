// Large random programs: the explorer against itself.
//
// Past seven events or so the oracle cannot keep up, and some mistakes need more. What the explorer says about a larger
// program can still be wrong in ways that show. For each model:
//
//  - no execution comes twice, under either equivalence;
//  - the rf parts of the executions under co are the executions under rf, and the coherence orders of these are the
//    executions under co; so are the last writes of these orders, which are found in another way;
//  - the model read from its file, so that its automata are interpreted, gives the same executions as the built-in one;
//  - other numbers for the threads, and so another order of exploration, give the same executions;
//  - a data race is found in all of these or in none;
//
// and between models the inclusions of docs/models.md: sc in tso in pso in mca-no-lb in mca-rr in rc20, tso in ra, rc11 in rc20. They
// hold for every program.
//
// A program with more executions than a limit under some model is looked at under the others only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explorer_keys.h"
#include "fuzz.h"
#include "random_program.h"

namespace heddle::oracle {

// What the checks ask; the real explorer unless a test puts another in its place.
using ModelExplorer = std::function<ExplorerKeys(Program&, const model::CompiledModel& model, const KeyOptions& options)>;

struct SelfCheckOptions {
  std::vector<std::string> models = allModelNames();
  std::string modelFiles = "";  // the directory of NAME.cat; empty: the built-in texts are taken for files
  std::size_t limit = 20000;    // executions
  std::string profile = "";     // of the random programs; empty: any
};

class SelfCheck {
 public:
  explicit SelfCheck(const SelfCheckOptions& options, ModelExplorer explorer = exploreWith);

  // Generates and checks the program of a seed; shrinks it if something is wrong.
  std::optional<FuzzFailure> runSeed(std::uint64_t seed);

  // `skipped` counts the pairs of program and model with too many executions.
  const FuzzCounts& counts() const { return counts_; }

 private:
  struct CheckedModel {
    model::CompiledModel builtin, fromFile;
  };
  using Keys = std::vector<std::string>;  // sorted

  std::optional<Difference> check(const RandomProgram& source, FuzzCounts* counts) const;
  std::optional<Difference> checkModel(const RandomProgram& source, Program& program, const CheckedModel& model, Keys& keys,
                                       bool& complete) const;

  std::size_t limit_;
  std::string profile_;
  std::map<std::string, CheckedModel> models_;
  ModelExplorer explorer_;
  FuzzCounts counts_;
};

}  // namespace heddle::oracle
