// See print_c.h.
#include "print_c.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

namespace heddle::oracle {

namespace {

// What is left of a lock or an attempt at one when the mutex goes: what is done under the lock, or without it. The
// variable that says whether the attempt succeeded is needed later.
Block withoutMutex(const Statement& s) {
  if (s.kind == StatementKind::critical) return s.body;
  Block rest = s.otherwise;
  rest.insert(rest.begin(), {.kind = StatementKind::choose, .reg = s.reg});
  return rest;
}

// `held`: mutexes that the thread may hold, a bit for each.
void dropRelocks(Block& block, unsigned& held) {
  for (std::size_t i = 0; i < block.size();) {
    Statement& s = block[i];
    const unsigned mutex = 1u << s.mutex;
    const bool takes = s.kind == StatementKind::critical || s.kind == StatementKind::attempt;
    if (takes && (held & mutex) != 0) {
      const Block rest = withoutMutex(s);
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), rest.begin(), rest.end());
      continue;
    }
    unsigned inBody = takes ? held | mutex : held, otherwise = held;
    dropRelocks(s.body, inBody);
    dropRelocks(s.otherwise, otherwise);
    if (takes && s.unlock == Unlock::always) inBody &= ~mutex;
    held = inBody | otherwise;
    ++i;
  }
}

void dropRelaxedFences(Block& block) {
  std::erase_if(block, [](const Statement& s) { return s.kind == StatementKind::fence && s.order == Order::relaxed; });
  for (Statement& s : block) {
    dropRelaxedFences(s.body);
    dropRelaxedFences(s.otherwise);
  }
}

// The registers that say whether a trylock has succeeded.
void findAttempts(const Block& block, std::set<int>& registers) {
  for (const Statement& s : block) {
    if (s.kind == StatementKind::attempt) registers.insert(s.reg);
    findAttempts(s.body, registers);
    findAttempts(s.otherwise, registers);
  }
}

// They are used in conditions only.
void forget(Block& block, const std::set<int>& registers) {
  for (Statement& s : block) {
    for (Operand* operand : {&s.index, &s.value, &s.expected}) {
      if (registers.contains(operand->otherReg)) operand->otherReg = -1;
      if (registers.contains(operand->reg)) operand->reg = std::exchange(operand->otherReg, -1);
    }
    forget(s.body, registers);
    forget(s.otherwise, registers);
  }
}

void makeAtomic(Block& block) {
  for (Statement& s : block) {
    if (s.order == Order::plain) s.order = Order::relaxed;
    makeAtomic(s.body);
    makeAtomic(s.otherwise);
  }
}

constexpr const char* kPrologueC = R"(#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef READERS
typedef struct {
  pthread_rwlock_t mutex;
  int guarded;
} mutex;
#define MUTEX {PTHREAD_RWLOCK_INITIALIZER, 0}
#define lock(m) (pthread_rwlock_wrlock(&(m)->mutex), enter(m))
#define trylock(m) (pthread_rwlock_trywrlock(&(m)->mutex) == 0 ? (enter(m), 1) : 0)
#define unlock(m) ((m)->guarded--, pthread_rwlock_unlock(&(m)->mutex))
#define rdlock(m) (pthread_rwlock_rdlock(&(m)->mutex), look(m))
#define tryrdlock(m) (pthread_rwlock_tryrdlock(&(m)->mutex) == 0 ? (look(m), 1) : 0)
#define rdunlock(m) (look(m), pthread_rwlock_unlock(&(m)->mutex))
#else
typedef struct {
  pthread_mutex_t mutex;
  int guarded;
} mutex;
#define MUTEX {PTHREAD_MUTEX_INITIALIZER, 0}
#define lock(m) (pthread_mutex_lock(&(m)->mutex), enter(m))
#define trylock(m) (pthread_mutex_trylock(&(m)->mutex) == 0 ? (enter(m), 1) : 0)
#define unlock(m) ((m)->guarded--, pthread_mutex_unlock(&(m)->mutex))
#endif
#ifdef TRIED
__attribute__((used)) static int tried(pthread_rwlock_t *m) { return pthread_rwlock_tryrdlock(m); }
#endif
#define INITIAL(value) = value
#define enter(m) assert((m)->guarded++ == 0)
#define look(m) assert((m)->guarded == 0)
#define spawn(P) pthread_t P##_thread; pthread_create(&P##_thread, 0, P##_entry, 0)
#define join(P) (pthread_join(P##_thread, 0), assert(P##_done == 1))
#define assume(condition) heddle_assume(condition)
#define choose(n) ((int)heddle_choose(n))
#define BEGIN(P) long *cells = P##_cells, *heap = malloc(32 * sizeof *heap), sum = 0; int count = 0
#define NOTE(r) (sum = sum * 31 + (r), cells[count] = heap[count] = (r), count++)
#define END compare(cells, count, sum); compare(heap, count, sum); free(heap); cells[31] = sum
#define ENTRY(P, ...) static void *P##_entry(void *unused) { GATHER; P(__VA_ARGS__); P##_done = 1; return unused; }

