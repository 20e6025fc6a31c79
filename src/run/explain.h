// Why an execution that ended in an error is possible (trace/why.h): does an interleaving lead there, which models allow it, and which
// stronger memory orders would forbid it. Who waits for whom is run/waits.h.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/execution_view.h"
#include "model/ast.h"
#include "run/tracer.h"
#include "why/relabelled.h"

namespace heddle::run {

// One of two accesses that race: an event, or a plain access of a thread right before its event with this index.
struct RacingAccess {
  EventId event = kNone;
  ThreadId thread = 0;
  unsigned index = 0;  // 0: after the thread's last event
  bool writes = false;
};

struct ExplainOptions {
  const model::Model* model = nullptr;  // that was explored; nullptr: nothing but interleavings is looked at
  std::string modelName;
  bool isRace = false;
  std::vector<RacingAccess> race;       // the two accesses, if it is known where they are
  const TraceOptions* trace = nullptr;  // with numbers
  std::vector<trace::Change> changed;   // fences that were put in are not part of the program
};

// Explanations know no transactions yet.
bool hasTransactions(const ExecutionView& graph);

// What is kept of an execution for --suggest.
why::Graph graphOf(const ExecutionView& graph, const SourceNames& names, const ExplainOptions& options);

trace::Why explain(const ExecutionView& graph, const SourceNames& names, const ExplainOptions& options);

}  // namespace heddle::run
