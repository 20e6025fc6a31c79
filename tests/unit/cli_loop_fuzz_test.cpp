// Random programs with loops that wait, against the same programs with loops that go round.
//
// Each program exists twice. In the one, a loop is as people write it, and heddle lets its thread wait. In the other
// (BOUNDED) the loop counts its rounds, which makes each different from the one before, and gives up by an assumption
// after a few. Whatever the second program can end in, the first must be able to end in, and the other way round: a
// wait leaves out iterations, never outcomes. What a program ends in is what its main prints when all threads are done.
// Programs that poll under a mutex may also race, in the first if and only if in the second.
//
// HEDDLE_LOOP_PROGRAMS=N runs N programs, HEDDLE_LOOP_SEED=S begins with another seed.

#include <random>
#include <set>
#include <utility>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

// What every program begins with. ROUND() is in every loop.
const char* const kPrelude = R"(#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef BOUNDED
#define BEGIN int rounds = 0
#define ROUND() heddle_assume(rounds++ < 2)
#define COUNT(n) heddle_assume((n) >= 0)
#else
#define BEGIN (void)0
#define ROUND() (void)0
#define COUNT(n) (void)0
#endif
#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define acr memory_order_acq_rel
#define sc memory_order_seq_cst
struct node { struct node* next; int value; };
static atomic_int x, y, taken, slots = 2;
static _Atomic(struct node*) top;
static int counter, ready, seen[3][4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
)";

unsigned setting(const char* name, unsigned standard) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : standard;
}

class LoopFuzz : public CliTest {
 protected:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string oneOf(std::vector<std::string> choices) { return choices[below(static_cast<unsigned>(choices.size()))]; }
  std::string location() { return oneOf({"x", "y"}); }
  std::string loadOrder() { return oneOf({"rlx", "rlx", "acq", "sc"}); }
  std::string storeOrder() { return oneOf({"rlx", "rel", "sc"}); }
  std::string number() { return std::to_string(below(3)); }
  std::string keep(const std::string& value) {
    if (kept_ == 4) return "";
    return "seen[" + std::to_string(thread_) + "][" + std::to_string(kept_++) + "] = " + value + "; ";
  }

  // A compare-exchange that is tried until it succeeds.
  std::string retry() {
    const std::string at = location();
    const std::string failure = loadOrder();
    const std::string exchange = "atomic_compare_exchange_" + oneOf({"weak", "strong"}) + "_explicit(&" + at + ", &old, " +
                                 oneOf({"old + 1", "old * 2 + 1", "old == 1 ? 5 : 3"}) + ", " +
                                 oneOf({"rlx", "acq", "rel", "acr", "sc"}) + ", " + failure + ")";
    const std::string load = "atomic_load_explicit(&" + at + ", " + loadOrder() + ")";
    const std::string again = "atomic_load_explicit(&" + at + ", " + loadOrder() + ")";
    const std::string looked = "atomic_load_explicit(&" + location() + ", rlx) == " + number();
    std::string body;
    switch (below(7)) {
      case 4:
        body = "int old = " + load + "; while (!" + exchange + ") { ROUND(); if (" + looked + ") old = " + again + "; } ";
        break;
      case 5:
        body = "int old = " + load + "; for (;;) { if (" + looked + " && old == 0) { old = " + again +
               "; if (old != 0) { ROUND(); continue; } } if (" + exchange + ") break; ROUND(); } ";
        break;
      case 6:
        body = "int old = " + load + ", other = old; for (;;) { if (" + exchange + ") break; if (" +
               this->exchange(at, "other", "other + 2", "strong") + ") break; if (" + looked +
               " && old != other) break; ROUND(); } " + keep("old == other");
        break;
      case 0: body = "int old = " + load + "; while (!" + exchange + ") ROUND(); "; break;
      case 1: body = "int old; do { ROUND(); old = " + load + "; } while (!" + exchange + "); "; break;
      case 2: body = "int old = " + load + "; " + keep("old") + "while (!" + exchange + ") ROUND(); "; break;
      default:
        body = "int old = " + load + "; " + keep("atomic_load_explicit(&" + location() + ", rlx)") + "for (;;) { if (" +
               exchange + ") break; ROUND(); } ";
    }
    return "{ BEGIN; " + body + (below(2) ? keep("old") : "") + "}";
  }

