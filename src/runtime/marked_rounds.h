// Rounds of loops that the program says are in vain (heddle_spin_end of heddle.h; thesis 9.2.1).
//
// A thread that has gone round a loop without having changed anything waits for ever, instead of going round once more
// (native/loops/loops.h). Most such rounds are found without help. Where it cannot be seen in the code that nothing changes, a
// program can say so; and then it is looked at what the round has done, in all:
//
//   - each event of it is one that changes nothing (isIdleEvent): reads, fences, read-modify-writes that write what was there;
//   - plain memory is what it was, although it may have been something else in between: others would have raced, as they cannot
//     tell a write that changes nothing from the one before it;
//   - what the loop carries round in local variables is what it was. The code of the loop compares that.
//
// If so, the thread waits. If an event or a byte shows that it is not so, the annotation is wrong: an error. In between there is
// what is not clear: memory that is allocated and freed, a choice, a clock that has moved, local variables of which nobody
// knows whether they will be looked at. Then the thread goes on as if nothing had been said, with a warning.
//
// The round begins with an event of its own, so that what it has done to memory is told from what was done before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/running_thread.h"

namespace heddle::runtime {

struct MarkedRound {
  std::uint32_t source = 0;       // of the loop
  std::uint32_t mark = 0;         // of the annotation
  std::uint32_t begin = 0;        // the index of its first event
  const char* changed = nullptr;  // a local variable that is not what it was
  bool unclear = false;           // and of others that is not known
  bool rewrites = false;          // the next round may write memory anew before it reads it
};

class MarkedRounds {
 public:
  MarkedRounds(const memory::Memory& memory, RunningThread& running, const Faults& faults, Findings& findings)
      : memory_(memory), running_(running), faults_(faults), findings_(findings) {}

  // On the fiber. Returns if the thread is to go on.
  void end(const MarkedRound& round);

 private:
  struct Judgement {
    enum class Kind : std::uint8_t { inVain, wrong, unclear, nothingRead } kind = Kind::inVain;
    std::string why = {};  // for people
    std::vector<ErrorAccess> related = {};
  };
  Judgement judge(const MarkedRound& round) const;
  Judgement judgeEvents(const MarkedRound& round) const;
  Judgement judgeMemory(const MarkedRound& round) const;
  Operation outcome(const MarkedRound& round);

  const memory::Memory& memory_;
  RunningThread& running_;
  const Faults& faults_;
  Findings& findings_;
};

}  // namespace heddle::runtime