static void compare(const long *values, int count, long sum) {
  long again = 0;
  for (int i = 0; i < count; i++) again = again * 31 + values[i];
  assert(again == sum);
}

)";

constexpr const char* kPrologueCpp = R"(#include <heddle/heddle.h>
#include <pthread.h>
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
using namespace std;

struct Guarded {
#ifdef READERS
  std::shared_mutex inner;
#else
  std::mutex inner;
#endif
  int guarded = 0;
};
#ifdef TRIED
__attribute__((used)) static bool tried(std::shared_mutex& m) { return m.try_lock_shared(); }
#endif
#define mutex Guarded
#define MUTEX
#define INITIAL(value) {value}
#define enter(m) assert((m)->guarded++ == 0)
#define look(m) assert((m)->guarded == 0)
#define lock(m) ((m)->inner.lock(), enter(m))
#define rdlock(m) ((m)->inner.lock_shared(), look(m))
#define tryrdlock(m) ((m)->inner.try_lock_shared() ? (look(m), 1) : 0)
#define rdunlock(m) (look(m), (m)->inner.unlock_shared())
#define trylock(m) ((m)->inner.try_lock() ? (enter(m), 1) : 0)
#define unlock(m) ((m)->guarded--, (m)->inner.unlock())
#define spawn(P) std::thread* const P##_thread = new std::thread(P##_entry)
#define join(P) (P##_thread->join(), assert(P##_done == 1))
#define assume(condition) heddle_assume(condition)
#define choose(n) static_cast<int>(heddle_choose(n))
#define BEGIN(P) long* const cells = P##_cells; std::vector<long> heap; long sum = 0; int count = 0
#define NOTE(r) (sum = sum * 31 + (r), cells[count] = (r), heap.push_back(+(r)), count++)
#define END compare(cells, count, sum); compare(heap.data(), count, sum); cells[31] = sum
#define ENTRY(P, ...) atomic<int> P##_mark; static void P##_entry() { GATHER; P##_mark = 1; P(__VA_ARGS__); P##_done = 1; }

static void compare(const long* values, int count, long sum) {
  long again = 0;
  for (int i = 0; i < count; ++i) again = again * 31 + values[i];
  assert(again == sum);
}

)";

std::string prefix(std::size_t program) { return "p" + std::to_string(program) + "_"; }

// "spawn(P1)" becomes "spawn(p7_P1)", and so does a join.
std::string withPrefix(std::string body, const std::string& prefix) {
  for (const char* call : {"spawn(", "join("}) {
    const std::string wanted = std::string(call) + "P";
    for (std::size_t at = body.find(wanted); at != std::string::npos; at = body.find(wanted, at + prefix.size())) {
      body.insert(at + wanted.size() - 1, prefix);
    }
  }
  return body;
}

// Adds a note of every variable that a line gives a value to.
std::string withNotes(const std::string& body) {
  static const std::regex assigned("(?:int|long|char|short) (r[0-9]+) = ");
  std::string result;
  std::istringstream in(body);
  for (std::string line; std::getline(in, line);) {
    result += line;
    for (std::sregex_iterator at(line.begin(), line.end(), assigned), end; at != end; ++at) {
      result += " NOTE(" + (*at)[1].str() + ");";
    }
    result += '\n';
  }
  return result;
}

