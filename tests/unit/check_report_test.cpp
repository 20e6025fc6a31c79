// Reports on checks of native programs, from results that are made up here: text, traces, JSON, graphs.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/check_json.h"
#include "report/check_text.h"
#include "runtime/error.h"
#include "trace/formats/describe.h"
#include "trace/formats/dot.h"
#include "trace/formats/text.h"

namespace heddle::report {
namespace {

using nlohmann::json;
using run::CheckResult;
using runtime::ErrorKind;
using trace::Execution;
using trace::Site;
using util::displayWidth;
using util::wrapped;

trace::Event at(unsigned number, ThreadId thread, trace::Kind kind, unsigned line) {
  trace::Event event;
  event.number = number;
  event.thread = thread;
  event.kind = kind;
  event.place.file = "src/mp.cpp";
  event.place.line = line;
  return event;
}

trace::Event spawn(unsigned number, ThreadId partner, unsigned line) {
  trace::Event event = at(number, 0, trace::Kind::spawn, line);
  event.partner = partner;
  return event;
}

trace::Event store(unsigned number, ThreadId thread, const std::string& location, const std::string& value, unsigned line,
                   unsigned coAfter = 0) {
  trace::Event event = at(number, thread, trace::Kind::store, line);
  event.location = location;
  event.value = value;
  event.order = "relaxed";
  event.writes = true;
  event.coAfter = coAfter;
  return event;
}

trace::Event load(unsigned number, ThreadId thread, const std::string& location, const std::string& value, unsigned line,
                  unsigned from) {
  trace::Event event = at(number, thread, trace::Kind::load, line);
  event.location = location;
  event.value = value;
  event.order = "acquire";
  event.reads = true;
  event.from = from;
  return event;
}

trace::Place place(const std::string& file, const std::string& function, unsigned line, const std::string& text) {
  return {file, function, line, 0, text};
}

trace::Error errorOf(ErrorKind kind, const std::string& message, Site site) {
  return {
      .kind = runtime::name(kind), .title = runtime::title(kind), .message = message, .site = std::move(site), .related = {}};
}

trace::Error::Related related(const std::string& what, ThreadId thread, unsigned index, const trace::Place& place) {
  return {what, {.thread = thread, .at = place, .called = "", .callers = {}}, index};
}

CheckReport reportWith(CheckVerdict verdict) {
  CheckReport report;
  report.files = {"src/mp.cpp"};
  report.model = "rc20";
  report.result.verdict = verdict;
  report.result.executions = 1204;
  report.result.totalSeconds = 0.021;
  report.result.seconds = 0.004;
  report.result.peakBytes = 14'200'000;
  return report;
}

// Message passing without synchronisation.
CheckReport messagePassing() {
  CheckReport report = reportWith(CheckVerdict::error);
  report.result.executions = 3;
  Execution& execution = report.result.execution;
  execution.error =
      errorOf(ErrorKind::assertion, "r == 1",
              {.thread = 2, .at = place("src/mp.cpp", "reader()", 14, "assert(r == 1);"), .called = "", .callers = {}});
  execution.threads = {"main", "thread 1 (writer)", "thread 2 (reader)"};
  execution.events = {spawn(1, 1, 20),
                      spawn(2, 2, 21),
                      store(3, 1, "data", "1", 7),
                      store(4, 1, "flag", "1", 8),
                      load(5, 2, "flag", "1", 12, 4),
                      load(6, 2, "data", "0", 13, 0)};
  return report;
}

std::string text(const CheckReport& report) { return checkText(report, Style(), {}); }

std::string traceText(const Execution& execution, std::size_t width) { return trace::text(execution, {Style(), width}); }

std::string action(trace::Event event) { return trace::actionText(event); }

std::string checkDot(const CheckReport& report) { return trace::dot(std::vector{shownExecution(report)}); }

TEST(CheckText, Verified) {
  EXPECT_EQ(text(reportWith(CheckVerdict::verified)),
            "verified   src/mp.cpp under rc20: 1,204 executions, 0 blocked, 0.02 s, 14 MB\n");
}

TEST(CheckText, TheLineSaysWhatWasChecked) {
  CheckReport report = reportWith(CheckVerdict::verified);
  report.files = {"a.c", "b.c"};
  report.model = "mine";
  report.modelFile = "my.cat";
  report.equivalence = explore::Equivalence::rf;
  report.assumed = true;
  report.result.executions = 1;
  report.result.blocked = 1'234'567;
  report.result.peakBytes = 2'340'000'000;
  EXPECT_EQ(text(report),
            "verified   a.c b.c under mine (my.cat), equivalence rf, requirements assumed: 1 execution, 1,234,567 "
            "blocked, 0.02 s, 2.3 GB\n");
  report.files = {"a.c", "b.c", "c.c", "d.c", "e.c"};
  EXPECT_EQ(text(report).rfind("verified   a.c and 4 more files under mine", 0), 0U);
}

TEST(CheckText, Bounded) {
  CheckReport report = reportWith(CheckVerdict::bounded);
  report.result.bounds = {{"src/spin.cpp", 12, 8}, {"src/spin.cpp", 30, 1}};
  EXPECT_EQ(text(report),
            "bounded    src/mp.cpp under rc20: 1,204 executions, 0 blocked, 0.02 s, 14 MB\n"
            "           no error was found, but these loops were cut, and there may be one beyond:\n"
            "             src/spin.cpp:12 after 8 rounds\n"
            "             src/spin.cpp:30 after 1 round\n"
            "           raise the bound with --unroll 2, or that of one loop with --unroll-loop src/spin.cpp:30=2\n");
}

TEST(CheckText, StaleReads) {
  CheckReport report = reportWith(CheckVerdict::bounded);
  report.result.bounds = {{.file = "src/spin.cpp", .line = 12, .bound = 2, .staleReads = 3}};
  EXPECT_EQ(text(report),
            "bounded    src/mp.cpp under rc20: 1,204 executions, 0 blocked, 0.02 s, 14 MB\n"
            "           no error was found, but loads of overwritten values were left out, and there may be one beyond:\n"
            "             src/spin.cpp:12 after 2 loads in a row, 3 times\n"
            "           raise the bound with --stale 4\n");
  report.result.bounds = {{.file = "src/spin.cpp", .line = 12, .staleReads = 1, .yields = true}};
  EXPECT_NE(text(report).find("  src/spin.cpp:12 after a yield, 1 time\n"), std::string::npos) << text(report);
  report.result.bounds[0].bound = 3;
  EXPECT_NE(text(report).find("  src/spin.cpp:12 after 3 loads in a row or a yield, 1 time\n"), std::string::npos);
}

TEST(CheckText, IncompleteAndWarnings) {
  CheckReport report = reportWith(CheckVerdict::incomplete);
  report.result.incompleteReason = "out of time after 2 s";
  report.result.warnings = {"thread 2 is never joined"};
  EXPECT_EQ(text(report),
            "incomplete src/mp.cpp under rc20: out of time after 2 s; 1,204 executions, 0 blocked, 0.02 s, 14 MB\n"
            "warning    thread 2 is never joined\n");
}

TEST(CheckText, Error) {
  EXPECT_EQ(text(messagePassing()),
            "error      src/mp.cpp under rc20: assertion failure; 3 executions, 0 blocked, 0.02 s, 14 MB\n"
            "\n"
            "assertion failure: r == 1\n"
            "  src/mp.cpp:14 in reader(), thread 2 (reader)\n"
            "      assert(r == 1);\n"
            "\n"
            "The execution that leads there:\n"
            "\n"
            "                  main                thread 1 (writer)        thread 2 (reader)\n"
            "  1-2  mp.cpp:20  spawn threads 1, 2\n"
            "    3  mp.cpp:7                       store data = 1, relaxed\n"
            "    4  mp.cpp:8                       store flag = 1, relaxed\n"
            "    5  mp.cpp:12                                               load flag = 1, acquire  from 4\n"
            "    6  mp.cpp:13                                               load data = 0, acquire  initial value\n"
            "    !  mp.cpp:14                                               assertion failure\n");
}

TEST(CheckText, QuietLeavesOutTheExecution) {
  CheckReport report = messagePassing();
  report.result.output = "hello\n";
  EXPECT_EQ(checkText(report, Style(), {.quiet = true}),
            "error      src/mp.cpp under rc20: assertion failure; 3 executions, 0 blocked, 0.02 s, 14 MB\n"
            "\n"
            "assertion failure: r == 1\n"
            "  src/mp.cpp:14 in reader(), thread 2 (reader)\n"
            "      assert(r == 1);\n");
}

TEST(CheckText, RelatedPlacesOutputAndTiming) {
  CheckReport report = reportWith(CheckVerdict::error);
  CheckResult& result = report.result;
  result.execution.error = errorOf(ErrorKind::dataRace, "data race on queue.head",
                                   {.thread = 1, .at = place("q.c", "", 31, ""), .called = "", .callers = {}});
  result.execution.error->related = {related("plain read", 2, 0, place("q.c", "pop", 40, "return head;")),
                                     related("allocated", 0, 0, {})};
  result.output = "one\ntwo \x1b[31m";
  result.timing = {{"compile", 0.0123}, {"explore", 0.5}};
  EXPECT_EQ(checkText(report, Style(), {.timing = true}),
            "error      src/mp.cpp under rc20: data race; 1,204 executions, 0 blocked, 0.02 s, 14 MB\n"
            "\n"
            "data race on queue.head\n"
            "  q.c:31, thread 1\n"
            "  plain read: q.c:40 in pop, thread 2\n"
            "      return head;\n"
            "  allocated: main\n"
            "\n"
            "The program's output in this execution:\n"
            "\n"
            "  one\n"
            "  two ?[31m\n"
            "\n"
            "Step     Seconds\n"
            "compile   0.0123\n"
            "explore   0.5000\n"
            "total     0.0210\n");
}

// A race in a wrapper of the program's own, and in a container.
CheckReport raceInCalls() {
  CheckReport report = reportWith(CheckVerdict::error);
  Execution& execution = report.result.execution;
  execution.error = errorOf(
      ErrorKind::dataRace, "data race on data",
      {.thread = 1,
       .at = place("atomics.h", "load(int*)", 7, "return *x;"),
       .called = "",
       .callers = {place("atomics.h", "get(int*)", 20, "return load(x);"), place("queue.cpp", "pop()", 40, "get(&data)")},
       .thin = true});
  execution.error->related = {related("write", 2, 1, place("queue.cpp", "push()", 31, "map[1] = data;"))};
  execution.error->related[0].site.called = "std::map::operator[]";
  execution.threads = {"main", "thread 1", "thread 2"};
  execution.events = {spawn(1, 1, 20), spawn(2, 2, 21)};
  return report;
}

TEST(CheckText, CallsAndCallers) {
  EXPECT_EQ(text(raceInCalls()), "error      src/mp.cpp under rc20: data race; 1,204 executions, 0 blocked, 0.02 s, 14 MB\n"
                                 "\n"
                                 "data race on data\n"
                                 "  atomics.h:7 in load(int*), thread 1\n"
                                 "      return *x;\n"
                                 "    called from atomics.h:20 in get(int*)\n"
                                 "      return load(x);\n"
                                 "    called from queue.cpp:40 in pop()\n"
                                 "      get(&data)\n"
                                 "  write: queue.cpp:31 in push(), thread 2, in a call of std::map::operator[]\n"
                                 "      map[1] = data;\n"
                                 "\n"
                                 "The execution that leads there:\n"
                                 "\n"
                                 "                     main                thread 1   thread 2\n"
                                 "  1-2  mp.cpp:20     spawn threads 1, 2\n"
                                 "    !  queue.cpp:31                                 write\n"
                                 "    !  queue.cpp:40                      data race\n");
}

TEST(CheckTrace, WhatAThreadDidComesBeforeItsJoin) {
  Execution execution = raceInCalls().result.execution;
  execution.error->site.thread = 0;
  trace::Event first = at(3, 0, trace::Kind::join, 22), second = at(4, 0, trace::Kind::join, 22);
  first.partner = 1;
  second.partner = 2;
  execution.events.push_back(first);
  execution.events.push_back(second);
  EXPECT_EQ(traceText(execution, 80), "                     main                thread 2\n"
                                      "  1-2  mp.cpp:20     spawn threads 1, 2\n"
                                      "    !  queue.cpp:31                      write\n"
                                      "  3-4  mp.cpp:22     join threads 1, 2\n"
                                      "    !  queue.cpp:40  data race\n");
}

TEST(CheckText, ColourOnlyWhenAsked) {
  EXPECT_EQ(text(messagePassing()).find('\x1b'), std::string::npos);
  const std::string coloured = checkText(messagePassing(), Style(true), {});
  EXPECT_EQ(coloured.rfind("\x1b[1;31merror\x1b[0m      src/mp.cpp", 0), 0U);
  EXPECT_NE(coloured.find("\x1b[1m                  main "), std::string::npos) << "the heading is bold";
  std::string plain;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  EXPECT_EQ(plain, text(messagePassing()));
}

TEST(CheckText, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(memoryText(13'600'000), "14 MB");
  EXPECT_EQ(progressText({1'000'000, 24, 2.0}), "1,000,000 executions, 24 blocked, 500,012/s, 2.0 s");
  EXPECT_EQ(progressText({}), "0 executions, 0 blocked, 0/s, 0.0 s");
  // What a checkpoint brought along took no time of this run.
  EXPECT_EQ(progressText({1'000'000, 24, 2.0, {}, 1'000'000}), "1,000,000 executions, 24 blocked, 12/s, 2.0 s");
}

TEST(CheckText, Estimates) {
  const std::string counts = "1,000 executions, 0 blocked, 100/s, 10.0 s";
  const auto said = [](double executions, double low, double high) {
    parallel::Progress progress{1000, 0, 10.0};
    progress.estimate = {executions, low, high, 3};
    return progressText(progress);
  };
  EXPECT_EQ(said(4000, 3000, 5000), "20.0 to 40.0 s left, about 25% done; " + counts);
  EXPECT_EQ(said(1e36, 1, 1e37), "up to thousands of years left, less than 1% done; " + counts);
  EXPECT_EQ(said(900, 800, 950), "more than was estimated; " + counts);
  const parallel::Estimate far{1e36, 1, 1e37, 3}, known{1000, 1000, 1000, 3};
  EXPECT_EQ(estimateText(far, 1000, 10),
            "1.00e+36 executions (95%: 1 to 1.00e+37), from 3 sweeps; up to thousands of years at the speed of this run");
  EXPECT_EQ(estimateText(known, 1000, 10), "1,000 executions (95%: 1,000), from 3 sweeps; 10.0 s at the speed of this run");
}

TEST(CheckTrace, Actions) {
  EXPECT_EQ(action(store(1, 0, "arr[3].x", "-1", 1)), "store arr[3].x = -1, relaxed");
  trace::Event update = load(1, 0, "head", "&node[2]", 1, 0);
  update.kind = trace::Kind::compareExchange;
  update.order = "acq_rel/relaxed";
  update.oldValue = "null";
  update.writes = true;
  EXPECT_EQ(action(update), "compare_exchange head: null -> &node[2], acq_rel/relaxed");
  trace::Event failed = load(1, 0, "head", "7", 1, 0);
  failed.kind = trace::Kind::compareExchange;
  failed.success = false;
  EXPECT_EQ(action(failed), "compare_exchange head fails at 7, acquire");
  failed.spurious = true;
  EXPECT_EQ(action(failed), "compare_exchange head fails spuriously at 7, acquire");
  trace::Event fence = at(1, 0, trace::Kind::fence, 1);
  fence.order = "seq_cst";
  EXPECT_EQ(action(fence), "fence, seq_cst");
  trace::Event lock = at(1, 0, trace::Kind::lock, 1);
  lock.location = "mutex";
  lock.reads = lock.writes = true;
  EXPECT_EQ(action(lock), "lock mutex");
  trace::Event choice = at(1, 0, trace::Kind::choose, 1);
  choice.value = "1 of 3";
  EXPECT_EQ(action(choice), "choose 1 of 3");
}

TEST(CheckTrace, AListWhereColumnsDoNotFit) {
  EXPECT_EQ(traceText(messagePassing().result.execution, 70),
            "  1-2  mp.cpp:20  main               spawn threads 1, 2\n"
            "    3  mp.cpp:7   thread 1 (writer)  store data = 1, relaxed\n"
            "    4  mp.cpp:8   thread 1 (writer)  store flag = 1, relaxed\n"
            "    5  mp.cpp:12  thread 2 (reader)  load flag = 1, acquire  from 4\n"
            "    6  mp.cpp:13  thread 2 (reader)  load data = 0, acquire\n"
            "                                       initial value\n"
            "    !  mp.cpp:14  thread 2 (reader)  assertion failure\n");
}

TEST(CheckTrace, LongTextGoesOnBelow) {
  EXPECT_EQ(traceText(messagePassing().result.execution, 90),
            "                  main                thread 1 (writer)        thread 2 (reader)\n"
            "  1-2  mp.cpp:20  spawn threads 1, 2\n"
            "    3  mp.cpp:7                       store data = 1, relaxed\n"
            "    4  mp.cpp:8                       store flag = 1, relaxed\n"
            "    5  mp.cpp:12                                               load flag = 1, acquire\n"
            "                                                                 from 4\n"
            "    6  mp.cpp:13                                               load data = 0, acquire\n"
            "                                                                 initial value\n"
            "    !  mp.cpp:14                                               assertion failure\n");
}

TEST(CheckTrace, AListIfAColumnWouldNeedManyLines) {
  Execution execution = messagePassing().result.execution;
  execution.events[4].location = "the_queue.nodes[3].next.flag.of.a.kind x";
  EXPECT_NE(traceText(execution, 110).find("                  main                thread 1 (writer) "), std::string::npos);
  EXPECT_NE(traceText(execution, 90).find("  1-2  mp.cpp:20  main               spawn threads 1, 2\n"), std::string::npos);
}

// Of rounds that are the same one is shown, and how many there were.
TEST(CheckTrace, RoundsOfALoopAreFolded) {
  Execution execution;
  execution.threads = {"main", "thread 1"};
  for (unsigned i = 0; i < 5; ++i) {
    execution.events.push_back(load(2 * i + 1, 1, "x", "0", 7, 0));
    execution.events.push_back(store(2 * i + 2, 1, "y", "1", 8));
  }
  execution.events.push_back(load(11, 1, "x", "1", 7, 2));
  EXPECT_EQ(traceText(execution, 100), "                  thread 1\n"
                                       "     1  mp.cpp:7  load x = 0, acquire  initial value\n"
                                       "     2  mp.cpp:8  store y = 1, relaxed\n"
                                       "  3-10            the same again, 4 more times\n"
                                       "    11  mp.cpp:7  load x = 1, acquire  from 2\n");
}

// Rounds that differ in their values are folded, too, unless something is said of one of them.
TEST(CheckTrace, RoundsWithOtherValuesAreFolded) {
  Execution execution;
  execution.threads = {"main", "thread 1", "thread 2"};
  for (unsigned i = 0; i < 5; ++i) execution.events.push_back(store(i + 1, 1, "x", std::to_string(i), 7));
  EXPECT_EQ(traceText(execution, 100),
            "                 thread 1\n"
            "    1  mp.cpp:7  store x = 0, relaxed\n"
            "  2-5            the same 4 more times with other values, at last store x = 4, relaxed\n");
  execution.events.push_back(load(6, 2, "x", "2", 9, 3));
  const std::string read = traceText(execution, 120);
  EXPECT_EQ(read.find("more times"), std::string::npos) << read;
}

// An event that no interleaving explains says what stands against it.
TEST(CheckTrace, WhatNoInterleavingExplainsSaysSo) {
  Execution execution = messagePassing().result.execution;
  execution.events[5].oddity = trace::Oddity::stale;
  execution.events[5].oddBy = 3;
  EXPECT_NE(traceText(execution, 140).find("load data = 0, acquire  initial value, although 3 stored 1\n"), std::string::npos);
  execution.events[4].oddity = trace::Oddity::early;
  execution.events[4].oddBy = 4;
  EXPECT_NE(traceText(execution, 140).find("load flag = 1, acquire  from 4, which is below\n"), std::string::npos);
  execution.events[2].oddity = trace::Oddity::overtaken;
  execution.events[2].oddBy = 4;
  EXPECT_NE(traceText(execution, 160).find("store data = 1, relaxed  overwritten by 4 already\n"), std::string::npos);
}

TEST(CheckTrace, NoLineIsWiderThanThePage) {
  Execution execution = messagePassing().result.execution;
  for (std::size_t width = 62; width <= 160; ++width) {
    const std::string page = traceText(execution, width);
    for (std::size_t at = 0; at < page.size();) {
      const std::size_t end = page.find('\n', at);
      EXPECT_LE(end - at, width) << page;
      EXPECT_NE(page[end - 1], ' ') << "no blanks at the end of a line";
      at = end + 1;
    }
  }
}

TEST(CheckTrace, WhatCannotMatterIsLeftOut) {
  Execution execution = messagePassing().result.execution;
  execution.threads.push_back("thread 3 (other)");
  execution.events.push_back(store(7, 3, "unrelated", "1", 30));
  execution.events.back().relevant = false;
  execution.events.push_back(store(8, 1, "late", "1", 9));
  execution.events.back().relevant = false;
  EXPECT_EQ(traceText(execution, 100), traceText(messagePassing().result.execution, 100));
}

// Where it is known, the other access of a race has a row: before the next event of its thread.
TEST(CheckTrace, RelatedAccesses) {
  Execution execution = messagePassing().result.execution;
  execution.error->title = runtime::title(ErrorKind::dataRace);
  execution.events[2].index = 1;
  execution.events[3].index = 2;
  execution.error->related = {related("write", 1, 2, place("src/mp.cpp", "", 9, "")),
                              related("read", 1, 3, place("src/mp.cpp", "", 10, "")),
                              related("allocated", 0, 0, place("src/mp.cpp", "", 1, ""))};
  EXPECT_EQ(traceText(execution, 100),
            "                  main                thread 1 (writer)        thread 2 (reader)\n"
            "  1-2  mp.cpp:20  spawn threads 1, 2\n"
            "    3  mp.cpp:7                       store data = 1, relaxed\n"
            "    !  mp.cpp:9                       write\n"
            "    4  mp.cpp:8                       store flag = 1, relaxed\n"
            "    5  mp.cpp:12                                               load flag = 1, acquire  from 4\n"
            "    6  mp.cpp:13                                               load data = 0, acquire  initial value\n"
            "    !  mp.cpp:10                      read\n"
            "    !  mp.cpp:14                                               data race\n");
}

TEST(CheckTrace, SpawnsAndJoinsInARow) {
  Execution execution;
  execution.threads = {"main", "thread 1", "thread 2", "thread 3", "thread 4", "thread 5"};
  for (unsigned i = 1; i <= 5; ++i) execution.events.push_back(spawn(i, static_cast<ThreadId>(i), 10));
  execution.events.push_back(store(6, 1, "x", "1", 3));
  for (const ThreadId partner : std::vector<ThreadId>{1, 3, 4, 5}) {
    execution.events.push_back(spawn(6 + partner, partner, 12));
    execution.events.back().kind = trace::Kind::join;
  }
  execution.events.push_back(load(12, 0, "x", "1", 13, 6));
  EXPECT_EQ(traceText(execution, 100), "                   main                         thread 1\n"
                                       "   1-5  mp.cpp:10  spawn threads 1-5\n"
                                       "     6  mp.cpp:3                                store x = 1, relaxed\n"
                                       "  7-11  mp.cpp:12  join threads 1, 3-5\n"
                                       "    12  mp.cpp:13  load x = 1, acquire  from 6\n");
}

TEST(CheckTrace, NothingToShow) {
  EXPECT_EQ(traceText(Execution(), 100), "");
  Execution execution = messagePassing().result.execution;
  execution.events.clear();
  EXPECT_EQ(traceText(execution, 100), "") << "the error itself is told elsewhere";
}

TEST(CheckTrace, Wrapping) {
  EXPECT_EQ(wrapped("", 10), std::vector<std::string>{""});
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrapped("unbreakable", 5), std::vector<std::string>{"unbreakable"});
  EXPECT_EQ(wrapped("a  b", 2), (std::vector<std::string>{"a", "  b"}));
  EXPECT_EQ(displayWidth("\xc3\xbc\xe2\x86\x92x"), 3U);
}

TEST(CheckJson, Verified) {
  const json object = json::parse(checkJson(reportWith(CheckVerdict::verified)));
  EXPECT_EQ(object, json::parse(R"({
    "verdict": "verified", "files": ["src/mp.cpp"], "model": "rc20", "equivalence": "co", "executions": 1204,
    "blocked": 0, "seconds": 0.004, "totalSeconds": 0.021, "peakBytes": 14200000, "error": null, "threads": [],
    "trace": [], "bounds": [], "warnings": [], "timing": [], "output": ""})"));
}

TEST(CheckJson, Error) {
  CheckReport report = messagePassing();
  CheckResult& result = report.result;
  result.execution.error->related = {related("plain write", 1, 0, place("a.c", "f", 3, "x = 1;"))};
  result.bounds = {{"a.c", 9, 4}};
  result.timing = {{"compile", 0.25}};
  const json object = json::parse(checkJson(report));
  EXPECT_EQ(object["verdict"], "error");
  EXPECT_EQ(object["error"], json::parse(R"json({
    "kind": "assertion-failure", "message": "r == 1", "file": "src/mp.cpp", "line": 14, "thread": 2,
    "function": "reader()", "text": "assert(r == 1);",
    "related": [{"what": "plain write", "file": "a.c", "line": 3, "thread": 1, "function": "f", "text": "x = 1;"}]})json"));
  EXPECT_EQ(object["threads"], json({"main", "thread 1 (writer)", "thread 2 (reader)"}));
  ASSERT_EQ(object["trace"].size(), 6U);
  EXPECT_EQ(object["trace"][0], json::parse(R"({"number": 1, "thread": 0, "kind": "spawn", "partner": 1,
    "relevant": true, "file": "src/mp.cpp", "line": 20, "column": null, "function": null, "text": null})"));
  EXPECT_EQ(object["trace"][3]["coAfter"], 0);
  EXPECT_FALSE(object["trace"][3].contains("from"));
  EXPECT_EQ(object["trace"][4]["from"], 4);
  EXPECT_EQ(object["trace"][5]["from"], 0);
  EXPECT_EQ(object["trace"][5]["value"], "0");
  EXPECT_EQ(object["bounds"], json::parse(R"([{"file": "a.c", "line": 9, "bound": 4}])"));
  EXPECT_EQ(object["timing"], json::parse(R"([{"step": "compile", "seconds": 0.25}])"));
}

TEST(CheckJson, CallsAndCallers) {
  const json object = json::parse(checkJson(raceInCalls()));
  const json& error = object.at("error");
  EXPECT_FALSE(error.contains("called"));
  ASSERT_EQ(error.at("callers").size(), 2U);
  EXPECT_EQ(error["callers"][1]["file"], "queue.cpp");
  EXPECT_EQ(error["callers"][1]["line"], 40);
  EXPECT_EQ(error["related"][0]["called"], "std::map::operator[]");
  EXPECT_FALSE(error["related"][0].contains("callers"));
}

TEST(CheckJson, IncompleteAndBadInput) {
  CheckReport report = reportWith(CheckVerdict::incomplete);
  report.result.incompleteReason = "interrupted";
  EXPECT_EQ(json::parse(checkJson(report))["incomplete"], "interrupted");
  const json bad = json::parse(badInputJson(report, "a.c:1: error: \xff"));
  EXPECT_EQ(bad["verdict"], "incomplete");
  EXPECT_EQ(bad["error"]["kind"], "bad-input");
  EXPECT_EQ(bad["error"]["message"], "a.c:1: error: \xef\xbf\xbd") << "what is not UTF-8 is replaced";
  EXPECT_TRUE(bad["error"]["line"].is_null());
}

TEST(CheckDot, Graph) {
  CheckReport report = messagePassing();
  report.result.execution.events.push_back(store(7, 2, "flag", "\"2\\", 15, 4));
  report.result.execution.events.back().relevant = false;
  report.result.execution.events[2].involved = true;
  EXPECT_EQ(checkDot(report), R"dot(digraph execution {
  graph [label="src/mp.cpp under rc20: assertion failure: r == 1", labelloc=t, fontname="sans-serif"];
  node [shape=box, fontname="monospace", fontsize=11];
  edge [fontname="sans-serif", fontsize=10];
  subgraph cluster_0 {
    label="main";
    e1 [label="1: spawn thread 1 (writer)\nsrc/mp.cpp:20"];
    e2 [label="2: spawn thread 2 (reader)\nsrc/mp.cpp:21"];
    e1 -> e2 [weight=10];
  }
  subgraph cluster_1 {
    label="thread 1 (writer)";
    e3 [label="3: store data = 1, relaxed\nsrc/mp.cpp:7", color=red, fontcolor=red];
    e4 [label="4: store flag = 1, relaxed\nsrc/mp.cpp:8"];
    e3 -> e4 [weight=10];
  }
  subgraph cluster_2 {
    label="thread 2 (reader)";
    e5 [label="5: load flag = 1, acquire\nsrc/mp.cpp:12"];
    e6 [label="6: load data = 0, acquire\nsrc/mp.cpp:13"];
    e5 -> e6 [weight=10];
    e7 [label="7: store flag = \"2\\, relaxed\nsrc/mp.cpp:15", color=gray, fontcolor=gray];
    e6 -> e7 [weight=10];
    error [label="assertion failure: r == 1\nsrc/mp.cpp:14", style=filled, fillcolor="#ffd0d0", color=red];
    e7 -> error [weight=10];
  }
  i1 [label="initially data = 0", shape=plaintext];
  i1 -> e6 [label=rf, color=darkgreen, fontcolor=darkgreen];
  e4 -> e5 [label=rf, color=darkgreen, fontcolor=darkgreen];
  e4 -> e7 [label=co, color=brown, fontcolor=brown, style=dashed, constraint=false];
  e5 -> e7 [label=rb, color=darkorange, fontcolor=darkorange, style=dashed, constraint=false];
  e6 -> e3 [label=rb, color=darkorange, fontcolor=darkorange, style=dashed, constraint=false];
  e1 -> e3 [style=dotted];
  e2 -> e5 [style=dotted];
}
)dot");
}

