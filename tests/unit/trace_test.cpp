// The value of an execution: every format of the table shows it, and it survives the way to another process.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "trace/formats/formats.h"
#include "trace/transport.h"
#include "trace/words.h"

namespace heddle::trace {
namespace {

Event access(unsigned number, ThreadId thread, Kind kind, const std::string& value) {
  Event event;
  event.number = number;
  event.thread = thread;
  event.kind = kind;
  event.location = "flag";
  event.value = value;
  event.order = "release";
  event.place = {"dir/mp.litmus", "", 10 + number, 3, "text of the line"};
  return event;
}

// Two stores and a load, with everything that an execution may have.
Execution example() {
  Execution execution;
  execution.title = "MP under rc20: it fails";
  execution.threads = {"P0", "P1"};
  Event first = access(1, 0, Kind::store, "1"), second = access(2, 0, Kind::store, "7"), load = access(3, 1, Kind::load, "7");
  first.writes = second.writes = load.reads = true;
  second.coAfter = 1;
  second.involved = true;
  load.from = 2;
  load.fromParts = {{"flag[0:1]", 2}, {"flag[2:3]", 0}};
  execution.events = {first, second, load};
  execution.error = Error{.kind = "data-race",
                          .title = "data race",
                          .message = "data race on flag",
                          .site = {.thread = 1, .at = load.place, .called = "f()", .callers = {first.place}, .thin = true},
                          .related = {{"plain write", {.thread = 0, .at = first.place, .called = "", .callers = {}}, 2}}};
  execution.coherence = {{"flag", {1, 2}}, {"other", {1}}};
  execution.relations = {{"rb", {{3, 1}, {3, 2}}}};
  return execution;
}

TEST(Formats, EachShowsEveryEvent) {
  const Execution execution = example();
  std::set<std::string> names;
  for (const Format& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(format.onPage || format.inObject || format.inFile) << format.name;
    std::string shown;
    if (format.onPage != nullptr) shown += format.onPage(execution, {});
    if (format.inObject != nullptr) {
      nlohmann::ordered_json object;
      format.inObject(execution, object);
      shown += object.dump();
    }
    if (format.inFile != nullptr) {
      EXPECT_STRNE(format.help, "") << format.name << " becomes an option, which needs help";
      shown += format.inFile({&execution, 1});
      const Execution nothing{.title = "nothing to show",
                              .subject = {},
                              .model = {},
                              .state = {},
                              .threads = {},
                              .events = {},
                              .error = {},
                              .why = {},
                              .coherence = {},
                              .relations = {}};
      EXPECT_NE(format.inFile({&nothing, 1}).find("nothing to show"), std::string::npos) << format.name;
      EXPECT_NE(format.inFile(std::vector{nothing, execution}).find(execution.title), std::string::npos) << format.name;
    }
    for (const char* part : {"store", "load", "flag", "7", "release", "P0", "P1", "mp.litmus"}) {
      EXPECT_NE(shown.find(part), std::string::npos) << format.name << " does not show " << part << ":\n" << shown;
    }
  }
}

TEST(Formats, TextTellsOrdersAndRelationsBelow) {
  Execution execution = example();
  const std::string page = onPage(execution, {});
  const std::string below = "  Coherence of flag: initial, 1, 2\n"
                            "  rb: 3 -> 1, 3 -> 2\n";
  EXPECT_TRUE(page.ends_with(below)) << page << "one write has no order to tell";
  execution.coherence.clear();
  execution.relations.clear();
  EXPECT_EQ(onPage(execution, {}) + below, page);
}

TEST(Formats, TextWithoutPlacesHasNoColumnForThem) {
  Execution execution;
  execution.threads = {"thread 0", "thread 1"};
  execution.events = {access(1, 0, Kind::store, "1"), access(2, 1, Kind::store, "2")};
  for (Event& event : execution.events) event.place = {};
  EXPECT_EQ(onPage(execution, {}), "     thread 0                 thread 1\n"
                                   "  1  store flag = 1, release\n"
                                   "  2                           store flag = 2, release\n");
}

TEST(Formats, ThreadsOfALitmusTestGoByTheirNames) {
  Execution execution;
  execution.threads = {"P0", "P1", "P2"};
  for (const ThreadId partner : {ThreadId{1}, ThreadId{2}}) {
    Event spawn;
    spawn.kind = Kind::spawn;
    spawn.number = partner;
    spawn.partner = partner;
    execution.events.push_back(spawn);
  }
  EXPECT_EQ(onPage(execution, {}), "       P0\n"
                                   "  1-2  spawn P1, P2\n");
}

TEST(Formats, ThreadsOfAProgramGoByTheirNumbers) {
  Execution execution;
  execution.threads = {"main", "thread 1"};
  Event join;
  join.kind = Kind::join;
  join.number = 1;
  join.thread = 1;
  execution.events = {join};
  EXPECT_EQ(onPage(execution, {}), "     thread 1\n"
                                   "  1  join thread 0\n");
}

// Another process sees the same: every format says the same of what has been sent.
TEST(Transport, NothingIsLost) {
  const Execution sent = example();
  const nlohmann::json json = sent;
  const auto received = nlohmann::json::parse(json.dump()).get<Execution>();
  EXPECT_EQ(nlohmann::json(received), json);
  EXPECT_EQ(onPage(received, {}), onPage(sent, {}));
  EXPECT_EQ(received.error->site.callers.at(0).line, 11U);
  EXPECT_EQ(received.error->related.at(0).index, 2U);
  EXPECT_EQ(received.relations.at(0).pairs, sent.relations.at(0).pairs);
  EXPECT_FALSE(nlohmann::json(Execution()).get<Execution>().error);
}

TEST(Words, AreThoseOfC) {
  const auto kind = [](OperationKind what, bool ofLock = false, Order order = Order::acquire, LockOp lock = LockOp::hold) {
    Operation operation;
    operation.kind = what;
    operation.order = order;
    operation.lock = lock;
    operation.rmw = what == OperationKind::rmw ? RmwOp::sub : RmwOp::exchange;
    return std::string(wordOf(kindOf(operation, ofLock)));
  };
  EXPECT_EQ(kind(OperationKind::load), "load");
  EXPECT_EQ(kind(OperationKind::load, false, Order::plain), "plain read");
  EXPECT_EQ(kind(OperationKind::store, false, Order::plain), "plain write");
  EXPECT_EQ(kind(OperationKind::rmw), "fetch_sub");
  EXPECT_EQ(kind(OperationKind::cas), "compare_exchange");
  EXPECT_EQ(kind(OperationKind::cas, true), "trylock");
  EXPECT_EQ(kind(OperationKind::rmw, true), "unlock");
  EXPECT_EQ(kind(OperationKind::lock, true, Order::acquire, LockOp::read), "lock for reading");
}

}  // namespace
}  // namespace heddle::trace
