// The explorer as the fuzzer sees it: the executions it reports, as the keys of oracle.h, in the order it found
// them and with any that came twice.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/execution_view.h"
#include "model/compile.h"
#include "program/program.h"

namespace heddle::explore {
struct AlikeThreads;
}

namespace heddle::oracle {

struct ExplorerKeys {
  std::vector<std::string> keys;  // co-keys under "co", rf-keys under "rf"
  bool race = false;              // a data race was reported; only looked at if the program has plain accesses
  bool complete = true;           // false: there are more than the limit
  std::set<std::string> waiting;  // native programs: rf-keys of blocked executions in which threads wait for ever
};

// The same executions, in whatever order.
bool isSame(const ExplorerKeys& a, const ExplorerKeys& b);

struct KeyOptions {
  std::string equivalence = "co";  // or "rf", or "live": co without futile blocked executions
  // Under "rf": the co-keys of all coherence orders of each execution, not its rf-key.
  bool everyCoherence = false;
  // Under "rf": the rf-key with each way in which the locations can end, written as coherence orders of last writes.
  bool everyEnd = false;
  std::size_t limit = 0;                         // give up after so many keys; 0: never
  std::vector<unsigned> names = {};              // thread names[t] of the program is written as thread t, the others are
                                                 // not; empty: all of them as they are
  std::uint64_t split = 0;                       // explored in random parts, by this seed (split.h); 0: as a whole
  const explore::AlikeThreads* alike = nullptr;  // threads of which one order is explored
};

// By the explorer that the model needs. A model with dependencies is explored by "co" twice: with load buffering, and
// without where there is none. If the two differ, what comes back is the second. By "rf" only the second is done, which throws
// explore::LoadBuffering.
ExplorerKeys exploreWith(Program& program, const model::CompiledModel& model, const KeyOptions& options);

// A built-in model by its name, or one from a file. `equivalence` is as in KeyOptions.
ExplorerKeys exploreKeys(Program& program, const std::string& model, const std::string& equivalence);

// What the threads and the locations of a graph are called in its key.
struct KeyNames {
  static constexpr ThreadId kNoThread = 0xffff;
  std::vector<ThreadId> threads;  // threads[t] of the graph is written as thread t; the others are not written
  // The address that a location is written with; none: its events are left out. No function: its own address.
  std::function<std::optional<Address>(const ByteRange&)> address = {};
  bool plain = true;  // false: plain accesses are left out, and who reads from one reads from the initial write
};

// What of co is in a key, after the bar.
enum class KeyCoherence { none, lastWrites, all };

// The key of a graph. Choices are events of the graph but not of the oracle.
std::string keyOf(const ExecutionView& graph, const KeyNames& names, KeyCoherence coherence);

// The key with the last writes only, from a co-key.
std::string endOf(const std::string& coKey);

}  // namespace heddle::oracle
