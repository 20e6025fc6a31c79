#include "bench/programs.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace heddle::bench {

namespace {

// One litmus text under construction: the initial state, then the threads that the main thread spawns.
class Builder {
 public:
  Builder(std::string name, std::string initial, std::string parameters)
      : name_(std::move(name)), initial_(std::move(initial)), parameters_(std::move(parameters)) {}

  // Adds a thread; the main thread spawns it next.
  void thread(const std::string& body) {
    threads_.push_back(body);
    main_ += fmt::format("  spawn(P{});\n", threads_.size());
  }
  // Adds a statement to the main thread.
  void main(const std::string& statement) { main_ += statement; }
  void joinAll() {
    for (std::size_t i = 1; i <= threads_.size(); ++i) main_ += fmt::format("  join(P{});\n", i);
  }

  std::string text() const {
    std::string result = fmt::format("C {}\n\n{{ {} }}\n\nP0({}) {{\n{}}}\n", name_, initial_, parameters_, main_);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      result += fmt::format("\nP{}({}) {{\n{}}}\n", i + 1, parameters_, threads_[i]);
    }
    return result;
  }

 private:
  std::string name_, initial_, parameters_, main_;
  std::vector<std::string> threads_;
};

std::string load(const std::string& target, const std::string& place, const char* order) {
  return fmt::format("{} = atomic_load_explicit({}, memory_order_{});\n", target, place, order);
}
std::string store(const std::string& place, const std::string& value, const char* order) {
  return fmt::format("  atomic_store_explicit({}, {}, memory_order_{});\n", place, value, order);
}
std::string increment(const std::string& place) {
  return fmt::format("  atomic_fetch_add_explicit({}, 1, memory_order_relaxed);\n", place);
}

}  // namespace

// Loads and stores --------------------------------------------------------------------------------------------

std::string fibBench(unsigned rounds) {
  Builder b(fmt::format("fib_bench-{}", rounds), "x=1; y=1;", "atomic_int* x, atomic_int* y");
  const auto adder = [&](const char* target) {
    return fmt::format("  for (int i = 0; i < {}; i++) {{\n    int a", rounds) + load("", "x", "acquire") + "    int b" +
           load("", "y", "acquire") + "  " + store(target, "a + b", "release") + "  }\n";
  };
  b.thread(adder("x"));
  b.thread(adder("y"));
  b.thread("  int a" + load("", "x", "acquire") + "  int b = 0;\n  if (a <= 144) b" + load("", "y", "acquire"));
  return b.text();
}

std::string big0() {
  Builder b("big0", "x=0; y=0; z=0; w=0;", "atomic_int* x, atomic_int* y, atomic_int* z, atomic_int* w");
  const auto reads = [](const std::string& places) {
    std::string body;
    for (std::size_t i = 0; i < places.size(); ++i) {
      body += fmt::format("  int r{}", i) + load("", std::string(1, places[i]), "acquire");
    }
    return body;
  };
  const auto writes = [](const char* first, const char* second) {
    std::string body;
    for (unsigned value = 1; value <= 3; ++value) {
      body += store(first, std::to_string(value), "release") + store(second, std::to_string(value), "release");
    }
    return body;
  };
  b.thread(reads("xyzwxyz"));
  b.thread(reads("xyz"));
  b.thread(writes("x", "y"));
  b.thread(writes("z", "w"));
  return b.text();
}

// Abdulla et al., "Source Sets" (2017): one thread looks for the last zero of an array from its end, and thread j
// writes array[j] = array[j-1] + 1. Element 0 stays 0, so the search ends there at the latest.
std::string lastzero(unsigned writers) {
  Builder b(fmt::format("lastzero-{}", writers), fmt::format("atomic_int array[{}];", writers + 1), "atomic_int* array");
  b.thread(fmt::format("  for (int i = {}; i >= 0; i--) {{\n    int r", writers) + load("", "&array[i]", "acquire") +
           "    if (r == 0) break;\n  }\n");
  for (unsigned j = 1; j <= writers; ++j) {
    b.thread("  int r" + load("", fmt::format("&array[{}]", j - 1), "acquire") +
             store(fmt::format("&array[{}]", j), "r + 1", "release"));
  }
  return b.text();
}