  // Waits for what the thread before does in any case, when it has begun.
  std::string wait() {
    const std::string load = "atomic_load_explicit(&x, " + loadOrder() + ")";
    const std::string least = thread_ == 0 ? "0" : "1";
    switch (below(3)) {
      case 0: return "{ BEGIN; while (" + load + " < " + least + ") ROUND(); }";
      case 1:
        return "{ BEGIN; int v = " + load + "; while (v < " + least + ") { ROUND(); v = " + load + "; } " + keep("v") + "}";
      default: return "{ BEGIN; if (" + load + " < " + least + ") { do ROUND(); while (" + load + " < " + least + "); } }";
    }
  }

  std::string critical() {
    const std::string inside = "counter++; " + keep("counter");
    if (byTrying_) {
      const std::string add = "atomic_fetch_add_explicit(&taken, ", sub = "atomic_fetch_sub_explicit(&taken, ";
      const std::string order = oneOf({"acq", "acr", "sc"}), back = oneOf({"rlx", "rel", "sc"});
      const std::string attempt =
          below(2) ? "for (;;) { if (" + add + "1, " + order + ") == 0) break; " + sub + "1, " + back + "); ROUND(); } "
                   : "int t = " + add + "1, " + order + "); while (t != 0) { " + add + "-1, " + back +
                         "); ROUND(); t = " + add + "1, " + order + "); } ";
      return "{ BEGIN; " + attempt + inside + sub + "1, " + oneOf({"rel", "acr", "sc"}) + "); }";
    }
    if (below(2)) {
      return "{ BEGIN; while (atomic_exchange_explicit(&taken, 1, " + oneOf({"acq", "acr", "sc"}) + ")) ROUND(); " + inside +
             "atomic_store_explicit(&taken, 0, " + oneOf({"rel", "sc"}) + "); }";
    }
    return "{ BEGIN; int free = 0; while (!atomic_compare_exchange_weak_explicit(&taken, &free, 1, acq, rlx)) { "
           "ROUND(); free = 0; } " +
           inside + "atomic_store_explicit(&taken, 0, rel); }";
  }

  // ---- Loops that store, that give up, that test first, or that call a function

  std::string load(const std::string& at) { return "atomic_load_explicit(&" + at + ", " + loadOrder() + ")"; }
  std::string store(const std::string& at, const std::string& value) {
    return "atomic_store_explicit(&" + at + ", " + value + ", " + storeOrder() + "); ";
  }
  std::string exchange(const std::string& at, const std::string& expected, const std::string& value, const std::string& how) {
    return "atomic_compare_exchange_" + how + "_explicit(&" + at + ", &" + expected + ", " + value + ", " +
           oneOf({"rlx", "acq", "rel", "acr", "sc"}) + ", " + loadOrder() + ")";
  }
  std::string least() const { return thread_ == 0 ? "0" : "1"; }
  std::string own() const { return "hazard[" + std::to_string(thread_) + "]"; }

  std::string waitOtherwise() {
    const std::string test = load("x") + " < " + least();
    switch (below(6)) {
      case 0: return "{ BEGIN; int v = 9; while (" + test + ") { v = " + load("y") + "; ROUND(); } " + keep("v") + "}";
      case 1:
        return "{ BEGIN; int v = " + load("x") + "; while (v < " + least() + ") { ROUND(); v = " + load("x") + "; } " +
               (below(2) ? keep("v") : "") + "}";
      case 2:
        return "{ BEGIN; while (" + least() + " > 0) { int e = 0; if (!" + exchange("x", "e", "0", "strong") +
               ") break; ROUND(); } }";
      case 3: return "{ BEGIN; while (!above(&x, " + least() + ")) ROUND(); " + keep(load("y")) + "}";
      case 4: return "{ BEGIN; while (!indirect(&x, " + least() + ")) ROUND(); " + keep(load("y")) + "}";
      default:
        return "{ BEGIN; int d = 1; while (" + test + ") { for (volatile int i = 0; i < d; i++) {} d = d < 4 ? d * 2 : d; " +
               "ROUND(); } }";
    }
  }

