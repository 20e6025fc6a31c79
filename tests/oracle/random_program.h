// Random programs: small enough for the oracle, mixed enough to reach every corner of the explorer.
//
// A program is a tiny syntax tree that prints as a .litmus file, so it takes the same road as a user's test and
// can be pasted into a bug report. Structure that must not be torn apart is one statement here, though several in
// the text: a critical section is lock, body, unlock, and a spawn carries what runs before its join.
//
// The same seed gives the same program on every platform: std::mt19937_64 is fixed by the standard, and the
// distributions, which are not, are our own. Each seed first picks a profile, a mix that leans to one feature.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "program/operation.h"

namespace heddle::oracle {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  bool percent(unsigned chance) { return below(100) < chance; }
  std::size_t weighted(const std::vector<unsigned>& weights);  // an index, with these odds

 private:
  std::mt19937_64 engine_;
};

// A constant, or a register plus a constant.
struct Operand {
  int reg = -1;
  unsigned constant = 0;
};

struct Condition {
  int reg = 0;
  bool equal = true;  // reg == constant, or reg != constant
  unsigned constant = 0;
};

enum class StatementKind {
  load,      // reg = location
  store,     // location = value
  rmw,       // reg = op(location, value)
  cas,       // expectedReg = expected; reg = compare-exchange(location, expectedReg, value)
  fence,     //
  branch,    // if (condition) body else otherwise
  assume,    // condition
  critical,  // lock; body; unlock
  spawn,     // spawn(thread); body; and join(thread) if `joined`
  choose,    // reg = 0 or 1
};

struct Statement {
  StatementKind kind = StatementKind::fence;
  int reg = -1;
  int expectedReg = -1;
  unsigned location = 0;
  Order order = Order::relaxed;
  Order failureOrder = Order::relaxed;
  RmwOp op = RmwOp::add;
  bool weak = false;
  Operand value = {};
  unsigned expected = 0;
  Condition condition = {};
  unsigned thread = 0;
  bool joined = false;
  std::vector<Statement> body = {};
  std::vector<Statement> otherwise = {};
};

using Block = std::vector<Statement>;

struct Location {
  bool plain = false;  // int, not atomic_int
  unsigned initial = 0;
};

struct RandomProgram {
  std::string profile;
  std::vector<Location> locations;
  std::vector<Block> threads;
  unsigned initialThreads = 0;  // the rest are spawned, each by one statement
};

RandomProgram randomProgram(std::uint64_t seed);

// The text of a .litmus file.
std::string toLitmus(const RandomProgram& program, const std::string& name);

bool hasPlainAccess(const RandomProgram& program);

}  // namespace heddle::oracle