std::string readers(unsigned readers) {
  Builder b(fmt::format("readers-{}", readers), "x=0;", "atomic_int* x");
  b.thread(store("x", "1", "release"));
  for (unsigned i = 0; i < readers; ++i) b.thread("  int r" + load("", "x", "acquire"));
  b.joinAll();
  return b.text();
}

// The main thread counts an index up and spawns, after each step, a thread that uses the index as it then finds it.
std::string sigma(unsigned rounds) {
  Builder b(fmt::format("sigma-{}", rounds), fmt::format("index=0; atomic_int array[{}];", rounds + 1),
            "atomic_int* index, atomic_int* array");
  for (unsigned i = 0; i < rounds; ++i) {
    b.main(fmt::format("  int m{}", i) + load("", "index", "seq_cst") + store("index", fmt::format("m{} + 1", i), "seq_cst"));
    b.thread("  int r" + load("", "index", "seq_cst") + store("&array[r]", "1", "seq_cst"));
  }
  return b.text();
}

std::string nwritesLoc(unsigned writers) {
  Builder b(fmt::format("nwrites-loc-{}", writers), "x=0;", "atomic_int* x");
  for (unsigned i = 1; i <= writers; ++i) b.thread(store("x", std::to_string(i), "relaxed"));
  return b.text();
}

std::string rww() {
  Builder b("R+W+W", "x=0;", "atomic_int* x");
  b.thread("  int r" + load("", "x", "relaxed"));
  b.thread(store("x", "1", "relaxed"));
  b.thread(store("x", "2", "relaxed"));
  return b.text();
}

std::string wwrr() {
  Builder b("W+W+RR", "x=0; y=0;", "atomic_int* x, atomic_int* y");
  b.thread(store("x", "1", "relaxed"));
  b.thread(store("y", "1", "relaxed"));
  b.thread("  int r0" + load("", "x", "relaxed") + "  int r1" + load("", "y", "relaxed"));
  return b.text();
}

// The TruSt paper has a table of counts but no text of this program, "a variant of exp-mem with no RMW operations":
// 20,736, 705,600 and 33,177,600 executions for 4, 5 and 6 threads, the same under SC and RC11. These are the squares
// of N! * (N+2) = (N+1)! + N!, which suggests two independent halves of N writers each, ordered in N! ways, and a
// thread that reads what they write (N+1 ways) in one of the two outcomes of a race on another location. This is such a
// program: the counts agree for the three sizes, the program itself is a guess.
std::string expMem2(unsigned threads) {
  Builder b(fmt::format("exp-mem2-{}", threads), "x0=0; y0=0; x1=0; y1=0;",
            "atomic_int* x0, atomic_int* y0, atomic_int* x1, atomic_int* y1");
  b.thread(store("x0", "1", "relaxed"));
  b.thread(store("x1", "1", "relaxed"));
  for (unsigned i = 1; i <= threads; ++i) {
    b.thread(store("y0", std::to_string(i), "relaxed") + store("y1", std::to_string(i), "relaxed"));
  }
  for (const char* half : {"0", "1"}) {
    b.thread("  int r" + load("", fmt::format("x{}", half), "relaxed") + "  int s = 0;\n  if (r == 0) s" +
             load("", fmt::format("y{}", half), "relaxed"));
  }
  return b.text();
}

// Read-modify-writes ------------------------------------------------------------------------------------------

