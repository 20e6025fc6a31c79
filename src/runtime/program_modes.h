// What of a native program is an operation of its own for the explorer. Set before the program runs, and often found out by
// a run that has to start again (src/run).
#pragma once

namespace heddle::runtime {

struct ProgramModes {
  bool attempts = true;           // read-modify-writes that are only made if they succeed (explore/zero_net_effect.cpp)
  bool redoneStores = true;       // rounds can be left out though they store what the next one stores anew, or what was there
  bool repeatedStores = true;     // before; or in the second case only; or in neither (explore/redone_stores.cpp)
  bool guards = true;             // likewise rounds that set a flag and take it back (likewise)
  bool polls = true;              // locks of mutexes by threads that only look at what these protect
  bool arrivalsInOrder = false;   // arrivals at barriers have an order
  bool gracePeriodsHang = false;  // a grace period of RCU ends or never does: both are tried (critical_sections.h)
  // Plain reads of atomic locations are events. They must be where the graph does not say which write is the last one.
  bool plainLoads = false;
  // Races are no errors: RaceFound is thrown at one for bytes that are not known to be raced for, and accesses to those that
  // are known are events.
  bool racesAllowed = false;
  // The same where races are judged on complete executions, by a model that has a definition of its own, or because transactions are
  // ordered by what comes after them: those events are plain ones, and so are the ends of heap blocks events, which are ordered with
  // accesses.
  bool racesJudged = false;
  // Where there is load buffering, what a thread does again is done without some of what others did before. So which accesses are
  // events must not depend on them: RaceFound is thrown at a plain access to an atomic location, too.
  bool loadBuffering = false;
};

}  // namespace heddle::runtime
