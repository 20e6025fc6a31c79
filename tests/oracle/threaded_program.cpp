// See threaded_program.h.
#include "threaded_program.h"

#include "shrink_lines.h"

namespace heddle::oracle {

namespace {

constexpr const char* kPrologue = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <heddle/heddle.h>
#define MIX(value) (h = h * 31 + (unsigned long)(value))
#if defined(ASSUMES)
#define AWAIT(condition) heddle_assume(condition)
#elif defined(BOUNDED)
#define AWAIT(condition)                                                \
  do {                                                                  \
    int done = 0;                                                       \
    for (int i = 0; i < 2 && !(done = (condition)); i++) continue;      \
    heddle_assume(done);                                                \
  } while (0)
#else
#define AWAIT(condition) while (!(condition)) continue
#endif
#ifdef SPINLOCK
#define LOCK(mutex, spin) while (atomic_exchange_explicit(spin, 1, memory_order_acquire) != 0) continue
#define UNLOCK(mutex, spin) atomic_store_explicit(spin, 0, memory_order_release)
#else
#define LOCK(mutex, spin) pthread_mutex_lock(mutex)
#define UNLOCK(mutex, spin) pthread_mutex_unlock(mutex)
#endif
)";

// What the threads of a program share.
constexpr const char* kShared = R"(
struct @S {
  int a;
  _Atomic(int) b;
  long c;
  _Atomic(char) d[2];
};
static struct @S @s, @t;
static int @data[3];
static _Atomic(int) @f, @g;
__attribute__((unused)) static _Atomic(int) @l;
static pthread_mutex_t @m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t @c = PTHREAD_COND_INITIALIZER;
static unsigned long @out[4];
static struct @S @same(struct @S v) { return v; }
__attribute__((unused)) static _Bool @take(int n) {
  int seen = atomic_load_explicit(&@g, memory_order_relaxed);
  for (;;) {
    int left = atomic_load_explicit(&@f, memory_order_acquire) + n % 2 - seen;
    if (left <= 0) return 0;
    if (atomic_compare_exchange_strong(&@g, &seen, seen + n)) return 1;
  }
}
)";

// What a thread may do, and what it may do under the mutex.
constexpr const char* kStatements = R"(
---
~ @data[$k % 3] = $n; atomic_store_explicit(&@f, $n, [?memory_order_release|memory_order_relaxed|memory_order_seq_cst?]);
~ if (atomic_load_explicit(&@f, [?memory_order_acquire|memory_order_relaxed?]) == $n) MIX(@data[$k % 3]);
~ MIX(atomic_fetch_add_explicit(&@g, $n, [?memory_order_relaxed|memory_order_acq_rel?]));
~ for (int i = 0; i < $n % 3; i++) MIX(atomic_exchange_explicit(&[?@f|@g?], i + 1, memory_order_acq_rel));
~ MIX(atomic_load_explicit(&[?@f|@g?], memory_order_acquire));
~ { int want = $n % 2; MIX(atomic_compare_exchange_strong(&@g, &want, $n)); MIX(want); }
~ atomic_store_explicit(&@s.b, $n, memory_order_relaxed);
~ MIX(atomic_load_explicit(&@s.d[$k % 2], memory_order_relaxed));
~ MIX(atomic_exchange_explicit(&@s.d[$k % 2], $n, memory_order_release));
~ AWAIT(atomic_load_explicit(&@f, memory_order_acquire) != 0);
~ while (!@take($n)) continue;
~ MIX(@take($n));
~ { int old = $k % 3; while (!atomic_compare_exchange_[?strong|weak?](&@g, &old, old * 3 + $n)) continue; MIX(old); }
~ for (int i = 0; i < 2 && atomic_load_explicit(&@g, memory_order_acquire) == 0; i++) MIX(i);
~ if (atomic_load_explicit(&@g, memory_order_acquire) == $n) {
  @t = @same(@t);
  @t.a += $n;
}
~ { struct @S copy; memset(&copy, 0, sizeof copy); copy.b = $n; struct @S other = @same(copy); MIX(other.b); }
~ atomic_thread_fence([?memory_order_seq_cst|memory_order_acq_rel?]);
)";

