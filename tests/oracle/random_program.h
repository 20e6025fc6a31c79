// Random programs: small enough for the oracle, mixed enough to reach every corner of the explorer.
//
// A program is a tiny syntax tree that prints as a .litmus file, so it takes the same road as a user's test and can be
// pasted into a bug report. Structure that must not be torn apart is one statement here, though several in the text: a
// critical section is lock, body, unlock, an attempt at one is trylock, body and unlock if it succeeded, and a spawn
// carries what runs before its join. A critical section may forget its unlock, and two mutexes may be taken in either
// order, so threads can be stuck for ever. Nothing is unlocked that is not held.
//
// A thread accesses a location either atomically or plainly, as its parameter says, but two threads may differ.
//
// In the profiles with dependencies, which are used only where they are asked for, most values, conditions and addresses
// come from registers, many of them in a way that does not matter: r ^ r is 0, but who writes it depends on r. Some
// locations are arrays of two elements, and the index of an access is computed.
//
// In the profiles of mixed sizes, which are used only where they are asked for, an access is to a part of its location:
// 1, 2, 4 or 8 bytes of it.
//
// The same seed gives the same program on every platform: std::mt19937_64 is fixed by the standard, and the
// distributions, which are not, are our own. Each seed first picks a profile, a mix that leans to one feature.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
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

// What of a register is used: r, r & 1 or r ^ r, which is 0.
enum class RegisterUse { value, lowBit, zero };

// A constant, a register plus a constant, or the sum of two registers.
struct Operand {
  int reg = -1;
  std::int64_t constant = 0;
  int otherReg = -1;
  RegisterUse use = RegisterUse::value;  // of `reg`
};

struct Condition {
  int reg = 0;
  bool equal = true;  // reg == constant, or reg != constant
  std::int64_t constant = 0;
  RegisterUse use = RegisterUse::value;
};

enum class Unlock { always, never, conditional };

enum class StatementKind {
  load,       // reg = location
  store,      // location = value
  rmw,        // reg = op(location, value)
  cas,        // expectedReg = expected; reg = compare-exchange(location, expectedReg, value)
  fence,      //
  branch,     // if (condition) body else otherwise
  assume,     // condition
  assertion,  // condition
  critical,   // lock; body; unlock; or, for reading, rdlock; body; rdunlock
  attempt,    // reg = trylock; if (reg == 1) { body; unlock } else otherwise; or for reading
  spawn,      // spawn(thread); body; and join(thread) if `joined`
  choose,     // reg = 0 or 1
  await,      // body, loads and compare-exchanges, again and again until condition
};

struct Statement {
  StatementKind kind = StatementKind::fence;
  int reg = -1;
  int expectedReg = -1;
  unsigned location = 0;
  Operand index = {};   // of the element, if the location is an array: 0 or 1
  unsigned size = 0;    // of the access; 0: that of the location
  unsigned offset = 0;  // from the beginning of the location, a multiple of the size
  Order order = Order::relaxed;
  Order failureOrder = Order::relaxed;
  RmwOp op = RmwOp::add;
  bool weak = false;
  Operand value = {};
  Operand expected = {};
  Condition condition = {};
  unsigned thread = 0;
  bool joined = false;
  unsigned mutex = 0;
  bool reading = false;            // the lock is taken for reading
  Unlock unlock = Unlock::always;  // conditional: under `condition`
  std::vector<Statement> body = {};
  std::vector<Statement> otherwise = {};
};

using Block = std::vector<Statement>;

struct Location {
  std::int64_t initial = 0;
  unsigned size = 4;      // 1, 2, 4 or 8 bytes
  unsigned elements = 1;  // more: an array of so many
};

struct RandomProgram {
  std::string profile;
  bool mixedSizes = false;
  std::vector<Location> locations;
  std::vector<Block> threads;
  unsigned initialThreads = 0;  // the rest are spawned, each by one statement
};

// The names of the profiles, and of those of mixed sizes and those with dependencies among them.
std::vector<std::string> profileNames();
std::vector<std::string> mixedProfileNames();
std::vector<std::string> dependentProfileNames();

// A program for the oracle. `profile`: the one that the program must be of; empty: any that need not be asked for.
RandomProgram randomProgram(std::uint64_t seed, const std::string& profile = "");

// A program of 8 to 14 events and up to 5 threads, without `choose`: too large for the oracle, see self_check.h.
RandomProgram largeProgram(std::uint64_t seed, const std::string& profile = "");

// The same program with its threads numbered in another way: thread t becomes names[t]. Numbers that are left out
// become threads that do nothing. Spawned threads must have the highest numbers, without a gap.
RandomProgram renumberThreads(const RandomProgram& program, const std::vector<unsigned>& names);

// What a location is called in every text of a program.
std::string locationName(unsigned location);

// A thread as a .litmus file has it: what it is given pointers to, type and name of each, and the statements. The
// statements are C but for a few names (print_c.h).
struct ThreadText {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string body;
};
// How a thread waits: in a loop, or, by the definition of waiting, by an assumption about what it has read once.
enum class Waiting { loop, assume };

ThreadText threadText(const RandomProgram& program, std::size_t thread, Waiting waiting = Waiting::loop);

// The text of a .litmus file.
std::string toLitmus(const RandomProgram& program, const std::string& name, Waiting waiting = Waiting::loop);

bool hasPlainAccess(const RandomProgram& program);

}  // namespace heddle::oracle