TEST(CheckDot, NothingToDraw) {
  const std::string dot = checkDot(reportWith(CheckVerdict::verified));
  EXPECT_NE(dot.find("label=\"src/mp.cpp under rc20: verified, no execution to show\""), std::string::npos);
  EXPECT_EQ(dot.find("subgraph"), std::string::npos);
}

TEST(ErrorKinds, NamesAreDifferentAndReadable) {
  std::set<std::string> names, titles;
  for (const ErrorKind kind : runtime::errorKinds()) {
    EXPECT_TRUE(names.insert(runtime::name(kind)).second) << runtime::name(kind);
    EXPECT_TRUE(titles.insert(runtime::title(kind)).second) << runtime::title(kind);
    EXPECT_EQ(std::string(runtime::name(kind)).find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos);
  }
  EXPECT_STREQ(runtime::name(ErrorKind::dataRace), "data-race");
  EXPECT_STREQ(runtime::title(ErrorKind::unsupported), "not supported");
}

TEST(ErrorKinds, AMessageThatSaysItAll) {
  trace::Error error;
  error.title = runtime::title(ErrorKind::deadlock);
  EXPECT_EQ(trace::errorLine(error), "deadlock");
  error.message = "deadlock: main waits for thread 1";
  EXPECT_EQ(trace::errorLine(error), "deadlock: main waits for thread 1");
  error.message = "main waits for thread 1";
  EXPECT_EQ(trace::errorLine(error), "deadlock: main waits for thread 1");
  error.title = runtime::title(ErrorKind::assertion);
  error.message = "assertion 'x == 1' failed";
  EXPECT_EQ(trace::errorLine(error), "assertion 'x == 1' failed");
}

}  // namespace
}  // namespace heddle::report