  // COUNT shows the count to somebody.
  std::string giveUp() {
    const std::string round = "v = " + load(location()) + "; if (" + oneOf({"v >= 2", "v == 1", "v"}) + ") break; COUNT(n); ";
    const std::string loop =
        oneOf({"int n = 0; while (n < 3) { " + round + "n++; } ", "int n = 0; do { " + round + "} while (++n < 3); ",
               "for (int n = 0; n < 3; n++) { " + round + "} "});
    if (below(3) == 0) {
      const std::string at = location(), result = load(at);
      return "{ int v = " + result + "; for (int n = 0; n < 2; n++) { if (" + exchange(at, "v", "v + 1", "strong") +
             ") break; COUNT(n); } " + keep("v") + "}";
    }
    return "{ int v = 0; " + loop + keep("v") + (below(2) ? keep(load(location())) : "") + "}";
  }

  // The link is atomic, and others may know the node. Its address may be computed in each round.
  std::string pushLink() {
    if (std::exchange(pushed_, true)) return simple();
    const std::string number = std::to_string(thread_);
    const std::string take = "struct link* t = " + load("first") + "; ";
    const std::string link = store(oneOf({"n", "(&links[self])"}) + "->next", "t");
    const std::string succeeds = exchange("first", "t", "n", oneOf({"weak", "strong"}));
    const std::string loop = oneOf({take + "do { ROUND(); " + link + "} while (!" + succeeds + "); ",
                                    "for (;;) { " + take + link + "if (" + succeeds + ") break; ROUND(); } "});
    return "{ BEGIN; const int self = numbers[" + number + "]; struct link* n = &links[self]; n->value = " + number + "; " +
           loop + "}";
  }

  // A small structure that is loaded, copied, changed and exchanged.
  std::string exchangeStructure() {
    const std::string take = "e = " + load("pair") + "; ", change = oneOf({"d = e; d.a++; ", "d = e; d.b = d.a + 1; "});
    const std::string succeeds = exchange("pair", "e", "d", oneOf({"weak", "strong"}));
    const std::string loop = oneOf({take + "do { ROUND(); " + change + "} while (!" + succeeds + "); ",
                                    "for (;;) { " + take + change + "if (" + succeeds + ") break; ROUND(); } "});
    return "{ BEGIN; struct pair e, d; " + loop + keep("d.a * 16 + d.b") + "}";
  }

  std::string lookAtLinks() {
    if (below(3) == 0)
      return "{ struct link* m = " + load("links[" + number() + "].next") + "; " + keep("m ? m - links : 7") + "}";
    return "{ struct link* n = " + load("first") + "; if (n) { struct link* m = " + load("n->next") + "; " +
           keep("(n - links) * 8 + (m ? m - links : 7)") + "} }";
  }

  std::string publish() {
    const std::string at = location();
    const std::string announce = "int v = " + load(at) + "; " + store(own(), "v") + "int w = v; ";
    const std::string succeeds = exchange(at, "w", "v + 1", oneOf({"weak", "strong"}));
    switch (below(4)) {
      case 0: return "{ BEGIN; for (;;) { " + announce + "if (" + load(at) + " == v && " + succeeds + ") break; ROUND(); } }";
      case 1: return "{ BEGIN; for (;;) { " + announce + "if (" + succeeds + ") break; ROUND(); } }";
      case 2:
        return "{ BEGIN; for (;;) { " + store(own(), "1") + "if (" + load("x") + " >= " + least() + ") break; ROUND(); } }";
      default: {
        const std::string guard = oneOf({"guard", own()});
        return "{ BEGIN; for (;;) { " + store(guard, "1") + "int v = " + load("x") + "; " + store(guard, oneOf({"0", "2"})) +
               "if (v >= " + least() + ") break; ROUND(); } }";
      }
    }
  }

