// Random programs as native code: the executions that `heddle check` explores must be those of the oracle, each once.
//
// The same program goes two ways: as a litmus test to the oracle, and as C or C++ through clang, the instrumentation
// and the fibers to the explorer. The graphs of the second way have other addresses, one thread more (main), and
// perhaps events of the library's own; names of variables and the lines on which threads are started tell what is what,
// and so this checks these too. In which blocked executions threads wait for ever must not depend on the equivalence.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "explorer_keys.h"
#include "fuzz.h"
#include "print_c.h"

namespace heddle::oracle {

struct NativeOptions {
  Language language = Language::c;
  bool plain = false;  // plain accesses stay plain; otherwise they are made relaxed
  bool large = false;  // larger programs, against the litmus test
  std::vector<std::string> equivalences = allEquivalences();
  std::string profile = "";  // of the random programs; empty: any
  // Read-write locks have parts, so that their own events are not those of the litmus test: they are left out, and
  // how often an execution comes does not matter. Where the order of readers, which the litmus test has,
  // synchronises, there may be more executions than it allows; under sc there are not.
  bool partedLocks = false;
  bool dependencies = false;  // the models know them
};

// A file of programs, compiled and in memory. There can be only one at a time.
class NativeFile {
 public:
  NativeFile(std::span<const RandomProgram> programs, const NativeOptions& options);
  ~NativeFile();
  NativeFile(const NativeFile&) = delete;
  NativeFile& operator=(const NativeFile&) = delete;

  // `addresses`: what the keys have in place of the names of locations.
  ExplorerKeys explore(std::size_t program, const std::map<std::string, Address>& addresses, const model::CompiledModel& model,
                       const std::string& equivalence) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

class NativeFuzzer {
 public:
  NativeFuzzer(std::vector<NamedModel> models, NativeOptions options);

  // Compares the programs of `count` seeds, in one file; shrinks the first that differs.
  std::optional<FuzzFailure> runSeeds(std::uint64_t first, std::size_t count);

  const FuzzCounts& counts() const { return counts_; }

 private:
  // A program with what the oracle knows about it.
  struct Case {
    std::uint64_t seed;
    RandomProgram program;
    std::map<std::string, Address> addresses;
    std::vector<std::set<Address>> plain;  // by thread
    std::vector<OracleResult> expected;    // by model
  };

  RandomProgram adapted(const RandomProgram& program) const;
  std::optional<std::vector<OracleResult>> expect(Program& litmus) const;
  std::optional<Case> prepare(std::uint64_t seed, const RandomProgram& program) const;
  std::optional<Difference> compare(const NativeFile& file, std::size_t number, const Case& tested) const;
  FuzzFailure shrunk(const Case& tested, const Difference& difference) const;

  std::vector<NamedModel> models_;
  std::vector<model::CompiledModel> compiled_;
  NativeOptions options_;
  FuzzCounts counts_;
};

// The key of a litmus execution without its plain events. `plain`: the locations that each thread accesses plainly.
std::string withoutPlainEvents(const std::string& key, const std::vector<std::set<Address>>& plain);

// For people: what toString of a FuzzFailure says, and the C or C++ file.
std::string toString(const FuzzFailure& failure, Language language);

}  // namespace heddle::oracle
