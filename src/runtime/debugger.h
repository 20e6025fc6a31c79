// What a debugger that looks at this process reads and writes, by name (src/cli/gdb_commands.py): where a replay stands, and how
// far it is to go.
//
// A replay for a debugger runs the failing execution from its beginning, event by event (run/retrace.h). Before the event with the number
// `target`, and when it has gone wrong, the thread whose turn it is calls heddle_debugger_stop, where the debugger has a breakpoint. To go back
// the debugger sets `again`, with an earlier target: then the execution is run from its beginning once more.
//
// A debugger may know no types of heddle. So everything is words of 64 bits.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The newest value of an atomic location, which is not in its memory: that has the initial value only.
struct HeddleNewestValue {
  std::uint64_t address, size, value;
};

struct HeddleDebugger {
  static constexpr int kMostThreads = 256;

  std::int64_t event = 0;         // the newest one, by its number in the report
  std::int64_t target = 0;        // where to stop
  std::int64_t last = 0;          // the number of what goes wrong
  std::int64_t again = 0;         // run the execution again
  const char* events = nullptr;   // a line for each event, from 1 on, and one for what goes wrong
  const char* threads = nullptr;  // a line for each thread, from 0 on: its name
  const HeddleNewestValue* values = nullptr;
  std::int64_t valueCount = 0;
  std::uint64_t code = 0, codeEnd = 0;            // where the program's code is
  std::int64_t systemThreads[kMostThreads] = {};  // by thread: the number that the system has for it; 0: it has not run yet
};

extern "C" {
extern HeddleDebugger heddle_debugger;
void heddle_debugger_stop();
}

}  // namespace heddle::runtime
