// All runs of every thread by itself, with all values that its reads could find.
//
// Which values those are is found out by running: at first every location has its initial value only; what runs write are values
// that reads may find, and so on. A value that some execution has is computed through a chain of different writes, unless it
// comes from itself, which is left out (candidate.cpp). The first is there whatever is read; so there are no more rounds than an
// execution has writes that depend on what is read.
//
// What the model says of every execution keeps the number of runs small. If it is coherent per location, a thread that has written
// a location reads what it has written last or what another thread writes, and one that has seen another value than the initial one
// does not read the initial write again. And if read-modify-writes are atomic, the values of a location to which threads only add
// numbers of the program's text (program/separate_threads.h: Counter) have bounds. If they only grow, they are all different, and a
// thread never reads less than it has read.
//
// Branches may lead in a circle: a thread writes 1 where it has read 1, and so makes another write what it reads. No run from initial values
// comes there. So the numbers in the program's text are tried as well, and of all values those are kept that some run writes which
// reads no others.
#pragma once

#include <vector>

#include "program/separate_threads.h"
#include "relations/bit_matrix.h"

namespace heddle::enumerate {

// What is read and written: sets of contents, each a location and a value that is there, which are numbered.
struct Run {
  ThreadRun run;
  relations::EventSet reads, writes;
  relations::EventSet counted;  // what it adds to, of counters that only grow or only shrink: each content is added to once
};

// What the model says of every execution, and whether to offer a value from thin air where plain accesses copy one round in a circle.
struct Assumed {
  bool coherent = false, atomic = false;
  bool thinAir = false;
};

struct ThreadRuns {
  std::vector<std::vector<Run>> ofThread;
  std::size_t contents = 0;
  relations::EventSet initial;  // what is there at first
  bool cut = false;             // some loop went round too often, and those runs are missing
  bool thinAir = false;         // a value was offered that nothing computes
};

// Throws LimitError if there are too many.
ThreadRuns allRuns(const SeparateThreads& threads, Assumed assumed);

}  // namespace heddle::enumerate
