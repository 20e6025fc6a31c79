// Names of objects and words for values: from the debug info of small programs to what a trace prints.
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <bit>
#include <cstddef>
#include <set>

#include "native_jit_helpers.h"
#include "runtime/object_names.h"

namespace heddle::native {

using runtime::ObjectNames;

namespace {

// A program whose globals are in memory, and names for them.
struct Named {
  explicit Named(const std::string& text, const std::string& extension = ".cpp") : program(text, extension) {}

  std::string name(const std::string& symbol, std::uint64_t offset, unsigned size) const {
    return names.name(program.addressOf(symbol) + offset, size);
  }
  std::string value(const std::string& symbol, std::uint64_t offset, unsigned size, Value value) const {
    return names.value(program.addressOf(symbol) + offset, size, value);
  }

  TestProgram program;
  ObjectNames names{program.info, program.memory};
};

TEST(NativeNames, MembersAndElements) {
  const Named named(R"(
    struct Point { int x, y; };
    struct Node { Node* next; Point at; char tag; };
    struct Queue { Node* head; Node* tail; Point corners[3]; } queue;
    struct Only { struct { Node* pointer; } one; } only;
    Node node[4]; int grid[2][3]; int plain; typedef struct { short a, b; } Pair; Pair pair; const Point fixed = {1, 2};
    int main(int argc, char**) {
      return queue.head == node + argc && only.one.pointer && grid[argc][1] + plain + pair.b + (&fixed)->x;
    }
  )");
  EXPECT_EQ(named.name("plain", 0, 4), "plain");
  EXPECT_EQ(named.name("queue", 0, 8), "queue.head");
  EXPECT_EQ(named.name("queue", 8, 8), "queue.tail");
  EXPECT_EQ(named.name("queue", 16 + 8 * 2 + 4, 4), "queue.corners[2].y");
  EXPECT_EQ(named.name("queue", 16, 24), "queue.corners");
  EXPECT_EQ(named.name("node", 24 * 2, 8), "node[2].next");
  EXPECT_EQ(named.name("node", 24 * 3 + 8, 8), "node[3].at");
  EXPECT_EQ(named.name("only", 0, 8), "only.one.pointer");
  EXPECT_EQ(named.value("only", 0, 8, 0), "null");
  EXPECT_EQ(named.name("node", 24 + 16, 1), "node[1].tag");
  EXPECT_EQ(named.name("node", 24, 24), "node[1]");
  EXPECT_EQ(named.name("node", 0, 96), "node");
  EXPECT_EQ(named.name("grid", 4 * 5, 4), "grid[1][2]");
  EXPECT_EQ(named.name("pair", 2, 2), "pair.b");
  EXPECT_EQ(named.name("queue", 8, 1), "queue.tail");  // a part of it
  EXPECT_EQ(named.name("queue", 11, 1), "queue.tail + 3 bytes");
  EXPECT_EQ(named.name("node", 24 + 17, 1), "node[1] + 17 bytes");  // padding
}

TEST(NativeNames, BesideAnObjectAndNowhere) {
  const Named named("int array[10]; struct P { int x, y; } p; int x; int main(int n, char**) { return array[n] + p.x + x; }");
  EXPECT_EQ(named.name("array", 40, 4), "array[10]");
  EXPECT_EQ(named.name("array", 44, 4), "array[11]");
  EXPECT_EQ(named.name("x", 4, 4), "x + 4 bytes");
  EXPECT_EQ(named.name("p", 8, 4), "p + 8 bytes");
  EXPECT_EQ(named.names.name(0, 4), "null");
  EXPECT_EQ(named.names.name(16, 4), "null + 16 bytes");
  EXPECT_EQ(named.names.name(0x7f1200000010, 4), "0x7f1200000010");
  EXPECT_EQ(named.names.name(~Address{0}, 8), "0xffffffffffffffff");
  EXPECT_EQ(named.names.value(0x7f1200000010, 4, 7), "7");
}

TEST(NativeNames, AtomicsAndOtherWrappersAreTransparent) {
  const Named named(R"(
    #include <array>
    #include <atomic>
    #include <memory>
    #include <mutex>
    #include <pthread.h>
    struct Both { int low, high; };
    std::atomic<int> integer; std::atomic<int*> pointer; std::atomic<bool> flag; std::atomic<double> real;
    std::atomic<Both> both; std::atomic_flag lock = ATOMIC_FLAG_INIT;
    struct Slot { std::atomic<unsigned long> sequence; int data; } slots[4];
    std::array<std::atomic<int>, 3> three; std::mutex mutex; pthread_mutex_t c; std::unique_ptr<int> owner;
    int main() {
      both.store({1, 2});
      return integer + *pointer + flag + static_cast<int>(real) + slots[1].data + three[1] + lock.test_and_set() +
             *owner + both.load().low + mutex.try_lock() + pthread_mutex_trylock(&c);
    }
  )");
  EXPECT_EQ(named.name("integer", 0, 4), "integer");
  EXPECT_EQ(named.name("pointer", 0, 8), "pointer");
  EXPECT_EQ(named.name("flag", 0, 1), "flag");
  EXPECT_EQ(named.name("real", 0, 8), "real");
  EXPECT_EQ(named.name("lock", 0, 1), "lock");
  EXPECT_EQ(named.name("both", 0, 8), "both");
  EXPECT_EQ(named.name("both", 4, 4), "both.high");
  EXPECT_EQ(named.name("slots", 16 * 3, 8), "slots[3].sequence");
  EXPECT_EQ(named.name("three", 8, 4), "three[2]");
  EXPECT_EQ(named.name("mutex", 0, 4), "mutex");
  EXPECT_EQ(named.name("mutex", 16, 4), "mutex");
  EXPECT_EQ(named.name("c", 4, 4), "c");
  EXPECT_EQ(named.name("owner", 0, 8), "owner");
  EXPECT_EQ(named.value("flag", 0, 1, 1), "true");
  EXPECT_EQ(named.value("integer", 0, 4, 0xffffffff), "-1");
  EXPECT_EQ(named.value("both", 0, 8, 0xffffffff'00000007), "{7, -1}");
  EXPECT_EQ(named.value("pointer", 0, 8, 0), "null");
  EXPECT_EQ(named.value("pointer", 0, 8, named.program.addressOf("integer")), "&integer");
  EXPECT_EQ(named.value("real", 0, 8, std::bit_cast<Value>(1.5)), "1.5");
}

TEST(NativeNames, CAtomicsUnionsAndBitFields) {
  const Named named(R"(
    #include <stdatomic.h>
    #include <stdbool.h>
    _Atomic int counter; atomic_bool ready; _Atomic(int*) where;
    struct Mixed {
      union { int number; struct { short low, high; }; };
      union { long whole; char bytes[8]; } part;
      unsigned a : 3, b : 5; unsigned : 0; unsigned c : 9;
      int last;
    } mixed;
    int main(void) { return counter + ready + *where + mixed.a + mixed.c + mixed.last; }
  )",
                    ".c");
  EXPECT_EQ(named.name("counter", 0, 4), "counter");
  EXPECT_EQ(named.name("ready", 0, 1), "ready");
  EXPECT_EQ(named.value("ready", 0, 1, 0), "false");
  EXPECT_EQ(named.name("where", 0, 8), "where");
  EXPECT_EQ(named.name("mixed", 0, 4), "mixed.number");
  EXPECT_EQ(named.name("mixed", 2, 2), "mixed.high");
  EXPECT_EQ(named.name("mixed", 8, 8), "mixed.part.whole");
  EXPECT_EQ(named.name("mixed", 8 + 3, 1), "mixed.part.bytes[3]");
  EXPECT_EQ(named.name("mixed", 16, 1), "mixed.{a, b}");
  EXPECT_EQ(named.name("mixed", 16, 4), "mixed.{a, b}");
  EXPECT_EQ(named.name("mixed", 20, 2), "mixed.c");
  EXPECT_EQ(named.name("mixed", 24, 4), "mixed.last");
}

TEST(NativeNames, BaseClassesAndVirtualTables) {
  const Named named(R"(
    struct Base { virtual ~Base() {} int inherited; };
    struct Other { long second; };
    struct Derived : Base, Other { int own; } derived;
    int main() { Base* b = &derived; delete b; return derived.own; }
  )");
  EXPECT_EQ(named.name("derived", 0, 8), "derived.vptr");
  EXPECT_EQ(named.name("derived", 8, 4), "derived.inherited");
  EXPECT_EQ(named.name("derived", 16, 8), "derived.second");
  EXPECT_EQ(named.name("derived", 24, 4), "derived.own");
  EXPECT_EQ(named.value("derived", 0, 8, named.program.addressOf("_ZTV7Derived")), "&vtable for Derived");
}

TEST(NativeNames, ScopesAreNamedWhereTheyHelp) {
  const TestProgram program(R"(
    namespace one { int same = 1, single = 2; } namespace two { int same = 3; }
    namespace { int hidden = 4; }
    struct Stack { static int top; int push(int n) { static int calls = 5; return calls += n; } } stack;
    int Stack::top = 6;
    int f() { static int x = 7; return ++x; }
    int g() { auto h = [](int n) { static int y = 8; return y += n; }; return h(2); }
    template <typename T> int t() { static T z = 9; return ++z; }
    const char* text = "a \"quoted\" text that goes on for ever";
    int main() {
      return one::same + one::single + two::same + hidden + Stack::top + stack.push(1) + f() + g() + t<short>() +
             text[0];
    }
  )");
  std::set<std::string> found;
  for (const std::uint32_t index : program.info.globals) found.insert(program.info.variables[index].name);
  for (const char* expected : {"one::same", "two::same", "single", "hidden", "Stack::top", "Stack::push()::calls", "f()::x",
                               "g()::lambda()::y", "t<short>()::z", "\"a \\\"quoted\\\" text that goe...\""})
    EXPECT_TRUE(found.count(expected)) << expected;
}

TEST(NativeNames, StaticVariablesOfDifferentFiles) {
  const SourceFile a("static int x = 1; int f(void) { return ++x; }", ".c", "a");
  const SourceFile b("static int x = 2; int f(void); int main(void) { return f() + ++x; }", ".c", "b");
  BuildOptions options;
  options.files = {a.path(), b.path()};
  options.precompiled = false;
  const TestProgram program(compile(options), {"main"});
  std::vector<std::string> found;
  for (const std::uint32_t index : program.info.globals) found.push_back(program.info.variables[index].name);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0], found[1]);
  EXPECT_TRUE(found[0].starts_with("x (") && found[0].ends_with("a.c)")) << found[0];
}

TEST(NativeNames, Values) {
  const Named named(R"(
    enum Colour { red, green }; enum class Sign : signed char { minus = -1 };
    bool b; char c; signed char sc; unsigned char uc; short s; unsigned u; long l; float f; double d; Colour e; Sign g;
    struct Node { int value; Node* next; } nodes[3]; Node* p; void* v; int* q; unsigned long tagged; void (*function)();
    char* letters;
    int main() {
      return b + c + sc + uc + s + u + l + f + d + e + (int)g + (p == v) + (q == nullptr) + tagged + nodes[1].value +
             (function == nullptr) + (letters == nullptr);
    }
  )");
  EXPECT_EQ(named.value("b", 0, 1, 1), "true");
  EXPECT_EQ(named.value("b", 0, 1, 5), "5");
  EXPECT_EQ(named.value("c", 0, 1, 'x'), "'x'");
  EXPECT_EQ(named.value("c", 0, 1, '\n'), "'\\n'");
  EXPECT_EQ(named.value("c", 0, 1, 0), "0");
  EXPECT_EQ(named.value("sc", 0, 1, 0xff), "-1");
  EXPECT_EQ(named.value("uc", 0, 1, 0xff), "255");
  EXPECT_EQ(named.value("s", 0, 2, 0x8000), "-32768");
  EXPECT_EQ(named.value("u", 0, 4, 0xffffffff), "4294967295");
  EXPECT_EQ(named.value("l", 0, 8, ~Value{0}), "-1");
  EXPECT_EQ(named.value("f", 0, 4, std::bit_cast<std::uint32_t>(0.25F)), "0.25");
  EXPECT_EQ(named.value("d", 0, 8, std::bit_cast<Value>(-2.0)), "-2");
  EXPECT_EQ(named.value("e", 0, 4, 1), "1");
  EXPECT_EQ(named.value("g", 0, 1, 0xff), "-1");
  const Address nodes = named.program.addressOf("nodes");
  EXPECT_EQ(named.value("p", 0, 8, nodes + 16), "&nodes[1]");
  EXPECT_EQ(named.value("p", 0, 8, nodes), "&nodes[0]");
  EXPECT_EQ(named.value("q", 0, 8, nodes + 32), "&nodes[2].value");
  EXPECT_EQ(named.value("v", 0, 8, nodes), "&nodes");
  EXPECT_EQ(named.value("v", 0, 8, nodes + 24), "&nodes[1].next");
  EXPECT_EQ(named.value("p", 0, 8, nodes + 48), "&nodes[3]");  // one past the end
  EXPECT_EQ(named.value("v", 0, 8, 0x1234), "0x1234");
  EXPECT_EQ(named.value("tagged", 0, 8, nodes + 17), "&nodes[1] | 1");
  EXPECT_EQ(named.value("p", 0, 8, nodes + 16 + 3), "&nodes[1] | 3");
  EXPECT_EQ(named.value("p", 0, 8, (nodes + 16) | Value{3} << 48), "&nodes[1], tag 0x3");
  EXPECT_EQ(named.value("tagged", 0, 8, (nodes + 17) | Value{0xffff} << 48), "&nodes[1] | 1, tag 0xffff");
  EXPECT_EQ(named.value("letters", 0, 8, named.program.addressOf("uc") + 1), "&uc + 1 byte");  // of bytes: no mark
  EXPECT_EQ(named.value("tagged", 0, 8, 0x0003'0000'0000'0010), "844424930131984");            // no address
  EXPECT_EQ(named.value("tagged", 0, 8, 1), "1");
  EXPECT_EQ(named.value("tagged", 0, 8, 12), "12");
  EXPECT_EQ(named.value("nodes", 4, 8, 12), "12");  // padding and half a pointer
}

// ---- Objects that come to be while the program runs

struct Analysed {
  explicit Analysed(const std::string& text, const std::string& extension = ".cpp")
      : program(compileText(text, extension)), debug(*program.module, info) {}

  // The local variable in some function, by its name in the code.
  std::uint32_t local(const std::string& variable) {
    for (llvm::Function& function : *program.module)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
          const std::uint32_t index = debug.local(*alloca);
          if (info.variables[index].name == variable) return index;
        }
    throw std::out_of_range("no local variable " + variable);
  }

  // What the calls of an allocation function allocate, in the order of the code.
  std::vector<std::uint32_t> allocations(const std::string& callee) {
    std::vector<std::uint32_t> result;
    for (llvm::Function& function : *program.module)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call && call->getCalledFunction() && call->getCalledFunction()->getName() == callee)
          result.push_back(debug.heapType(*call));
    return result;
  }
  std::vector<std::string> allocationNames(const std::string& callee) {
    std::vector<std::string> result;
    for (const std::uint32_t index : allocations(callee)) result.push_back(info.variables[index].name);
    return result;
  }

  CompiledProgram program;
  runtime::ProgramInfo info;
  DebugNames debug;
};

class NativeNamesOfObjects : public testing::Test {
 protected:
  void enter(ThreadId thread) { memory.enter(thread, 0, view); }
  memory::Memory memory;
  Lane view[memory::kThreads] = {};
};

TEST_F(NativeNamesOfObjects, Heap) {
  Analysed analysed(
      "struct Node { int value; Node* next; }; int main() { return (new Node)->value + (new Node[3])->value + *new "
      "int[2]; }");
  const std::vector<std::uint32_t> single = analysed.allocations("_Znwm"), arrays = analysed.allocations("_Znam");
  ASSERT_EQ(single.size(), 1U);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(single[0], arrays[0]);
  enter(0);
  const auto make = [&](std::size_t size, std::uint32_t tag) {
    return memory.allocate(size, 8, memory::AllocationKind::newScalar, 0, tag);
  };
  const Address first = make(16, single[0]), second = make(16, single[0]), three = make(48, arrays[0]),
                ints = make(8, arrays[1]), raw = make(100, 0);
  const ObjectNames names(analysed.info, memory);
  EXPECT_EQ(names.name(second + 8, 8), "Node#1.next");  // the first that is mentioned
  EXPECT_EQ(names.name(first, 4), "Node#2.value");
  EXPECT_EQ(names.name(second, 4), "Node#1.value");
  EXPECT_EQ(names.name(three + 32 + 8, 8), "Node#3[2].next");
  EXPECT_EQ(names.name(ints + 4, 4), "int#1[1]");
  EXPECT_EQ(names.name(raw + 8, 4), "block#1 + 8 bytes");
  EXPECT_EQ(names.name(raw, 4), "block#1");
  EXPECT_EQ(names.value(second + 8, 8, first), "&Node#2");
  EXPECT_EQ(names.value(second + 8, 8, three + 16), "&Node#3[1]");
  EXPECT_EQ(names.value(raw + 8, 8, first), "&Node#2");
  EXPECT_EQ(names.value(raw + 8, 8, 3), "3");
}

TEST_F(NativeNamesOfObjects, ArraysAtTheEndAndNumbersInFront) {
  Analysed analysed(R"(
    #include <stdlib.h>
    struct Item { int key, value; };
    struct Array { unsigned long size; Item items[]; };
    struct Old { unsigned long size; char bytes[1]; };
    struct Guard { ~Guard(); int value; };
    int main() {
      Array* array = (Array*)malloc(64); Old* old = (Old*)malloc(64);
      return array->items[1].key + old->bytes[3] + (new Guard[3])->value;
    }
  )");
  const std::vector<std::uint32_t> types = analysed.allocations("malloc"), guards = analysed.allocations("_Znam");
  ASSERT_EQ(types.size(), 2U);
  ASSERT_EQ(guards.size(), 1U);
  enter(0);
  const Address array = memory.allocate(8 + 4 * 8, 8, memory::AllocationKind::malloc, 0, types[0]);
  const Address old = memory.allocate(16 + 20, 8, memory::AllocationKind::malloc, 0, types[1]);
  const Address three = memory.allocate(8 + 3 * 4, 8, memory::AllocationKind::newArray, 0, guards[0]);
  *reinterpret_cast<Value*>(three) = 3;
  const ObjectNames names(analysed.info, memory);
  EXPECT_EQ(names.name(array, 8), "Array#1.size");
  EXPECT_EQ(names.name(array + 8, 4), "Array#1.items[0].key");
  EXPECT_EQ(names.name(array + 8 + 3 * 8 + 4, 4), "Array#1.items[3].value");
  EXPECT_EQ(names.name(old + 8, 1), "Old#1.bytes[0]");
  EXPECT_EQ(names.name(old + 8 + 20, 1), "Old#1.bytes[20]");
  EXPECT_EQ(names.name(three + 8 + 4, 4), "Guard#1[1].value");
}

TEST_F(NativeNamesOfObjects, TwoWords) {
  Analysed analysed(R"(
    struct Node { int value; Node* next; };
    struct Counted { Node* node; unsigned long count; };
    int main() { return (new Counted)->count + (new Node)->value; }
  )");
  const std::vector<std::uint32_t> types = analysed.allocations("_Znwm");
  ASSERT_EQ(types.size(), 2U);
  enter(0);
  const Address counted = memory.allocate(16, 16, memory::AllocationKind::newScalar, 0, types[0]);
  const Address node = memory.allocate(16, 8, memory::AllocationKind::newScalar, 0, types[1]);
  const Address raw = memory.allocate(16, 16, memory::AllocationKind::newScalar, 0, 0);
  const ObjectNames names(analysed.info, memory);
  const auto words = [](Value first, Value second) {
    return std::bit_cast<std::array<std::byte, 16>>(std::array<Value, 2>{first, second});
  };
  EXPECT_EQ(names.wideValue(counted, words(node, 3)), "{&Node#1, 3}");
  EXPECT_EQ(names.wideValue(counted, words(0, 3)), "{null, 3}");
  EXPECT_EQ(names.wideValue(counted, words(node + 1, 3)), "{&Node#1 | 1, 3}");
  EXPECT_EQ(names.wideValue(raw, words(node, 3)), "{&Node#1, 3}");
  EXPECT_EQ(names.wideValue(raw, words(1, 2)), "0x20000000000000001");
}

TEST_F(NativeNamesOfObjects, LocalsOfEachThread) {
  Analysed analysed(R"(
    struct Node { int value; Node* next; };
    struct Lock { void acquire(Node* mine) { use(&mine); } static void use(void*); };
    void worker() { Node node; { int inner[2]; Lock::use(inner); } Lock().acquire(&node); }
    int main() { auto f = [](int n) { Lock::use(&n); }; int x; Lock::use(&x); f(x); worker(); }
  )");
  const std::uint32_t node = analysed.local("worker()::node"), x = analysed.local("main()::x");
  analysed.local("Lock::acquire()::mine");
  analysed.local("main()::lambda()::n");
  const std::uint32_t inner = analysed.local("worker()::inner");
  EXPECT_EQ(analysed.local("worker()::node"), node);
  std::vector<Address> bases;
  for (ThreadId thread = 0; thread < 2; ++thread) {
    enter(thread);
    const Address base = memory.pushFrame(128, 0);
    memory.defineVariable(base, 16, node);
    memory.defineVariable(base + 48, 4, x);
    memory.defineVariable(base + 96, 8, inner);
    bases.push_back(base);
  }
  const ObjectNames names(analysed.info, memory);
  EXPECT_EQ(names.name(bases[0] + 8, 8), "worker()::node.next");
  EXPECT_EQ(names.name(bases[0] + 48, 4), "main()::x");
  EXPECT_EQ(names.name(bases[1] + 8, 8), "worker()::node.next (thread 1)");
  EXPECT_EQ(names.name(bases[1] + 100, 4), "worker()::inner[1] (thread 1)");
  EXPECT_EQ(names.value(bases[0] + 8, 8, bases[1]), "&worker()::node (thread 1)");
}

TEST_F(NativeNamesOfObjects, ThreadLocals) {
  CompiledProgram program = compileText(R"(
    struct Node { int value; Node* next; };
    thread_local int counter = 1; thread_local Node own;
    int main() { static thread_local char letter = 'a'; return ++counter + own.value + ++letter; }
  )");
  runtime::ProgramInfo info;
  DebugNames debug(*program.module, info);
  lowerGlobals(*program.module, info, debug);
  ASSERT_EQ(info.threadLocals.size(), 3U);
  std::vector<std::byte> image(info.tlsSize);
  enter(2);
  memory.defineTls(image);
  const ObjectNames names(info, memory);
  std::set<std::string> found;
  for (const std::uint32_t index : info.threadLocals) {
    const runtime::Variable& variable = info.variables[index];
    found.insert(names.name(memory::tlsOf(2) + variable.offset, variable.size == 16 ? 4 : 1));
  }
  EXPECT_EQ(found, (std::set<std::string>{"counter (thread 2)", "own.value (thread 2)", "main()::letter (thread 2)"}));
}

TEST(NativeHeapTypes, OfMalloc) {
  Analysed analysed(R"(
    #include <stdlib.h>
    struct Node { int value; struct Node* next; };
    typedef struct { double x; } Sample;
    struct Node* head; struct { int n; Sample* samples[4]; } table;
    struct Node* make(void) { return malloc(sizeof(struct Node)); }
    void take(Sample* sample) { sample->x = 1; }
    void unknown(void* p) { free(p); }
    int main(int argc, char** argv) {
      struct Node* node = malloc(sizeof *node);
      head = malloc(sizeof *head);
      node->next = malloc(sizeof(struct Node));
      table.samples[argc] = malloc(sizeof(Sample));
      take(malloc(sizeof(Sample)));
      unknown(malloc(8));
      char* text = malloc(16);
      return node->value + text[0];
    }
  )",
                    ".c");
  EXPECT_EQ(analysed.allocationNames("malloc"),
            (std::vector<std::string>{"Node", "Node", "Node", "Node", "Sample", "Sample", "", "char"}));
}

