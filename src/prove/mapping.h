// Compilation schemes: what the events of a language become on a machine.
//
// One graph serves both models. It has the language's events and the fences that the scheme inserts; the language's
// model does not see inserted fences, and the machine's model sees an event as the class it is mapped to, or not at
// all. A scheme is correct if every such graph that the machine allows is one that the language allows (thesis section
// 3.7; hiding the inserted fences from the language's model is ours, and makes no proof harder). The fences stand
// around a whole read-modify-write, never inside it.
#pragma once

#include "prove/graph.h"
#include "prove/query.h"
#include "prove/theory.h"

namespace heddle::prove {

struct CompiledMapping {
  std::vector<int> image;                     // by event class; -1: skip
  std::vector<std::vector<unsigned>> before;  // by event class: classes of the fences inserted before it
  std::vector<std::vector<unsigned>> after;

  static CompiledMapping identity();
};

// Throws model::CatError for a row that does not make sense.
CompiledMapping compileMapping(const Mapping& mapping);

// The cells that belong to a set of the machine's classes, and those that exist for the machine.
Cells machineCells(const CompiledMapping& mapping, ClassSet classes);
Cells machineEvents(const CompiledMapping& mapping);

// The classes of the fences that stand, in this order, between an event of the first class and a later one of the
// second, unless these two are one read-modify-write, which has no fence inside.
std::vector<unsigned> fencesBetween(const CompiledMapping& mapping, unsigned from, unsigned to);

// The graph with the fences inserted.
Graph insertFences(const Graph& graph, const CompiledMapping& mapping);

// The graph with its events numbered as they are read: thread by thread, in program order.
Graph inThreadOrder(const Graph& graph);

// The graph with one more event, right before (or, if b is the write of a read-modify-write, before its read) event b.
Graph insertBefore(const Graph& graph, unsigned b, unsigned cell);

}  // namespace heddle::prove
