// Small random programs about what survives a crash: a few threads that write, read, flush and fence, and a recovery that reads. In some of
// them recovery writes, too; then it crashes once more, and runs again.
//
// Every write has a value of its own, so the value that a read finds says which write it was. Transactions of a journal are open if
// their number is odd.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "program/program.h"

namespace heddle::oracle {

struct PersistOp {
  // failing: a compare-exchange of a value that is never there. closed: recovery reads a journal, and goes no further if its transaction is open.
  enum class Kind : std::uint8_t {
    store,
    load,
    exchange,
    failing,
    mfence,
    sfence,
    clflush,
    clwb,
    persisted,
    fsync,
    sync,
    closed
  };
  Kind kind = Kind::store;
  unsigned location = 0;
  Value value = 0;  // store, exchange
};

// A part of the disk: what kind of write it takes, of which file (the directory comes after the last one), and which byte or name.
struct DiskPlace {
  enum class Kind : std::uint8_t { data, size, entry, journal };
  Kind kind = Kind::data;
  unsigned file = 0, number = 0;
};

struct PersistTest {
  std::vector<std::vector<PersistOp>> threads;
  std::vector<PersistOp> recovery;
  unsigned perLine = 1;         // locations on a cache line
  std::vector<DiskPlace> disk;  // of a test with files: what the locations are
  std::vector<bool> waits;      // threads that do not end, but wait for ever when they have done everything; empty: none

  void readInRecovery(unsigned location) { recovery.push_back({PersistOp::Kind::load, location}); }
  bool recoveryWrites() const;

  Address addressOf(unsigned location) const;
  unsigned bytesOf(unsigned location) const;
};

struct PersistProfile {
  unsigned threads = 2, operations = 7, locations = 3;  // at most, in all threads together
  bool flushes = true;
};

// Where a test with files has its disk.
inline constexpr Address kTestDisk = 0x10000;
inline constexpr unsigned kTestFiles = 2;

PersistTest randomDiskTest(std::mt19937_64& random);
// File calls of data=journal, as the steps that the kernel makes of them.
PersistTest randomJournalTest(std::mt19937_64& random);
PersistTest randomPersistTest(std::mt19937_64& random, const PersistProfile& profile);
std::string toText(const PersistTest& test);

// The program, whose last thread is the recovery. It remembers what that one has found: its operations, and if it writes a crash, and
// its operations again.
class PersistProgram final : public Program {
 public:
  explicit PersistProgram(const PersistTest& test);

  ThreadId recovery() const { return static_cast<ThreadId>(test_.threads.size()); }
  // What its operations have found so far; 0 for those that read nothing, or have not been reached.
  std::vector<Value> recovered() const;

  unsigned threadCount() const override { return recovery() + 1u; }
  unsigned initialThreads() const override { return recovery(); }
  void reset() override;
  Operation advance(ThreadId thread) override;
  void resume(ThreadId thread, Result result) override {
    if (thread == recovery()) recovered_[next_[thread]] = result.value;
    ++next_[thread];
  }
  Mark mark(ThreadId thread) override;
  void rewind(ThreadId, Mark mark) override { next_[marks_[mark].thread] = marks_[mark].next; }
  void release(Mark mark) override { marks_.resize(mark); }
  Value initialValue(Address, unsigned) const override { return 0; }
  std::string locationName(Address address, unsigned) const override { return std::to_string(address); }
  std::string sourceText(std::uint32_t source) const override { return std::to_string(source); }

 private:
  struct Marked {
    ThreadId thread;
    unsigned next;
  };

  Operation advanceRecovery(unsigned step) const;

  PersistTest test_;
  std::vector<unsigned> next_;
  std::vector<Value> recovered_;
  std::vector<Marked> marks_;
};

}  // namespace heddle::oracle