TEST(NativeHeapTypes, OfContainers) {
  Analysed analysed(R"(
    #include <map>
    #include <memory>
    #include <vector>
    struct Node { int value; };
    namespace first { struct Same { int a; }; } namespace second { struct Same { int b; }; }
    int main() {
      std::vector<Node> nodes(3);
      std::map<int, Node> map; map[1].value = 2;
      auto shared = std::make_shared<Node>();
      return nodes[0].value + shared->value + (new first::Same)->a + (new second::Same)->b;
    }
  )");
  const std::vector<std::string> found = analysed.allocationNames("_Znwm");
  const auto has = [&](const std::string& name) { return std::find(found.begin(), found.end(), name) != found.end(); };
  EXPECT_TRUE(has("Node"));
  EXPECT_TRUE(has("first::Same"));
  EXPECT_TRUE(has("second::Same"));
  EXPECT_TRUE(has("pair<const int, Node>"));
  for (const std::string& name : found) EXPECT_NE(name, "");
}

TEST_F(NativeNamesOfObjects, InContainers) {
  Analysed analysed(R"(
    #include <atomic>
    #include <map>
    #include <memory>
    struct Node { int value; std::atomic<Node*> next; };
    int main() {
      std::map<int, Node*> map; map[1] = nullptr;
      return std::make_shared<Node>()->value;
    }
  )");
  enter(0);
  const ObjectNames names(analysed.info, memory);
  for (const std::uint32_t tag : analysed.allocations("_Znwm")) {
    const Address block = memory.allocate(analysed.info.variables[tag].size, 8, memory::AllocationKind::newScalar, 0, tag);
    if (analysed.info.variables[tag].name == "Node") {
      EXPECT_EQ(names.name(block, 8), "Node#1.vptr");
      EXPECT_EQ(names.name(block + 8, 4), "Node#1.use_count");
      EXPECT_EQ(names.name(block + 16, 4), "Node#1.value");
      EXPECT_EQ(names.name(block + 24, 8), "Node#1.next");
    } else {
      EXPECT_EQ(names.name(block + 8, 8), "pair<const int, Node *>#1");
      EXPECT_EQ(names.name(block + 40, 8), "pair<const int, Node *>#1.second");
    }
  }
}

}  // namespace
}  // namespace heddle::native
