#include "transaction_program.h"

#include <random>

namespace heddle::oracle {

namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const TransactionProfile& profile) : random_(seed), profile_(profile) {}

  TransactionProgram program() {
    const unsigned threads = 2 + below(2) + (below(6) == 0 ? 1 : 0);
    budget_ = profile_.accesses - (threads == 4);
    TransactionProgram program{.threads = {}, .plain = profile_.plain};
    for (unsigned t = 0; t < threads; ++t) program.threads.push_back(thread(threads, profile_.spawns && t == 0));
    return program;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string thread(unsigned threads, bool spawns) {
    std::string text = "  int r0 = 0; int r1 = 0; int r2 = 0;\n";
    const unsigned items = 1 + below(threads == 2 ? 3 : 2);
    const unsigned spawn = below(items), join = spawn + below(items + 1);
    for (unsigned i = 0; i < items; ++i) {
      if (spawns && i == spawn) text += "  spawn(P1);\n";
      if (spawns && i > spawn && i == join) text += "  join(P1);\n";
      if (profile_.aborts && below(2) != 0) {
        text += abortable();
      } else if (below(3) != 0 || !profile_.outside) {
        text += "  atomic {\n";
        const unsigned size = profile_.single ? 1 : 1 + below(3);
        for (unsigned s = 0; s < size; ++s) text += statement("    ", true);
        text += "  };\n";
      } else {
        const bool locked = profile_.locks && below(2) != 0;
        if (locked) text += "  lock(m);\n";
        text += statement("  ", false);
        if (locked) text += "  unlock(m);\n";
      }
    }
    return text;
  }

  // A transaction that is left when it has read some value. The hardware takes back what it has written before.
  std::string abortable() {
    const std::string name = "r" + std::to_string(below(3)), constant = std::to_string(below(2));
    const unsigned read = below(3), written = (read + 1 + below(2)) % 3;
    const std::string load =
        "    " + name + " = atomic_load_explicit(" + std::string(1, "xyz"[read]) + ", memory_order_relaxed);\n";
    const std::string store = "    atomic_store_explicit(" + std::string(1, "xyz"[written]) + ", 7, memory_order_relaxed);\n";
    std::string body;
    for (unsigned s = below(3); s > 0; --s) body += statement("    ", true);
    return "#ifdef HARDWARE\n  TRY {\n" + store + load + "    if (" + name + " == " + constant + ") _xabort(1);\n" + body +
           "  _xend(); } else { heddle_assume(status & 1); " + name + " = " + constant + "; }\n#else\n  atomic {\n" + load +
           "    if (" + name + " != " + constant + ") {\n" + store + body + "    }\n  };\n#endif\n";
  }

  std::string order() {
    const char* orders[] = {"memory_order_relaxed", "memory_order_seq_cst"};
    return orders[below(2)];
  }

  std::string statement(const std::string& indent, bool inside) {
    if (budget_ == 0) return "";
    --budget_;
    const char variable = "xyz"[below(3)];
    const bool plain = profile_.plain && variable == 'z';
    std::string place(1, plain && !inside && below(4) != 0 ? 'x' : variable);
    const bool isPlain = plain && place == "z";
    if (profile_.mixedSizes && below(2) != 0) place = "(atomic_char*)" + place + (below(2) != 0 ? " + 1" : "");
    const std::string constant = std::to_string(1 + below(2));
    const unsigned kind = below(inside ? 9 : 7);
    if (profile_.choices && below(4) == 0) {  // each choice can be told from the value that is written
      const std::string chosen = "r" + std::to_string(below(3));
      return indent + chosen + " = choose(2);\n" + indent + "atomic_store_explicit(" + place + ", " + chosen + " + 5, " +
             order() + ");\n";
    }
    const std::string name = "r" + std::to_string(below(3));
    if (isPlain && kind < 4) return indent + name + " = *z;\n" + condition(indent, name, inside);
    if (isPlain) return indent + "*z = " + (below(2) != 0 ? name + " + 1" : constant) + ";\n";
    if (kind < 3) {
      return indent + name + " = atomic_load_explicit(" + place + ", " + order() + ");\n" + condition(indent, name, inside);
    }
    if (kind < 5)
      return indent + "atomic_store_explicit(" + place + ", " + (below(2) != 0 ? name + " + 1" : constant) + ", " + order() +
             ");\n";
    if (kind == 5 || (kind > 5 && profile_.single)) {
      return indent + "atomic_fetch_add_explicit(" + place + ", 1, " + order() + ");\n";
    }
    if (kind == 6 && !inside) {
      return indent + "atomic_thread_fence(memory_order_seq_cst);\n";
    }
    return indent + "atomic_compare_exchange_" + (below(3) == 0 ? "weak" : "strong") + "_explicit(" + place + ", &" + name +
           ", " + constant + ", memory_order_seq_cst, memory_order_relaxed);\n";
  }

  // What is read decides what else is accessed.
  std::string condition(const std::string& indent, const std::string& name, bool inside) {
    if (below(2) != 0 || budget_ == 0 || (profile_.single && inside)) return "";
    const std::string body = statement(indent + "  ", inside);
    return indent + "if (" + name + " == " + std::to_string(below(2)) + ") {\n" + body + indent + "}\n";
  }

  std::mt19937_64 random_;
  TransactionProfile profile_;
  unsigned budget_ = 0;
};

