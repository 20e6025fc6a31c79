// The mode in which a program is explored, and the one place that starts again in another.
//
// An exploration takes for granted what is true of nearly every program and makes it cheap. A program that is different
// shows it by running into it. Then nothing that was found counts, and the exploration starts again in another mode:
//
//   taken for granted                               who finds that it is wrong           what changes
//   ----------------------------------------------  -----------------------------------  ------------------------------
//   no two accesses overlap in part                 MixedSizes (graph/graph.h)           mixedSizes; attempts, polls and
//                                                                                        stores are judged for one size
//   there are no transactions                       Transactions (explore/observer.h)    transactions; the rest as above
//   no write is seen before a read that precedes    LoadBuffering                        loadBuffering; attempts, polls
//   it (models with dependencies only)              (explore/thread_causality.h)         and stores likewise
//   what an attempt takes back is not noticed       NoticedAttempt (explore/explorer.h)  attempts
//   nobody notices stores in rounds that are left   NoticedStore (likewise)              redoneStores, then
//   out                                                                                  repeatedStores; or guards
//   every read that a poll may wait for             UnsynchronisedPoll (likewise)        polls
//   synchronises
//   no more threads come to a barrier than meet     CrowdedBarrier                       orderedArrivals
//   there                                           (runtime/native_program.h)
//   nobody in a critical section of RCU waits for     GracePeriodAwaited                   gracePeriodsHang
//   what comes after a grace period                 (likewise)
//   plain accesses do not race (--races off only)   RaceFound (likewise)                 racyBytes
//   writes that a read waits for are ordered        UnorderedWrites (likewise)           unordered
//   a value that is confirmed does not come back    ValueComesBack (likewise)            recurring
//   alike threads do the same (--symmetry on)       ToldApart (explore/symmetry.h)       symmetry
//   8 threads are enough                            TooManyThreads (likewise)            threads
//
// explorePart (run/subject.h) makes a parallel::WrongMode of each of these: it has the mode to start again in. Workers
// send it to the process that coordinates them, so inRightMode sees it wherever it was thrown. A new reason is a field
// here, a handler in explorePart, and a line in prepare if native programs have to know.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "explore/observer.h"
#include "memory/racy_bytes.h"
#include "parallel/task.h"

namespace heddle::runtime {
class NativeProgram;
}

namespace heddle::run {

struct Mode {
  bool mixedSizes = false;           // accesses that overlap in part have a place: explored by src/mixer
  bool transactions = false;         // the program has them: src/mixer, too
  bool loadBuffering = false;        // po | rf may have cycles: explored by src/causal, if the model has dependencies
  bool attempts = true;              // loops that take back what they change wait (explore/zero_net_effect.cpp)
  bool redoneStores = true;          // likewise rounds that store what the next one stores anew (explore/redone_stores.cpp),
  bool repeatedStores = true;        // or what the thread has stored there before
  bool guards = true;                // or that set a flag and take it back (likewise)
  bool polls = true;                 // and so do threads that look under a mutex in vain
  bool orderedArrivals = false;      // at barriers
  bool gracePeriodsHang = false;     // a grace period of RCU may never end (runtime/critical_sections.h)
  bool plainLoads = false;           // a plain read of an atomic location is an event: from the start, under rf
  std::vector<ByteRange> unordered;  // where reads that wait are not overtaken (explore/overtaken_await.cpp)
  std::vector<explore::RecurringValue> recurring;  // values whose confirmations may fail (explore/confirmation.cpp)
  bool symmetry = false;                           // alike threads are explored in one order (explore/symmetry.cpp)
  unsigned threads = 8;                            // that a native program has room for
  memory::RacyBytes racyBytes;                     // plain accesses to these are events
  std::string overlap;                             // for people, if mixedSizes: which accesses overlap
  std::string noticed;                             // for people, if not attempts: why
  std::string toldApart;                           // for people, if not symmetry although it was asked for: why

  // For other processes and checkpoints. parse throws std::exception if it is not such a text.
  std::string toText() const;
  static Mode parse(const std::string& text);
};

// Has a native program, which is about to start, behave as the mode says. Its room for threads is fixed.
void prepare(runtime::NativeProgram& program, const Mode& mode);

// Calls `explore` with the mode, and with another one as long as it throws WrongMode.
template <class Explore>
auto inRightMode(Mode mode, const Explore& explore) {
  while (true) {
    try {
      return explore(std::as_const(mode));
    } catch (const parallel::WrongMode& wrong) {
      mode = Mode::parse(wrong.mode());
    }
  }
}

}  // namespace heddle::run