  std::string storingProgram(unsigned threads) {
    std::string text = std::string(kPrelude) + R"(struct link { _Atomic(struct link*) next; int value; };
static struct link links[3];
static _Atomic(struct link*) first;
static atomic_int hazard[3], guard;
static volatile int numbers[3] = {0, 1, 2};
struct pair { char a; short b; };
static _Atomic(struct pair) pair;
static __attribute__((noinline)) int above(atomic_int* at, int least) { return atomic_load_explicit(at, acq) >= least; }
static int (*volatile indirect)(atomic_int*, int) = above;
)";
    for (thread_ = 0; thread_ < threads; ++thread_) {
      kept_ = 0;
      pushed_ = false;
      text += "static void* thread" + std::to_string(thread_) + "(void* unused) {\n";
      if (thread_ == 0) text += "  atomic_fetch_add_explicit(&x, 1, rlx);\n";
      for (unsigned steps = 1 + below(threads == 2 ? 3 : 2); steps > 0; --steps) {
        switch (below(10)) {
          case 0: text += "  " + retry() + "\n"; break;
          case 1: text += "  " + waitOtherwise() + "\n"; break;
          case 2: text += "  " + giveUp() + "\n"; break;
          case 3: text += "  " + pushLink() + "\n"; break;
          case 4: text += "  " + lookAtLinks() + "\n"; break;
          case 5: text += "  " + publish() + "\n"; break;
          case 6: text += "  " + keep(load(oneOf({"hazard[0]", "hazard[1]", "guard"}))) + ";\n"; break;
          case 7: text += "  " + store(oneOf({"hazard[0]", "hazard[1]", "guard"}), number()) + "\n"; break;
          case 8: text += "  " + exchangeStructure() + "\n"; break;
          default: text += "  " + simple() + "\n";
        }
      }
      text += "  return unused;\n}\n";
    }
    return text + mainFunction(threads);
  }

  // ---- Rounds that take back what they have changed: readers and writers of one word, and guards

  // The lock's word: 1 and 2 are bits of writers, and each reader adds 4.
  std::string readLock() {
    const std::string add = "atomic_fetch_add_explicit(&lock, ", order = oneOf({"acq", "acr", "sc"});
    const std::string mask = oneOf({"3", "3", "1", "2", "5"});
    const std::string back = oneOf({"-4, " + oneOf({"rlx", "rel"}), "-4, sc"});
    const std::string loop = oneOf({
        "for (;;) { if (!(" + add + "4, " + order + ") & " + mask + ")) break; " + add + back + "); ROUND(); } ",
        "for (;;) { int v = " + add + "4, " + order + "); if ((v & " + mask + ") == 0) break; " + add + back +
            "); while (atomic_load_explicit(&lock, rlx) & " + oneOf({"1", "2", "3"}) + ") ROUND(); ROUND(); } ",
        "while (!tryShared()) ROUND(); ",
    });
    return "{ BEGIN; " + loop + keep("counter") + add + "-4, " + oneOf({"rel", "rel", "rlx"}) + "); }";
  }

  std::string writeLock() {
    const std::string free = oneOf({"0", "0", "0", "4"}), bit = oneOf({"1", "1", "2"});
    const std::string exchange = "atomic_compare_exchange_" + oneOf({"weak", "strong"}) + "_explicit(&lock, &e, " + bit + ", " +
                                 oneOf({"acq", "acr", "sc", "rlx"}) + ", rlx)";
    const std::string look = "atomic_load_explicit(&lock, " + oneOf({"rlx", "rlx", "acq"}) + ")";
    const std::string loop = oneOf({
        "int e = " + free + "; while (!" + exchange + ") { e = " + free + "; ROUND(); } ",
        "for (;;) { int e = " + free + "; if (" + look + " == " + oneOf({free, "0", "1"}) + " && " + exchange +
            ") break; ROUND(); } ",
        "for (;;) { int e = " + free + "; if (" + exchange + ") break; while (" + look + " != " + free +
            ") ROUND(); ROUND(); } ",
        "int e, m = 0; do { e = " + free + "; ROUND(); m = e; } while (!" + exchange + "); " + keep("m"),
    });
    const std::string clear = "atomic_fetch_and_explicit(&lock, ~" + bit;
    const std::string give = oneOf({clear + ", rel); ", "atomic_fetch_and_explicit(&lock, ~3, rel); ",
                                    "atomic_fetch_sub_explicit(&lock, " + bit + ", rel); ",
                                    "atomic_fetch_xor_explicit(&lock, " + bit + ", rel); ", "atomic_exchange(&lock, 0); "});
    return "{ BEGIN; " + loop + "counter++; " + give + "}";
  }

  // A flag that a round sets and takes back.
  std::string guarded() {
    const std::string flag = oneOf({"guard", own(), own(), own()}), order = oneOf({"rlx", "acr", "sc"});
    const auto update = [&](const std::string& function, const std::string& operand) {
      return "atomic_" + function + "_explicit(&" + flag + ", " + operand + ", " + order + ")";
    };
    const std::vector<std::pair<std::string, std::string>> shapes = {
        {update("exchange", "1"), update("exchange", oneOf({"0", "0", "2"}))},
        {update("exchange", "1"), "atomic_store_explicit(&" + flag + ", 0, rel)"},
        {update("fetch_add", "1"), update("fetch_sub", "1")},
        {update("fetch_or", "2"), update("fetch_and", "~2")},
        {"0; atomic_store_explicit(&" + flag + ", 1, rlx)", update("exchange", oneOf({"0", "0", "2"}))},
        {"0; atomic_store_explicit(&" + flag + ", 2, rlx)", update("fetch_sub", oneOf({"2", "1"}))},
    };
    const auto& [set, back] = shapes[below(static_cast<unsigned>(shapes.size()))];
    return "{ BEGIN; int g; for (;;) { g = " + set + "; int v = " + load("x") + "; " + back + "; if (v >= " + least() +
           ") break; ROUND(); } " + keep("g") + "}";
  }

  std::string takingBackProgram(unsigned threads) {
    std::string text = std::string(kPrelude) + R"(static atomic_int hazard[3], guard, lock;
static int tryShared(void) {
  if (!(atomic_fetch_add_explicit(&lock, 4, acq) & 3)) return 1;
  atomic_fetch_add_explicit(&lock, -4, rel);
  return 0;
}
)";
    for (thread_ = 0; thread_ < threads; ++thread_) {
      kept_ = 0;
      text += "static void* thread" + std::to_string(thread_) + "(void* unused) {\n";
      if (thread_ == 0) text += "  atomic_fetch_add_explicit(&x, 1, rlx);\n";
      for (unsigned steps = 1 + below(2); steps > 0; --steps) {
        switch (below(8)) {
          case 0:
          case 1: text += "  " + readLock() + "\n"; break;
          case 2:
          case 3: text += "  " + writeLock() + "\n"; break;
          case 4:
          case 5: text += "  " + guarded() + "\n"; break;
          case 6: text += "  " + keep(load(oneOf({"hazard[0]", "guard", "lock"}))) + ";\n"; break;
          default: text += "  " + keep("atomic_fetch_or_explicit(&" + oneOf({"hazard[1]", "guard", "y"}) + ", 8, rlx)") + ";\n";
        }
      }
      text += "  return unused;\n}\n";
    }
    return text + mainFunction(threads);
  }

  // One of two places, taken by trying.
  std::string place() {
    const std::string inside = keep("atomic_fetch_add_explicit(&y, 1, rlx)");
    return "{ BEGIN; while (atomic_fetch_sub_explicit(&slots, 1, " + oneOf({"rlx", "acq"}) +
           ") <= 0) { atomic_fetch_add_explicit(&slots, 1, rlx); ROUND(); } " + inside +
           "atomic_fetch_add_explicit(&slots, 1, " + oneOf({"rlx", "rel"}) + "); }";
  }

  // Looks again and again at what a mutex protects, or tries to take it once. The first thread sets it.
  std::string poll() {
    if (thread_ == 0 || below(3) == 0) {
      const std::string taken = "{ " + keep("1") + "pthread_mutex_unlock(&mutex); }";
      return "if (pthread_mutex_" + oneOf({"lock", "lock", "lock", "lock", "trylock"}) + "(&mutex) == 0) " + taken;
    }
    return "{ BEGIN; for (;;) { pthread_mutex_lock(&mutex); int r = ready; pthread_mutex_unlock(&mutex); if (r) break; "
           "ROUND(); } }";
  }

  // A turn at the mutex, a loop that looks at something until it is there, or an access by the way. Where a loop looks may
  // depend on the turns before.
  std::string turn(bool relaxed) {
    const std::string place = "places[" + oneOf({"0", "1", "ready & 3"}) + "]";
    const std::string order = relaxed ? "rlx" : "acq", given = relaxed ? "rlx" : "rel";
    switch (below(relaxed ? 9 : 8)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return "pthread_mutex_lock(&mutex); " + oneOf({"ready++; ", place + " = 1; ", "ready++; " + place + " = 1; "}) +
               keep("ready") + "pthread_mutex_unlock(&mutex);";
      case 4:
      case 5:
        return "{ BEGIN; for (;;) { pthread_mutex_lock(&mutex); int r = " +
               oneOf({"ready", "ready > 1", place, "ready > 1 || " + place}) +
               "; pthread_mutex_unlock(&mutex); if (r) break; ROUND(); } }";
      case 6: return "atomic_store_explicit(&x, 1, " + given + ");";
      case 7: return "if (atomic_load_explicit(&x, " + order + ")) { " + (below(2) ? place + " = 1; " : keep("1")) + "}";
      default: return "places[" + number() + "] = 1;";
    }
  }

  std::string pollingProgram(unsigned threads) {
    std::string text = std::string(kPrelude) + "static int places[4];\n";
    const bool relaxed = below(2) == 0;
    for (thread_ = 0; thread_ < threads; ++thread_) {
      kept_ = 0;
      text += "static void* thread" + std::to_string(thread_) + "(void* unused) {\n";
      for (unsigned steps = 1 + below(3); steps > 0; --steps) text += "  " + turn(relaxed) + "\n";
      text += "  return unused;\n}\n";
    }
    return text + mainFunction(threads);
  }

  std::string push() {
    const std::string value = "n->value = " + std::to_string(thread_ + 1) + "; ";
    const std::string exchange = "atomic_compare_exchange_" + oneOf({"weak", "strong"}) + "_explicit(&top, ";
    switch (below(4)) {
      case 3:
        return "{ BEGIN; for (;;) { struct node* n = malloc(sizeof *n); " + value +
               "struct node* t = atomic_load_explicit(&top, rlx); n->next = t; if (" + exchange +
               "&t, n, rel, rlx)) break; free(n); ROUND(); } }";
      case 0:
        return "{ BEGIN; struct node* n = malloc(sizeof *n); " + value +
               "do { ROUND(); n->next = atomic_load_explicit(&top, rlx); } while (!" + exchange + "&n->next, n, rel, rlx)); }";
      case 1:
        return "{ BEGIN; struct node* n = malloc(sizeof *n); " + value + "n->next = atomic_load_explicit(&top, rlx); while (!" +
               exchange + "&n->next, n, rel, rlx)) ROUND(); }";
      default:
        return "{ BEGIN; struct node* n = malloc(sizeof *n); " + value +
               "struct node* t = atomic_load_explicit(&top, rlx); for (;;) { n->next = t; if (" + exchange +
               "&t, n, rel, rlx)) break; ROUND(); } }";
    }
  }

  std::string simple() {
    if (byTrying_ && below(20) == 0) return keep("atomic_load_explicit(&" + oneOf({"taken", "slots"}) + ", rlx)") + ";";
    switch (below(3)) {
      case 0: return "atomic_store_explicit(&" + location() + ", " + std::to_string(1 + below(3)) + ", " + storeOrder() + ");";
      case 1: return "atomic_fetch_add_explicit(&" + location() + ", 1, " + storeOrder() + ");";
      default: return keep("atomic_load_explicit(&" + location() + ", " + loadOrder() + ")") + ";";
    }
  }

  std::string program(unsigned threads) {
    std::string text = kPrelude;
    byTrying_ = below(2) == 0;
    const bool polls = below(3) == 0;
    for (thread_ = 0; thread_ < threads; ++thread_) {
      kept_ = 0;
      text += "static void* thread" + std::to_string(thread_) + "(void* unused) {\n";
      if (thread_ == 0) text += "  atomic_fetch_add_explicit(&x, 1, rlx);\n";
      if (thread_ == 0 && polls) text += "  pthread_mutex_lock(&mutex); ready = 1; pthread_mutex_unlock(&mutex);\n";
      const unsigned steps = 1 + below(threads == 2 ? 3 : 2);
      for (unsigned i = 0; i < steps; ++i) {
        switch (below(8)) {
          case 0:
          case 1: text += "  " + retry() + "\n"; break;
          case 5: text += "  " + (polls ? poll() : simple()) + "\n"; break;
          case 6: text += "  " + (byTrying_ ? place() : simple()) + "\n"; break;
          case 2: text += "  " + critical() + "\n"; break;
          case 3: text += "  " + push() + "\n"; break;
          case 4: text += "  " + wait() + "\n"; break;
          default: text += "  " + simple() + "\n";
        }
      }
      text += "  return unused;\n}\n";
    }
    return text + mainFunction(threads);
  }

  static std::string mainFunction(unsigned threads) {
    std::string text = "int main(void) {\n  pthread_t t[" + std::to_string(threads) + "];\n";
    for (unsigned i = 0; i < threads; ++i)
      text += "  pthread_create(&t[" + std::to_string(i) + "], 0, thread" + std::to_string(i) + ", 0);\n";
    for (unsigned i = 0; i < threads; ++i) text += "  pthread_join(t[" + std::to_string(i) + "], 0);\n";
    text +=
        R"(  printf("end %d %d %d %d %d:", atomic_load(&x), atomic_load(&y), atomic_load(&taken), atomic_load(&slots), counter);
  for (int i = 0; i < 12; i++) printf(" %d", seen[i / 4][i % 4]);
  for (struct node* n = atomic_load(&top); n; n = n->next) printf(" n%d", n->value);
  printf("\n");
  return 0;
}
)";
    return text;
  }

  struct Ends {
    std::set<std::string> states;
    std::string verdict;  // the first word, and what the error is
    std::string all;
  };

  Ends run(const std::string& file, const std::string& model, bool bounded) const {
    std::vector<std::string> arguments = {"check", "--output", "--quiet", "--liveness",       "off",   "--model",
                                          model,   "--time",   "5",       "--max-executions", "40000", file};
    if (bounded) arguments.insert(arguments.end(), {"--", "-DBOUNDED"});
    const Finished finished = heddle(arguments);
    Ends ends;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      ends.all += line.substr(0, 200) + "\n";
      if (line.starts_with("end ")) ends.states.insert(line);
      for (const char* verdict : {"verified", "bounded", "error", "incomplete"}) {
        if (line.starts_with(verdict)) ends.verdict = verdict;
      }
    }
    if (ends.verdict.empty()) ends.verdict = "code " + std::to_string(finished.code) + " " + finished.err;
    return ends;
  }

  // Random programs have the same ends whether their loops wait or go round.
  template <class MakeProgram>
  void compareRandom(unsigned programs, MakeProgram make) {
    const unsigned first = setting("HEDDLE_LOOP_SEED", 1);
    unsigned compared = 0;
    for (unsigned seed = first; seed < first + programs; ++seed) {
      random_.seed(seed);
      const std::string text = make(2 + below(2));
      const std::string file = write("loops.c", text);
      const std::string model = oneOf({"rc20", "rc20", "sc", "tso"});
      const Ends waiting = run(file, model, false), going = run(file, model, true);
      if (waiting.verdict == "incomplete" || going.verdict == "incomplete") continue;
      ++compared;
      ASSERT_EQ(waiting.verdict, "verified") << "seed " << seed << ", " << model << "\n" << text << waiting.all;
      ASSERT_EQ(going.verdict, "verified") << "seed " << seed << ", " << model << "\n" << text << going.all;
      ASSERT_EQ(waiting.states, going.states) << "seed " << seed << ", " << model << "\n" << text;
    }
    EXPECT_GE(compared, programs / 4);
  }

  // Likewise of programs that may race: both do, or neither. How many race?
  template <class MakeProgram>
  unsigned compareRacing(unsigned programs, MakeProgram make) {
    const unsigned first = setting("HEDDLE_LOOP_SEED", 1);
    unsigned compared = 0, racing = 0;
    for (unsigned seed = first; seed < first + programs && !HasFatalFailure(); ++seed) {
      random_.seed(seed);
      const std::string text = make(2 + below(2));
      const std::string file = write("loops.c", text);
      const std::string model = oneOf({"rc20", "rc20", "sc", "tso"});
      const Ends waiting = run(file, model, false), going = run(file, model, true);
      if (waiting.verdict == "incomplete" || going.verdict == "incomplete") continue;
      ++compared;
      expectSame(waiting, going, "seed " + std::to_string(seed) + ", " + model + "\n" + text);
      racing += going.verdict == "error";
    }
    EXPECT_GE(compared, programs / 4);
    return racing;
  }

  static void expectSame(const Ends& waiting, const Ends& going, const std::string& where) {
    ASSERT_EQ(waiting.verdict, going.verdict) << where << waiting.all << going.all;
    if (going.verdict == "error") return;
    ASSERT_EQ(going.verdict, "verified") << where << going.all;
    ASSERT_EQ(waiting.states, going.states) << where;
  }

  std::mt19937 random_;
  unsigned thread_ = 0, kept_ = 0;
  bool byTrying_ = false, pushed_ = false;
};

TEST_F(LoopFuzz, WaitingLeavesOutIterationsButNoOutcomes) {
  compareRandom(setting("HEDDLE_LOOP_PROGRAMS", 8), [&](unsigned threads) { return program(threads); });
}

// A program of which some loop is explored round by round, because others notice, may not end.
TEST_F(LoopFuzz, RoundsThatStoreOrCountLeaveOutNoOutcomes) {
  compareRandom(setting("HEDDLE_LOOP_PROGRAMS", 12), [&](unsigned threads) { return storingProgram(threads); });
}

TEST_F(LoopFuzz, PollingHidesNeitherOutcomesNorRaces) {
  const unsigned programs = setting("HEDDLE_LOOP_PROGRAMS", 20);
  EXPECT_GE(compareRacing(programs, [&](unsigned threads) { return pollingProgram(threads); }), programs / 20);
}

TEST_F(LoopFuzz, RoundsThatTakeBackHideNeitherOutcomesNorRaces) {
  compareRacing(setting("HEDDLE_LOOP_PROGRAMS", 16), [&](unsigned threads) { return takingBackProgram(threads); });
}

}  // namespace
}  // namespace heddle::cli