static std::string incrementAll(const char* name, unsigned threads, const std::string& places) {
  std::string initial, parameters, body;
  for (const char place : places) {
    initial += fmt::format("{}=0; ", place);
    parameters += fmt::format("{}atomic_int* {}", parameters.empty() ? "" : ", ", place);
    body += increment(std::string(1, place));
  }
  Builder b(fmt::format("{}-{}", name, threads), initial, parameters);
  for (unsigned i = 0; i < threads; ++i) b.thread(body);
  return b.text();
}

std::string ainc(unsigned threads) { return incrementAll("ainc", threads, "x"); }
std::string binc(unsigned threads) { return incrementAll("binc", threads, "xy"); }
std::string cinc(unsigned threads) { return incrementAll("cinc", threads, "xyz"); }

static std::string compareExchange(const std::string& place, const std::string& desired) {
  return fmt::format("atomic_compare_exchange_strong_explicit({}, &e, {}, memory_order_relaxed, memory_order_relaxed)", place,
                     desired);
}

std::string casrot(unsigned threads) {
  Builder b(fmt::format("casrot-{}", threads), "x=0;", "atomic_int* x");
  for (unsigned i = 1; i <= threads; ++i) {
    b.thread(fmt::format("  int e = {};\n  {};\n", i - 1, compareExchange("x", std::to_string(i))));
  }
  return b.text();
}

std::string casw(unsigned threads) {
  Builder b(fmt::format("casw-{}", threads), "x=0;", "atomic_int* x");
  for (unsigned i = 0; i < threads; ++i) {
    b.thread(fmt::format("  int e = 0;\n  {};\n", compareExchange("x", "1")) + store("x", std::to_string(i + 3), "release"));
  }
  return b.text();
}

// Flanagan and Godefroid (2005): every thread puts four messages into a hash table of 128 entries. Messages are
// (m+1) * 11 + tid, m = 0..3, so that none is 0, which stands for a free entry. Threads collide from 12 on.
std::string indexer(unsigned threads) {
  Builder b(fmt::format("indexer-{}", threads), "atomic_int table[128];", "atomic_int* table");
  for (unsigned tid = 0; tid < threads; ++tid) {
    b.thread(fmt::format("  for (int m = 1; m <= 4; m++) {{\n"
                         "    int w = m * 11 + {};\n"
                         "    int h = (w * 7) % 128;\n"
                         "    for (int tries = 0; tries < 128; tries++) {{\n"
                         "      int e = 0;\n"
                         "      int done = {};\n"
                         "      if (done) break;\n"
                         "      h = (h + 1) % 128;\n"
                         "    }}\n"
                         "  }}\n",
                         tid, compareExchange("&table[h]", "w")));
  }
  return b.text();
}

std::string lockinc(unsigned threads) {
  Builder b(fmt::format("lockinc-{}", threads), "x=0;", "atomic_int* x, mutex* m");
  for (unsigned i = 0; i < threads; ++i) {
    b.thread("  lock(m);\n  int r" + load("", "x", "relaxed") + store("x", "r + 1", "relaxed") + "  unlock(m);\n");
  }
  return b.text();
}

// The TruSt paper, section 2.3: one thread increments x, N threads increment y, and the last of these then
// increments x. N! orders of the increments of y and 2 of those of x, independent of each other: 2 * N!, which is
// the paper's count.
std::string expMem(unsigned threads) {
  Builder b(fmt::format("exp-mem-{}", threads), "x=0; y=0;", "atomic_int* x, atomic_int* y");
  b.thread(increment("x"));
  for (unsigned i = 1; i <= threads; ++i) b.thread(increment("y") + (i == threads ? increment("x") : ""));
  return b.text();
}

