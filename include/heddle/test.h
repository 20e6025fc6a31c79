/* Several tests in one file, each explored by itself.
 *
 *     #include <heddle/test.h>
 *     #include "queue.h"
 *
 *     HEDDLE_TEST(one_push_one_pop) {
 *       Queue<int> queue;
 *       heddle::threads([&] { queue.push(1); },
 *                       [&] { if (auto value = queue.pop()) heddle_assert(*value == 1); });
 *     }
 *
 * `heddle test FILE` runs each of them as a program of its own. It has to be verified under rc20, unless the file says
 * something else in a line such as
 *
 *     //! sc,rc20: verified executions=3 test=one_push_one_pop
 *
 * `heddle check FILE --arg NAME` explores one of them, with all that `check` shows.
 *
 * A test may say which outcomes it can have, at its end:
 *
 *     HEDDLE_OUTCOMES(r1, r2).allowed({1, 1}).allowed({0, 1}).interesting({0, 0}, "both read before the writes").forbidden({1, 0});
 *
 * The values are integers. An outcome that is not listed is forbidden, unless only forbidden ones are listed. A forbidden outcome is an
 * error. The report has a table of all that were seen.
 *
 * With an ordinary compiler, add the folder that contains heddle/test.h to the include path: the program is then a stress test, which
 * runs every test, or those that are named on its command line, HEDDLE_TEST_ROUNDS times.
 *
 * This header defines main. Of several files that are linked together all but one define HEDDLE_TEST_NO_MAIN before they include it.
 *
 * C++11 to C++23.
 */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <thread>
#ifndef __HEDDLE__
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#if defined(__unix__) || defined(__APPLE__)
#define HEDDLE_TEST_FORKS 1
#include <sys/wait.h>
#include <unistd.h>
#endif
#endif

#include "heddle/heddle.h"

#ifndef HEDDLE_TEST_ROUNDS
#ifdef __HEDDLE__
#define HEDDLE_TEST_ROUNDS 1 /* which has every execution */
#else
#define HEDDLE_TEST_ROUNDS 10000
#endif
#endif

#define HEDDLE_TEST(name)                                                  \
  static void heddle_test_##name();                                        \
  static ::heddle::Test heddle_entry_of_##name(#name, heddle_test_##name); \
  static void heddle_test_##name()

#define HEDDLE_OUTCOMES(...) ::heddle::Outcomes(#__VA_ARGS__, ::heddle::outcomeValues(__VA_ARGS__), __FILE__, __LINE__)

namespace heddle {

/* The values of an outcome. */
struct OutcomeValues {
  enum { kMost = 8 };
  long long values[kMost] = {};
  std::size_t count = 0;

  OutcomeValues() {}
  OutcomeValues(std::initializer_list<long long> list) {
    for (const long long value : list) {
      if (count < kMost) values[count++] = value;
    }
  }
  bool operator==(const OutcomeValues& other) const {
    if (count != other.count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (values[i] != other.values[i]) return false;
    }
    return true;
  }
};

template <class... Values>
OutcomeValues outcomeValues(const Values&... values) {
  static_assert(sizeof...(Values) >= 1 && sizeof...(Values) <= OutcomeValues::kMost, "an outcome has one to eight values");
  return {static_cast<long long>(values)...};
}

#ifndef __HEDDLE__
/* How often each outcome was seen, in a stress test. */
struct SeenOutcomes {
  struct Row {
    const char* grade = "";
    const char* note = "";
    long rounds = 0;
  };
  std::mutex mutex;
  std::map<std::string, Row> rows;
  bool isForbidden = false;

  static SeenOutcomes& all() {
    static SeenOutcomes seen;
    return seen;
  }
  void print() const {
    for (const auto& row : rows) {
      std::printf("  %-30s %-12s %10ld  %s\n", row.first.c_str(), row.second.grade, row.second.rounds, row.second.note);
    }
  }
};
#endif

/* Made by HEDDLE_OUTCOMES, at the end of a test. It is judged when all has been listed: at the end of the statement. */
class Outcomes {
 public:
  Outcomes(const char* names, OutcomeValues seen, const char* file, unsigned line)
      : names_(names), seen_(seen), file_(file), line_(line) {}
  Outcomes(const Outcomes&) = delete;
  Outcomes& operator=(const Outcomes&) = delete;

  Outcomes& allowed(OutcomeValues values, const char* note = nullptr) { return list(values, "allowed", note); }
  Outcomes& interesting(OutcomeValues values, const char* note = nullptr) { return list(values, "interesting", note); }
  Outcomes& forbidden(OutcomeValues values, const char* note = nullptr) { return list(values, "forbidden", note); }

  ~Outcomes() {
    const bool isListed = grade_ != nullptr;
    if (!isListed) grade_ = othersAreForbidden_ ? "forbidden" : "allowed";
    const bool isForbidden = std::strcmp(grade_, "forbidden") == 0;
    if (!isListed && isForbidden) note_ = "not listed";
    tell(seen_, grade_, note_, true);
    if (isForbidden) fail(isListed ? "is not forbidden" : "is listed");
  }