// Threads come after those that they start.
void printThread(const RandomProgram& program, std::size_t thread, const std::string& prefix, std::string& out) {
  const ThreadText text = threadText(program, thread);
  const std::string function = prefix + "P" + std::to_string(thread);
  std::string parameters, arguments;
  for (const auto& [type, name] : text.parameters) {
    const std::string comma = parameters.empty() ? "" : ", ";
    parameters += comma + type + "* " + name;
    arguments += comma + "(" + type + "*)&" + prefix + name;
  }
  out += "static long " + function + "_cells[32];\nstatic int " + function + "_done;\n";
  out += "static void " + function + "(" + (parameters.empty() ? "void" : parameters) + ") {\n  BEGIN(" + function + ");\n" +
         withNotes(withPrefix(text.body, prefix)) + "  END;\n}\n";
  out += "ENTRY(" + function + (arguments.empty() ? "" : ", " + arguments) + ")\n";
}

// The types of locations and mutexes by name: a location is atomic if some thread uses it as an atomic.
std::map<std::string, std::string> globalsOf(const RandomProgram& program) {
  std::map<std::string, std::string> globals;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (const auto& [type, name] : threadText(program, t).parameters) {
      std::string& known = globals[name];
      if (known.empty() || type.starts_with("atomic_")) known = type;
    }
  }
  return globals;
}

// Mutexes have none.
const Location* locationOf(const RandomProgram& program, const std::string& name) {
  for (unsigned l = 0; l < program.locations.size(); ++l) {
    if (locationName(l) == name) return &program.locations[l];
  }
  return nullptr;
}

bool isArray(const RandomProgram& program, const std::string& name) {
  const Location* location = locationOf(program, name);
  return location != nullptr && location->elements > 1;
}

// "x", or "x[2]".
std::string declarator(const RandomProgram& program, const std::string& name) {
  return isArray(program, name) ? name + "[" + std::to_string(locationOf(program, name)->elements) + "]" : name;
}

// The location, or its elements.
std::vector<std::string> partsOf(const RandomProgram& program, const std::string& name) {
  if (!isArray(program, name)) return {name};
  std::vector<std::string> parts;
  for (unsigned i = 0; i < locationOf(program, name)->elements; ++i) parts.push_back(name + "[" + std::to_string(i) + "]");
  return parts;
}

std::string initialValue(const RandomProgram& program, const std::string& name) {
  const Location* location = locationOf(program, name);
  return location == nullptr ? "MUTEX" : std::to_string(location->initial);
}

// Locations are members of a struct, mutexes are not. It is made by `prepare`, a macro of the program.
void printStruct(const RandomProgram& program, const std::string& prefix, Layout layout, std::string& out) {
  const std::string type = "struct " + prefix + "all", start = prefix + "start", object = prefix + "object";
  std::string members, values, names;
  for (const auto& [name, kind] : globalsOf(program)) {
    if (kind == "mutex") {
      out += "mutex " + prefix + name + " INITIAL(MUTEX);\n";
      continue;
    }
    members += "  " + kind + " " + declarator(program, name) + ";\n";
    values += isArray(program, name) ? "{0}, " : initialValue(program, name) + ", ";
    names += "#define " + prefix + name + " (" + object + "->" + name + ")\n";
  }
  out += type + " {\n" + members + "  int unused;\n};\n" + names;
  out += "static const " + type + " " + start + " = {" + values + "0};\n";
  out += "static " + type + " " + prefix + "room[3], *" + object + " = " + prefix + "room;\n";
  out += "static " + type + " " + prefix + "same(" + type + " v) { return v; }\n";
  out += "static void " + prefix + "prepare(void) {\n";
  switch (layout) {
    case Layout::assigned: out += "  *" + object + " = " + start + ";\n"; break;
    case Layout::moved:
      out += "  " + prefix + "room[1] = " + start + ";\n  memmove(&" + prefix + "room[0], &" + prefix +
             "room[1], 2 * sizeof *" + object + ");\n  memmove(&" + prefix + "room[1], &" + prefix + "room[0], 2 * sizeof *" +
             object + ");\n";
      break;
    default:
      out += "  " + object + " = (" + type + "*)malloc(sizeof *" + object + ");\n  memcpy(" + object + ", &" + start +
             ", sizeof *" + object + ");\n  *" + object + " = " + prefix + "same(*" + object + ");\n";
  }
  out += "}\n";
}

