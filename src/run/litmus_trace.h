// An execution for people: what each thread did, and where each read got its value.
//
// Every event has a letter, so that a read can name the write it reads from:
//
//     P0
//       a  line 8   write x = 1, relaxed
//     P1
//       b  line 12  read x = 1, acquire          from a
//       c  line 13  exchange y: 0 -> 1, seq_cst  from the initial value
//
// The two events of a read-modify-write are one line. Where accesses have mixed sizes, a part of a location is given by
// its first byte and its last, and a read may have several sources:
//
//       d  line 14  read x = 257, relaxed        x[0:0] from a, x[1:1] from c
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "litmus/program.h"
#include "mixer/mixed_graph.h"

namespace heddle::run {

// A place where a thread has stopped, shown after its last event.
struct Stop {
  ThreadId thread = 0;
  unsigned line = 0;
  std::string message;
};

// `withCoherence`: the order of the writes of each location is part of the execution; it is shown where there is
// more than one write.
std::vector<std::string> describeExecution(const Graph& graph, const litmus::LitmusProgram& program, const Stop& stop,
                                           bool withCoherence);
std::vector<std::string> describeExecution(const MixedGraph& graph, const litmus::LitmusProgram& program,
                                           const Stop& stop, bool withCoherence);

// "write", "read", "exchange", "lock", ...
std::string accessKind(const Operation& operation);
std::string orderName(Order order);

// The text of a statement without the place that sourceText puts before it.
std::string statementText(const litmus::LitmusProgram& program, std::uint32_t source);

}  // namespace heddle::run
