// A file of programs as `heddle check` runs them, built once and explored as often as one likes: which outcomes there are.
//
// An outcome is what a complete execution has printed, or the kind of error that it ends with. Where there is a data race
// nothing else counts.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "native_host.h"

namespace heddle::oracle {

// What of the options matters before the program runs.
struct CheckedBuild {
  std::vector<std::string> flags = {};  // for clang
  bool races = true;
  bool plainLoads = false;  // for --equivalence rf
  bool volatileRelaxed = false;
  bool undefinedBehaviour = false;
  bool precompiled = true;
  bool kernel = false;  // for the kernel's memory model, which judges complete executions (run/kernel_judge.h)
  std::uint64_t unroll = 0;
  bool waitingLoops = true, joinedLoads = true;  // without them: --without spin-loops, joined-loads
  bool operator==(const CheckedBuild&) const = default;
};

struct CheckedRun {
  std::string model = "rc20";
  explore::Equivalence equivalence = explore::Equivalence::co;
  bool spurious = true;
  std::uint64_t parts = 0;  // explore parts of the tree, cut by this seed, as several processes would; 0: all in one
  std::size_t limit = 0;    // give up after so many executions, blocked ones included; 0: never
  bool zeroNetEffect = true, skipFutile = true;         // without them: --without zero-net-effect, futile-reads
  bool overtakenAwaits = false, confirmations = false;  // with them: --reduce
};

struct CheckedOutcomes {
  std::set<std::string> outcomes;
  std::map<std::string, unsigned> counts;  // of what complete executions have printed
  std::size_t executions = 0, blocked = 0;
  bool complete = true;
  bool race = false;
  bool lateAccess = false;   // of memory that has been freed, by the kernel's model
  bool unsupported = false;  // the program does something that cannot be checked, and is told so
};

// There can be only one at a time.
class CheckedFile {
 public:
  // Throws native::InputError.
  CheckedFile(const std::string& text, Language language, const CheckedBuild& build);
  ~CheckedFile();
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;

  CheckedOutcomes explore(const std::vector<std::string>& arguments, const CheckedRun& run) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::oracle
