#include <gtest/gtest.h>

#include <algorithm>

#include "trace/edges.h"

namespace heddle::trace {
namespace {

Event event(unsigned number, ThreadId thread, unsigned index, Kind kind, const char* order, const char* location) {
  Event event;
  event.number = number;
  event.thread = thread;
  event.index = index;
  event.kind = kind;
  event.order = order;
  event.location = location;
  event.reads = kind == Kind::load || kind == Kind::fetchAdd || kind == Kind::lock;
  event.writes = kind == Kind::store || kind == Kind::fetchAdd || kind == Kind::lock || kind == Kind::unlock;
  return event;
}

std::vector<std::pair<unsigned, unsigned>> pairs(const Execution& execution, Edge::Kind kind) {
  std::vector<std::pair<unsigned, unsigned>> found;
  for (const Edge& edge : edgesOf(execution)) {
    if (edge.kind == kind) found.emplace_back(edge.from, edge.to);
  }
  std::ranges::sort(found);
  return found;
}

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

// 1: x = 1; 2: fetch_add x; 3: load x, which reads 1, from event 1.
Execution readBetween() {
  Execution execution;
  execution.events = {event(1, 0, 1, Kind::store, "release", "x"), event(2, 1, 1, Kind::fetchAdd, "relaxed", "x"),
                      event(3, 2, 1, Kind::load, "acquire", "x")};
  execution.events[1].from = execution.events[1].coAfter = 1;
  execution.events[2].from = 1;
  return execution;
}

TEST(TraceEdges, ReadsFromCoherenceAndReadsBefore) {
  const Execution execution = readBetween();
  EXPECT_EQ(pairs(execution, Edge::Kind::rf), (Pairs{{1, 2}, {1, 3}}));
  EXPECT_EQ(pairs(execution, Edge::Kind::co), (Pairs{{1, 2}}));
  EXPECT_EQ(pairs(execution, Edge::Kind::rb), (Pairs{{3, 2}}));
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), (Pairs{{1, 3}}));
}

TEST(TraceEdges, InitialValuesAreBeforeTheFirstWrite) {
  Execution execution;
  execution.events = {event(1, 0, 1, Kind::load, "relaxed", "x"), event(2, 1, 1, Kind::store, "relaxed", "x")};
  EXPECT_EQ(pairs(execution, Edge::Kind::rf), Pairs());
  EXPECT_EQ(pairs(execution, Edge::Kind::rb), (Pairs{{1, 2}}));
}

TEST(TraceEdges, AReleaseSequenceGoesOnThroughReadModifyWrites) {
  Execution execution = readBetween();
  execution.events[2].from = 2;
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), (Pairs{{1, 3}}));
  execution.events[0].order = "relaxed";
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), Pairs());
  execution.events[1].order = "acq_rel/relaxed";
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), (Pairs{{2, 3}}));
  execution.events[1].success = false;
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), Pairs());
}

TEST(TraceEdges, AReleaseSequenceEndsAtAStore) {
  Execution execution = readBetween();
  execution.events[1].kind = Kind::store;
  execution.events[1].reads = false;
  execution.events[2].from = 2;
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), Pairs());
}

TEST(TraceEdges, FencesSynchronise) {
  Execution execution;
  execution.events = {event(1, 0, 1, Kind::fence, "release", ""), event(2, 0, 2, Kind::store, "relaxed", "x"),
                      event(3, 1, 1, Kind::load, "relaxed", "x"), event(4, 1, 2, Kind::fence, "acquire", "")};
  execution.events[2].from = 2;
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), (Pairs{{1, 4}}));
  execution.events[3].order = "release";
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), Pairs());
}

TEST(TraceEdges, LocksSynchronise) {
  Execution execution;
  execution.events = {event(1, 0, 1, Kind::lock, "", "m"), event(2, 0, 2, Kind::unlock, "", "m"),
                      event(3, 1, 1, Kind::lock, "", "m")};
  execution.events[1].coAfter = 1;
  execution.events[2].from = execution.events[2].coAfter = 2;
  EXPECT_EQ(pairs(execution, Edge::Kind::sw), (Pairs{{2, 3}}));
}

TEST(TraceEdges, ThreadsAndOtherRelations) {
  Execution execution;
  execution.events = {event(1, 0, 1, Kind::spawn, "", ""), event(2, 1, 1, Kind::store, "relaxed", "x"),
                      event(3, 1, 2, Kind::store, "relaxed", "y"), event(4, 0, 2, Kind::join, "", "")};
  execution.events[0].partner = execution.events[3].partner = 1;
  execution.relations = {{"ppo", {{2, 3}}}};
  EXPECT_EQ(pairs(execution, Edge::Kind::thread), (Pairs{{1, 2}, {3, 4}}));
  EXPECT_EQ(pairs(execution, Edge::Kind::other), (Pairs{{2, 3}}));
}

}  // namespace
}  // namespace heddle::trace
