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
 * With an ordinary compiler, add the folder that contains heddle/test.h to the include path: the program is then a stress test, which
 * runs every test, or those that are named on its command line, HEDDLE_TEST_ROUNDS times.
 *
 * This header defines main. Of several files that are linked together all but one define HEDDLE_TEST_NO_MAIN before they include it.
 *
 * C++11 to C++23.
 */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include <cstdio>
#include <cstring>
#include <thread>

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

namespace heddle {

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

inline void threads() {}

/* Runs each of these in a thread of its own, and joins them all. */
template <class Body, class... Bodies>
void threads(Body body, Bodies... bodies) {
  std::thread thread(body);
  threads(bodies...);
  thread.join();
}

inline bool isChosen(const Test& test, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], test.name) == 0) return true;
  }
  return argc <= 1;
}

inline int runTests(int argc, char** argv) {
  int chosen = 0;
  for (const Test* test = Test::first(); test != nullptr; test = test->next) {
    if (!isChosen(*test, argc, argv)) continue;
    ++chosen;
    for (int round = 0; round < HEDDLE_TEST_ROUNDS; ++round) test->body();
#ifndef __HEDDLE__
    std::printf("%s: %d rounds\n", test->name, HEDDLE_TEST_ROUNDS);
#endif
  }
  if (chosen == 0) std::fprintf(stderr, "there is no test of this name\n");
  return chosen == 0 ? 2 : 0;
}

}  // namespace heddle

#ifndef HEDDLE_TEST_NO_MAIN
int main(int argc, char** argv) { return heddle::runTests(argc, argv); }
#endif

#endif
