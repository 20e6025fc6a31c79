// Random programs in the Linux kernel's dialect, and their text.
//
// A program is a table, so that the oracle need not read the text that the front end reads. A statement that reads gives its
// thread a register of its own number: statement 2 of P1 sets 1:r2.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::oracle {

enum class KernelOp : std::uint8_t {
  load,      // tag: "once", "acquire", or "" for a plain one
  store,     // tag: "once", "release", or ""
  fence,     // tag: "mb", "rmb", "wmb", "rcu-lock", ...
  add,       // atomic_add: returns nothing
  fetchAdd,  // strength: "", "relaxed", "acquire", "release"
  exchange,
  compareExchange,
  lock,
  unlock,
  tryLock,
  isLocked,
  srcuLock,
  srcuUnlock,
  syncSrcu,
};

struct KernelStatement {
  KernelOp op = KernelOp::fence;
  std::string tag;
  unsigned location = 0;  // of kLocationNames
  int value = 1;          // what is written or added; of compareExchange: the new one
  int expected = 0;       // compareExchange
  int valueFrom = -1;     // a register that is added to the value
  int addressFrom = -1;   // a register that the address depends on, without effect
  int guard = -1;         // a register: the statement is run only if it has the value
  int guardValue = 1;

  bool reads() const;
};

inline constexpr const char* kLocationNames[] = {"x", "y", "l", "s"};
inline constexpr unsigned kDataLocations = 2, kLock = 2, kSrcu = 3, kAllLocations = 4;

using KernelProgramTable = std::vector<std::vector<KernelStatement>>;  // by thread

KernelProgramTable randomKernelProgram(std::uint64_t seed);

// The statements of a thread as lines. Those in a row that have the same guard are in one branch.
std::vector<std::string> kernelLines(const std::vector<KernelStatement>& thread);

// All registers of reads and the data locations are observed.
std::string litmusText(const KernelProgramTable& program);

}  // namespace heddle::oracle
