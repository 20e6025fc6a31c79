// Random programs with transactions, as text that is nearly the same in a litmus test and in C.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::oracle {

struct TransactionProfile {
  unsigned accesses = 9;
  bool mixedSizes = false;
  bool locks = false;
  bool choices = false;
  bool spawns = false;  // the first thread starts the second one, and may wait for it
  bool plain = false;   // z is no atomic, and accessed in transactions mostly
  bool outside = true;  // there are accesses outside of transactions
  bool single = false;  // a transaction is one access
  bool aborts = false;  // there are transactions of the hardware that abort themselves
};

// Threads over x, y and z, and a mutex m.
struct TransactionProgram {
  std::vector<std::string> threads;  // as in a litmus test, but for what is in #ifdef
  bool plain = false;                // z is
};

TransactionProgram randomTransactions(std::uint64_t seed, const TransactionProfile& profile);

std::string toLitmus(const TransactionProgram& program);
// The same, with a condition that names every register and variable.
std::string toLitmusWithStates(const TransactionProgram& program);
// A file; the argument says which program is run. It prints the final state. -DBEGIN=... and -DEND=... say what transactions are.
std::string toC(const std::vector<TransactionProgram>& programs);

}  // namespace heddle::oracle