void printProgram(const RandomProgram& program, const std::string& prefix, Layout layout, std::string& out) {
  if (layout != Layout::globals) {
    printStruct(program, prefix, layout, out);
  } else {
    for (const auto& [name, type] : globalsOf(program)) {
      const bool array = isArray(program, name);  // starts with zeros
      out += type + " " + prefix + declarator(program, name) +
             (array ? ";\n" : " INITIAL(" + initialValue(program, name) + ");\n");
    }
  }
  for (std::size_t t = program.threads.size(); t-- > 0;) printThread(program, t, prefix, out);
  out += "\n";
}

bool hasReader(const Block& block) {
  return std::ranges::any_of(block,
                             [](const Statement& s) { return s.reading || hasReader(s.body) || hasReader(s.otherwise); });
}

void printMain(std::span<const RandomProgram> programs, Language language, std::string& out) {
  out += "int main(int argc, char** argv) {\n"
         "  int program = 0;\n"
         "  for (const char* c = argc > 1 ? argv[1] : \"0\"; *c != 0; c++) program = program * 10 + *c - '0';\n"
         "  switch (program) {\n";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    out += "    case " + std::to_string(i) + ": {\n";
    for (unsigned t = 0; t < programs[i].initialThreads; ++t) {
      out += "      spawn(" + prefix(i) + "P" + std::to_string(t) + ");\n";
    }
    out += "      break;\n    }\n";
  }
  out += "  }\n";
  // The other threads go on.
  out += std::string("  pthread_exit(") + (language == Language::c ? "0" : "nullptr") + ");\n}\n";
}

constexpr const char* kOutcomePrologue = R"(#ifdef HOST
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define heddle_assume(condition) ((condition) ? (void)0 : _exit(0))
#define heddle_choose(n) (rand() % (n))
#else
#include <heddle/heddle.h>
#endif
#include <stdio.h>
#include <string.h>
)";

// Natively threads wait for each other before they begin, and a failed assertion is an outcome.
constexpr const char* kOutcomeMacros = R"(
static int begun, started;
#ifdef HOST
#undef assert
#define assert(condition) ((condition) ? (void)0 : (printf("assertion\n"), fflush(stdout), _exit(0)))
#define GATHER (__atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST), wait_for_others())
static void wait_for_others(void) {
  while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < started) continue;
}
#else
#define GATHER (void)0
#endif
static union { int word; char bytes[4]; } mixedSizes;
)";

constexpr const char* kOutcomeMain = R"(
int main(int argc, char** argv) {
  int program = atoi(argv[1]);
#ifdef HOST
  for (int times = atoi(argv[2]); times > 0; times--) {
    if (fork() == 0) {
      srand((unsigned)times);
      run(program);
      fflush(stdout);
      _exit(0);
    }
    int status;
    wait(&status);
  }
#else
  if (argc > 2) {
    __atomic_store_n(&mixedSizes.word, 0x01020304, __ATOMIC_RELAXED);
    assert(__atomic_load_n(&mixedSizes.bytes[1], __ATOMIC_RELAXED) == 3);
  }
  run(program);
#endif
  return 0;
}
)";