constexpr const char* kGuarded = R"(
---
~ @t.a += $n;
~ @t.b = $n; @t.c++;
~ MIX(@t.a);
~ { struct @S copy = @t; copy.c += $n; copy.d[1]++; @t = copy; }
~ { struct @S copy; memcpy(&copy, &@t, sizeof copy); MIX(copy.b + copy.d[1]); }
~ memmove(&@t, &@t, sizeof @t);
~ pthread_cond_signal(&@c);
~ pthread_cond_broadcast(&@c);
~ while (@t.a == 0) pthread_cond_wait(&@c, &@m);
~ MIX(@t.c + @t.d[1]);
)";

constexpr const char* kMain = R"(
int main(int argc, char** argv) {
  static union { int word; char bytes[4]; } mixedSizes;
  if (argc > 2) {
    __atomic_store_n(&mixedSizes.word, 0x01020304, __ATOMIC_RELAXED);
    assert(__atomic_load_n(&mixedSizes.bytes[1], __ATOMIC_RELAXED) == 3);
  }
  run(atoi(argv[1]));
  return 0;
}
)";

void append(const Lines& from, Lines& to) { to.insert(to.end(), from.begin(), from.end()); }

// Some of the lines that a recipe has become.
Lines some(ProgramWriter& writer, const char* recipe, unsigned count) {
  writer.program = {};
  writer.recipe(recipe, "");
  Lines lines = writer.program.body.at(0).body;
  if (lines.size() > count) lines.resize(count);
  return lines;
}

}  // namespace

ThreadedProgram randomThreaded(std::uint64_t seed) {
  ProgramWriter writer(seed, Language::c);
  ThreadedProgram program;
  const unsigned threads = writer.random.between(2, 3);
  for (unsigned t = 0; t < threads; ++t) {
    Line thread{"static void* @T" + std::to_string(t) + "(void* unused)", {{"unsigned long h = 1;"}}, "}"};
    for (unsigned n = writer.random.between(1, 4 - threads / 2); n > 0; --n) {
      if (writer.random.percent(65)) {
        append(some(writer, kStatements, 1), thread.body);
        continue;
      }
      Line guarded{"", {{"LOCK(&@m, &@l);"}}, "}"};
      append(some(writer, kGuarded, writer.random.between(1, 2)), guarded.body);
      guarded.body.push_back({"UNLOCK(&@m, &@l);"});
      thread.body.push_back(guarded);
    }
    thread.body.push_back({"@out[" + std::to_string(t) + "] = h;"});
    thread.body.push_back({"return unused;"});
    program.threads.push_back(thread);
  }
  return program;
}

std::string toOutcomes(std::span<const ThreadedProgram> programs, Language, const OutcomeText& text) {
  std::string out = kPrologue, run;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::string prefix = "p" + std::to_string(i) + "_";
    std::string shared = kShared, start, join;
    print(programs[i].threads, "", shared);
    for (const Line& thread : programs[i].threads) {
      const std::size_t at = thread.text.find('@');
      const std::string name = thread.text.substr(at, thread.text.find('(') - at), handle = "thread" + name.substr(1);
      const std::string line = "      pthread_t " + handle + ";\n      pthread_create(&" + handle + ", 0, " + name + ", 0);\n";
      start = text.reversed ? line + start : start + line;
      join += "      pthread_join(" + handle + ", 0);\n";
    }
    out += withPrefix(shared, prefix);
    run += "    case " + std::to_string(i) + ": {\n" +
           withPrefix(
               start + join +
                   "      struct @S s = @same(@s), t = @t;\n"
                   "      printf(\"%lx %lx %lx, %d %d %d, %d %d, %d %ld %d %d, %d %ld %d %d\\n\", @out[0], @out[1], @out[2],\n"
                   "             @data[0], @data[1], @data[2], @f, @g, s.b, s.c, s.d[0], s.d[1], t.a + t.b, t.c, t.d[0], "
                   "t.d[1]);\n",
               prefix) +
           "      break;\n    }\n";
  }
  return out + "static void run(int program) {\n  switch (program) {\n" + run + "  }\n}\n" + kMain;
}

ThreadedProgram shrink(const ThreadedProgram& program, const std::function<bool(const ThreadedProgram&)>& stillDiffers) {
  const auto differs = [&](const SequentialProgram& candidate) { return stillDiffers({candidate.globals}); };
  return {shrink(SequentialProgram{program.threads, {}}, differs).globals};
}

}  // namespace heddle::oracle
