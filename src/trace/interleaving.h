// The order in which an execution is shown: one that reads like an interleaving of the threads, as far as there is one.
//
// Read from top to bottom, such an order has a memory: of each cell (a location, or bytes that accesses treat alike) the newest write above
// in coherence order. A read is explained if that is what it reads; a write is explained if nothing newer than itself stands
// above. An execution is sequentially consistent if some order explains everything: then po | rf | co | rb has no cycle, and any order that
// these allow will do. Otherwise the order is one that leaves the fewest events without an explanation, and says which. That a read
// stands above what it reads from is the last resort: where there is no cycle of program order and reads-from it does not happen.
//
// Search. What an event costs depends on the set of events above it alone. Some may go next without harm, whatever comes
// later: an event that is explained now and that nobody below needs to precede, and an event that nothing can explain any
// more. Only where there is none of them, a choice is made: who is to be left without explanation. The cheapest sequence of choices is
// searched for, cheapest first; where that takes too long, each choice is the one that does least harm.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::trace {

// An event, or the two of a read-modify-write.
struct Step {
  struct Access {
    std::size_t cell;
    std::size_t place;  // of the write in the cell's coherence order, from 1; 0: the initial value
  };
  std::size_t thread = 0;
  std::vector<std::size_t> after;  // steps that must stand above: in program order, the end of a thread that is joined, ...
  std::vector<Access> reads;       // what it reads from
  std::vector<Access> writes;      // itself
};

struct Unexplained {
  std::size_t step;
  std::size_t by;  // the step that has, or will have, written what the step does not read, or is newer than what it writes
  bool isEarly;    // it reads what `by` writes only below
};

struct Interleaving {
  std::vector<std::size_t> order;  // all the steps
  std::vector<Unexplained> unexplained;
};

// Of the orders that are equally good the one that stays with a thread as long as possible, and otherwise takes steps as they come.
// The relation `after` has no cycle.
Interleaving interleave(const std::vector<Step>& steps);

// Why there is no interleaving: a shortest cycle of steps, each with how it leads to the next one, the last to the first. Empty if there is none.
enum class Link { po, rf, co, rb };
std::vector<std::pair<std::size_t, Link>> findCycle(const std::vector<Step>& steps);

}  // namespace heddle::trace