 private:
  Outcomes& list(const OutcomeValues& values, const char* grade, const char* note) {
    if (values.count != seen_.count) {
      heddle_assertion_failed("every outcome has as many values as HEDDLE_OUTCOMES has arguments", file_, line_,
                              "HEDDLE_OUTCOMES");
    }
    othersAreForbidden_ = othersAreForbidden_ || std::strcmp(grade, "forbidden") != 0;
    tell(values, grade, note, false);
    if (values == seen_) {
      grade_ = grade;
      note_ = note;
    }
    return *this;
  }

#ifdef __HEDDLE__
  enum { kText = 24 * OutcomeValues::kMost };
  static void write(const OutcomeValues& values, char (&text)[kText]) {
    char* end = text;
    for (std::size_t i = 0; i < values.count; ++i) {
      end +=
          std::snprintf(end, static_cast<std::size_t>(text + sizeof text - end), i == 0 ? "%lld" : ", %lld", values.values[i]);
    }
  }
  void tell(const OutcomeValues& values, const char* grade, const char* note, bool seen) const {
    char text[kText] = {};
    write(values, text);
    std::printf("heddle outcome\t%s\t%s\t%s\t%s\t%s\n", seen ? "seen" : "listed", names_, text, grade,
                note == nullptr ? "" : note);
  }
  void fail(const char* what) const {
    char text[kText] = {};
    write(seen_, text);
    const std::size_t room = std::strlen(names_) + kText + 40;
    char* const condition = new char[room];  // which the report still needs
    std::snprintf(condition, room, "the outcome %s = %s %s", names_, text, what);
    heddle_assertion_failed(condition, file_, line_, "HEDDLE_OUTCOMES");
  }
#else
  void tell(const OutcomeValues& values, const char* grade, const char* note, bool seen) const {
    std::string text = std::string(names_) + " = ";
    for (std::size_t i = 0; i < values.count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(values.values[i]);
    SeenOutcomes& all = SeenOutcomes::all();
    const std::lock_guard<std::mutex> lock(all.mutex);
    SeenOutcomes::Row& row = all.rows[text];
    row.grade = grade;
    if (note != nullptr) row.note = note;
    if (seen) ++row.rounds;
  }
  void fail(const char*) const { SeenOutcomes::all().isForbidden = true; }
#endif

  const char* names_;
  OutcomeValues seen_;
  const char* file_;
  unsigned line_;
  const char* grade_ = nullptr;
  const char* note_ = nullptr;
  bool othersAreForbidden_ = false;
};

struct Test {
  const char* name;
  void (*body)();
  Test* next = nullptr;

  Test(const char* itsName, void (*itsBody)()) : name(itsName), body(itsBody) {
    Test** end = &first();
    while (*end != nullptr) end = &(*end)->next;
    *end = this;
  }

  /* In the order of the file. */
  static Test*& first() {
    static Test* list = nullptr;
    return list;
  }
};

#ifdef __HEDDLE__
inline void threads() {}

/* Runs each of these in a thread of its own, and joins them all. */
template <class Body, class... Bodies>
void threads(Body body, Bodies... bodies) {
  std::thread thread(body);
  threads(bodies...);
  thread.join();
}
#else
/* Where threads wait until all have started: to start one takes longer than what it does. */
class Start {
 public:
  explicit Start(std::size_t threads) : missing_(threads) {}
  void wait() {
    missing_.fetch_sub(1);
    for (int looks = 0; missing_.load() > 0; ++looks) {
      if (looks > 10000) std::this_thread::yield(); /* there are fewer cores than threads */
    }
  }

 private:
  std::atomic<std::size_t> missing_;
};

inline void threadsFrom(Start&) {}
template <class Body, class... Bodies>
void threadsFrom(Start& start, Body body, Bodies... bodies) {
  std::thread thread([&] {
    start.wait();
    body();
  });
  threadsFrom(start, bodies...);
  thread.join();
}
template <class... Bodies>
void threads(Bodies... bodies) {
  Start start(sizeof...(Bodies));
  threadsFrom(start, bodies...);
}
#endif

inline bool isChosen(const Test& test, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], test.name) == 0) return true;
  }
  return argc <= 1;
}

#ifndef __HEDDLE__
/* Does the test pass, run again and again? */
inline bool passes(const Test& test) {
  for (int round = 0; round < HEDDLE_TEST_ROUNDS; ++round) test.body();
  std::printf("%s: %d rounds\n", test.name, HEDDLE_TEST_ROUNDS);
  SeenOutcomes& outcomes = SeenOutcomes::all();
  outcomes.print();
  outcomes.rows.clear();
  return !outcomes.isForbidden;
}

/* The same in a process of its own: an assertion that fails ends that one, and other tests go on. */
inline bool passesAlone(const Test& test) {
#ifdef HEDDLE_TEST_FORKS
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) std::exit(passes(test) ? 0 : 1);
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child) {
    if (WIFSIGNALED(status)) std::printf("%s: failed, ended by signal %d\n", test.name, WTERMSIG(status));
    return status == 0;
  }
#endif
  return passes(test);
}
#endif

inline int runTests(int argc, char** argv) {
#ifdef __HEDDLE__
  if (argc == 2 && std::strcmp(argv[1], "--heddle-list-tests") == 0) {
    for (const Test* test = Test::first(); test != nullptr; test = test->next) std::printf("%s\t%s\n", test->name, test->name);
    return 0;
  }
#endif
  int chosen = 0;
  bool haveFailed = false;
  for (const Test* test = Test::first(); test != nullptr; test = test->next) {
    if (!isChosen(*test, argc, argv)) continue;
    ++chosen;
#ifdef __HEDDLE__
    for (int round = 0; round < HEDDLE_TEST_ROUNDS; ++round) test->body();
#else
    haveFailed = !passesAlone(*test) || haveFailed;
#endif
  }
  if (chosen == 0) std::fprintf(stderr, "there is no test of this name\n");
  return chosen == 0 ? 2 : haveFailed ? 1 : 0;
}

}  // namespace heddle

#ifdef __HEDDLE__
/* Tells heddle that there are tests. It is main, if the program has none. */
extern "C" __attribute__((__used__)) inline int heddle_test_main(int argc, char** argv) { return heddle::runTests(argc, argv); }
#elif !defined(HEDDLE_TEST_NO_MAIN)
int main(int argc, char** argv) { return heddle::runTests(argc, argv); }
#endif

#endif