// Starts the threads, waits for them, and prints what they have read and what is left.
void printRun(const RandomProgram& program, const std::string& prefix, const OutcomeText& text, std::string& out) {
  const unsigned threads = program.initialThreads;
  const bool apart = text.layout != Layout::globals;
  if (apart) out += "      " + prefix + "prepare();\n";
  out += "      started = " + std::to_string(threads) + ";\n";
  for (unsigned i = 0; i < threads; ++i) {
    out += "      spawn(" + prefix + "P" + std::to_string(text.reversed ? threads - 1 - i : i) + ");\n";
  }
  for (unsigned t = 0; t < threads; ++t) out += "      join(" + prefix + "P" + std::to_string(t) + ");\n";
  std::string format, values;
  for (unsigned t = 0; t < threads; ++t) {
    format += "%lx ";
    values += ", " + prefix + "P" + std::to_string(t) + "_cells[31]";
  }
  if (apart) out += "      struct " + prefix + "all copy = " + prefix + "same(*" + prefix + "object);\n";
  for (const auto& [name, type] : globalsOf(program)) {
    if (type == "mutex") continue;
    for (const std::string& part : partsOf(program, name)) {
      format += part + "=%lx ";
      values += ", (unsigned long)" + (apart ? "copy." + part : prefix + part);
    }
  }
  out += "      printf(\"" + format + "\\n\"" + values + ");\n";
}

}  // namespace

std::string toOutcomes(std::span<const RandomProgram> programs, Language language, const OutcomeText& text) {
  std::string out = kOutcomePrologue;
  std::string prologue = language == Language::c ? kPrologueC : kPrologueCpp;
  const std::string included = "#include <heddle/heddle.h>\n";
  prologue.erase(prologue.find(included), included.size());
  const bool readers = std::ranges::any_of(programs, [](const RandomProgram& program) {
    return std::ranges::any_of(program.threads, [](const Block& thread) { return hasReader(thread); });
  });
  out += (readers ? "#define READERS\n" : "") + prologue + kOutcomeMacros;
  for (std::size_t i = 0; i < programs.size(); ++i) printProgram(programs[i], prefix(i), text.layout, out);
  out += "static void run(int program) {\n  switch (program) {\n";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    out += "    case " + std::to_string(i) + ": {\n";
    printRun(programs[i], prefix(i), text, out);
    out += "      break;\n    }\n";
  }
  return out + "  }\n}\n" + kOutcomeMain;
}

RandomProgram forNative(RandomProgram program) {
  for (Block& thread : program.threads) {
    dropRelaxedFences(thread);
    unsigned held = 0;
    dropRelocks(thread, held);
  }
  return program;
}

RandomProgram withoutResultsOfAttempts(RandomProgram program) {
  for (Block& thread : program.threads) {
    std::set<int> results;
    findAttempts(thread, results);
    forget(thread, results);
  }
  return program;
}

RandomProgram withoutPlain(RandomProgram program) {
  for (Block& thread : program.threads) makeAtomic(thread);
  return program;
}

std::string toNative(std::span<const RandomProgram> programs, Language language, bool partedLocks) {
  const bool readers = std::ranges::any_of(programs, [](const RandomProgram& program) {
    return std::ranges::any_of(program.threads, [](const Block& thread) { return hasReader(thread); });
  });
  std::string out = readers ? "#define READERS\n" : "";
  if (readers && !partedLocks) out += "#define TRIED\n";
  out += language == Language::c ? kPrologueC : kPrologueCpp;
  out += "#define GATHER (void)0\n";
  for (std::size_t i = 0; i < programs.size(); ++i) printProgram(programs[i], prefix(i), Layout::globals, out);
  printMain(programs, language, out);
  return out;
}

std::string nativeName(std::size_t program, const std::string& name) { return prefix(program) + name; }

std::map<unsigned, unsigned> spawnLines(const std::string& file) {
  std::map<unsigned, unsigned> lines;
  std::istringstream in(file);
  unsigned number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    const std::size_t call = line.find(" spawn(p");
    if (call == std::string::npos) continue;
    const std::size_t thread = line.find("_P", call);
    lines[number] = static_cast<unsigned>(std::stoul(line.substr(thread + 2)));
  }
  return lines;
}

std::optional<unsigned> markedThread(const std::string& variable) {
  static const std::regex mark("p[0-9]+_P([0-9]+)_mark.*");
  std::smatch parts;
  if (!std::regex_match(variable, parts, mark)) return std::nullopt;
  return static_cast<unsigned>(std::stoul(parts[1]));
}

}  // namespace heddle::oracle