// Without the lines that are for C with transactions of the hardware.
std::string withoutHardware(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  bool skips = false;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, end - begin);
    begin = end;
    if (line[0] == '#') {
      skips = line.starts_with("#ifdef");
    } else if (!skips) {
      result += line;
    }
  }
  return result;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

}  // namespace

TransactionProgram randomTransactions(std::uint64_t seed, const TransactionProfile& profile) {
  return Generator(seed, profile).program();
}

std::string toLitmus(const TransactionProgram& program) {
  std::string text = "C transactions\n{ }\n";
  const std::string z = program.plain ? "int* z" : "atomic_int* z";
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    text += "P" + std::to_string(i) + "(atomic_int* x, atomic_int* y, " + z + ", mutex* m) {\n" +
            replaced(withoutHardware(program.threads[i]), "};", "}") + "}\n";
  }
  return text;
}

std::string toLitmusWithStates(const TransactionProgram& program) {
  std::string condition;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (const char* const name : {"r0", "r1", "r2"}) condition += std::to_string(t) + ":" + name + "=0 /\\ ";
  }
  return toLitmus(program) + "exists (" + condition + "x=0 /\\ y=0 /\\ z=0)\n";
}

std::string toC(const std::vector<TransactionProgram>& programs) {
  std::string text = R"(#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef HARDWARE
#include <immintrin.h>
#define BEGIN if (_xbegin() != _XBEGIN_STARTED) heddle_assume(0);
#define END _xend();
#define TRY for (unsigned status = 0, once = 1; once; once = 0) if ((status = _xbegin()) == _XBEGIN_STARTED)
#elif defined LOCK
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN pthread_mutex_lock(&lock);
#define END pthread_mutex_unlock(&lock);
#elif defined NONE
#define BEGIN
#define END
#else
#define BEGIN heddle_transaction_begin();
#define END heddle_transaction_end();
#endif
#define choose(n) (int)heddle_choose(n)
)";
  std::string choice;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const TransactionProgram& program = programs[i];
    const std::string n = std::to_string(i);
    text += "static atomic_int x" + n + ", y" + n + ";\nstatic " + (program.plain ? "int" : "atomic_int") + " z" + n +
            ";\nstatic int out" + n + "[4][3];\n";
    for (const std::string v : {"x", "y", "z"}) text += "#undef " + v + "\n#define " + v + " (&" + v + n + ")\n";
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      const std::string body = replaced(replaced(program.threads[t], "};", "} END"), "atomic {", "BEGIN {");
      text += "static void *p" + n + "_" + std::to_string(t) + "(void *unused) {\n" + body;
      for (const std::string r : {"0", "1", "2"}) {
        text += "  out" + n + "[" + std::to_string(t) + "][" + r + "] = r" + r + ";\n";
      }
      text += "  return unused;\n}\n";
    }
    text += "static void run" + n + "(void) {\n  pthread_t threads[4];\n";
    const std::string count = std::to_string(program.threads.size());
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      const std::string thread = std::to_string(t);
      text += "  pthread_create(&threads[" + thread + "], 0, p" + n + "_" + thread + ", 0);\n";
    }
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      text += "  pthread_join(threads[" + std::to_string(t) + "], 0);\n";
    }
    text += "  for (int t = 0; t < " + count + "; ++t)\n    for (int r = 0; r < 3; ++r) printf(\"%d:r%d=%d; \", t, r, out" + n +
            "[t][r]);\n  printf(\"x=%d; y=%d; z=%d;\", *x, *y, *z);\n}\n";
    choice += "    case " + n + ": run" + n + "(); break;\n";
  }
  return text + "int main(int argc, char **argv) {\n  switch (atoi(argv[argc - 1])) {\n" + choice + "  }\n}\n";
}

}  // namespace heddle::oracle
