// The failing execution once more, from its beginning to what goes wrong, in the order in which the report shows it: for a debugger.
//
// The exploration comes to an execution in an order of its own, with threads that are rewound on the way. Here each thread runs
// once. Its operations have the results that they had in the execution, and the events are put back into the graph one by one, as
// native code looks at it (Program::advance). The order is one that po | rf leads down in, so every plain access happens where
// happens-before allows it. What a thread does that goes wrong comes last.
//
// The threads run on carriers (runtime/carriers.h), and stop for the debugger as runtime/debugger.h says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/any_explorer.h"
#include "run/recorded_results.h"
#include "runtime/debugger.h"
#include "runtime/native_program.h"

namespace heddle::run {

// What is known of the execution when its error is reported.
struct RetracePlan {
  std::vector<EventId> relevant, others;  // events, each after those that lead to it; `others` did not lead to the error
  std::unordered_map<EventId, unsigned> numbers;  // by which they are shown
  std::optional<EventId> wrong;                   // the event that is what goes wrong; none: what its thread does then
  ThreadId thread = 0;                            // that goes wrong
  std::vector<std::string> threads;               // their names
  std::vector<std::string> events;                // the relevant ones by number, a line of text each
  std::string problem;                            // what goes wrong, in a line
};

class Retrace {
 public:
  Retrace(explore::AnyExplorer& explorer, runtime::NativeProgram& program, const RecordedResults& results, RetracePlan plan);

  // Runs the execution, and again as often as the debugger wants. False: this explorer cannot.
  bool run();

 private:
  bool runOnce();
  bool advance(ThreadId thread);
  void comeTo(EventId id, runtime::Carriers& carriers);
  void noteValue(EventId id);
  void describe();

  explore::AnyExplorer& explorer_;
  runtime::NativeProgram& program_;
  const RetracePlan plan_;
  std::vector<std::vector<Result>> results_;
  std::vector<Operation> pending_;  // by thread
  std::vector<runtime::HeddleNewestValue> values_;
  std::unordered_map<std::uint64_t, std::size_t> valueOf_;  // by address
  std::vector<EventId> putBack_;
  std::string events_, threads_;
};

}  // namespace heddle::run