// Waiting for the lock is an assumption, so an attempt that fails is a blocked execution.
std::string lockref(unsigned threads) {
  const auto lock = [](const std::string& indent) {
    return fmt::format("{0}int free = 0;\n{0}int taken = atomic_compare_exchange_strong_explicit((atomic_int*)w, &free, 1, "
                       "memory_order_acquire, memory_order_relaxed);\n{0}assume(taken == 1);\n",
                       indent);
  };
  const std::string unlock = store("(atomic_int*)w", "0", "release");
  std::string text =
      fmt::format("C lockref-{}\n\n{{ long w=0; }}\n\nP0(atomic_long* w) {{\n{}{}}}\n", threads, lock("  "), unlock);
  for (unsigned i = 1; i < threads; ++i) {
    text += fmt::format("\nP{}(atomic_long* w) {{\n", i) + "  long old" + load("", "w", "relaxed") +
            fmt::format("  int done = 0;\n  for (int i = 0; i < {} && done == 0 && (old & 0xffffffff) == 0; i++) {{\n"
                        "    done = atomic_compare_exchange_strong_explicit(w, &old, old + 0x100000000, memory_order_relaxed, "
                        "memory_order_relaxed);\n  }}\n  if (done == 0) {{\n",
                        2 * threads) +
            lock("    ") + "    int count" + load("", "(atomic_int*)w + 1", "relaxed") + "  " +
            store("(atomic_int*)w + 1", "count + 1", "relaxed") + "  " + unlock + "  }\n}\n";
  }
  return text;
}

// The core: two threads that write and read x and y in turn, as in store buffering, with a third that reads both.
std::string longRun(unsigned events) {
  constexpr unsigned rounds = 4;
  Builder b(fmt::format("long-{}", events), "x=0; y=0; atomic_int a[8];", "atomic_int* x, atomic_int* y, atomic_int* a");
  const unsigned core = 2 * 2 * rounds + 2 + 3;  // both threads, the third, and three spawns
  const unsigned work = events > core ? (events - core) / 2 : 0;
  const auto worker = [&](unsigned first, const char* own, const char* other) {
    std::string body = "  int r = 0;\n";
    for (unsigned i = 0; i < work; ++i) {
      const std::string place = fmt::format("&a[{}]", first + i / 2 % 4);
      body += i % 2 == 0 ? store(place, "r + 1", "relaxed") : "  r" + load("", place, "relaxed");
    }
    for (unsigned i = 1; i <= rounds; ++i) {
      body += store(own, std::to_string(i), "release") + "  r" + load("", other, "acquire");
    }
    return body;
  };
  b.thread(worker(0, "x", "y"));
  b.thread(worker(4, "y", "x"));
  b.thread("  int r0" + load("", "x", "acquire") + "  int r1" + load("", "y", "acquire"));
  return b.text();
}

// By name -----------------------------------------------------------------------------------------------------

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"fib_bench", fibBench, true},
      {"big0", [](unsigned) { return big0(); }, false},
      {"lastzero", lastzero, true},
      {"readers", readers, true},
      {"ainc", ainc, true},
      {"binc", binc, true},
      {"cinc", cinc, true},
      {"casrot", casrot, true},
      {"casw", casw, true},
      {"indexer", indexer, true},
      {"lockinc", lockinc, true},
      {"sigma", sigma, true},
      {"nwrites-loc", nwritesLoc, true},
      {"exp-mem", expMem, true},
      {"exp-mem2", expMem2, true},
      {"R+W+W", [](unsigned) { return rww(); }, false},
      {"W+W+RR", [](unsigned) { return wwrr(); }, false},
      {"lockref", lockref, true},
      {"long", longRun, true},
  };
  return all;
}

std::string programText(const std::string& name) {
  const std::size_t open = name.find('(');
  const std::string family = name.substr(0, open);
  for (const Family& candidate : families()) {
    if (candidate.name != family || candidate.sized != (open != std::string::npos)) continue;
    unsigned size = 0;
    if (candidate.sized) {
      const char* end = name.data() + name.size();
      const auto parsed = std::from_chars(name.data() + open + 1, end, size);
      if (parsed.ec != std::errc() || parsed.ptr + 1 != end || *parsed.ptr != ')') break;
    }
    return candidate.text(size);
  }
  throw std::invalid_argument(fmt::format("there is no program `{}`", name));
}

}  // namespace heddle::bench
