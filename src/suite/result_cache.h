// Results of tests that need not be run again.
//
// A result is kept with all that it depends on, and counts as long as all of that is the same:
//
//     heddle itself               its build, and those of the libraries that it uses
//     the command line            of this case: file, model, options, flags, working folder
//     the environment             as far as clang looks at it
//     the files that were read    by their contents
//     those that were not there   and would have been read instead
//     folders that flags name     the names in them
//
// Nothing is kept of a run whose result may depend on anything else: the time of day (__TIME__), the processor (-march=native), functions
// outside of the program (--pure), chance (--sample); nor of one that did not pass, or was cut short, or whose files changed while
// it was compiled.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suite/cases.h"
#include "util/child_process.h"

namespace heddle::suite {

// What a program depends on. A fingerprint for each file and folder.
struct Inputs {
  std::map<std::string, std::string> files, folders;
  std::set<std::string> absent;
};

// As the files are now. Nothing if the result must not be kept: a file has changed since `start` (in nanoseconds of the system's clock),
// cannot be read, or asks for the time of day.
std::optional<Inputs> inputsOf(const std::set<std::string>& files, const std::set<std::string>& absent,
                               const std::set<std::string>& folders, long long start);

struct KeptTest {
  ListedTest test;  // empty names: the program is one test
  util::Finished finished;
  double seconds = 0;
};

// Of one case of a program (cases.h).
struct KeptResults {
  bool hasTests = false;
  std::vector<ListedTest> listed;  // all that the program has
  std::vector<KeptTest> passed;
};

class ResultCache {
 public:
  // `tool`: what tells this heddle from others.
  explicit ResultCache(std::string tool) : tool_(std::move(tool)) {}

  std::optional<KeptResults> find(const Case& program);
  void keep(const Case& program, const Inputs& inputs, const KeptResults& results) const;
  // May results of this case be kept at all, by its command line?
  static bool mayKeep(const Case& program);

 private:
  std::string fileOf(const Case& program) const;
  bool isSame(const std::string& path, const std::string& fingerprint);

  std::string tool_;
  std::map<std::string, std::string> now_;  // fingerprints of files, each worked out once
};

}  // namespace heddle::suite
