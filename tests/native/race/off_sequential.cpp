//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--races=off"
//! rc20: verified executions=1 blocked=0 flags="--races=off -- -O2"
//! rc20: verified executions=1 blocked=0 flags="--races=off -- -DTHREAD"
//! rc20: verified executions=1 blocked=0 flags="--races=off --volatile=relaxed -- -DTHREAD"
//! sc: verified executions=1 blocked=0 flags="--races=off -- -DTHREAD"
// What one thread does alone is not changed by --races=off. THREAD: it is not the main thread, and not the only one.
#include <algorithm>
#include <cassert>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Mixed {
  char c;
  int i;
  long l;
  short s[3];
  double d;
};

struct Bits {
  unsigned a : 3, b : 7;
  int c : 11;
  unsigned char d;
};

union Word {
  unsigned whole;
  unsigned short halves[2];
  unsigned char bytes[4];
};

struct Base {
  virtual ~Base() = default;
  virtual int number() const { return 1; }
  int x = 5;
};
struct Derived : Base {
  int number() const override { return 2; }
  int y = 6;
};
struct Other : Base {};

int sum(int count, ...) {
  std::va_list arguments;
  va_start(arguments, count);
  int total = 0;
  for (int i = 0; i < count; ++i) total += va_arg(arguments, int);
  va_end(arguments);
  return total;
}
double mixedSum(int count, ...) {
  std::va_list arguments, copy;
  va_start(arguments, count);
  va_copy(copy, arguments);
  double total = 0;
  for (int i = 0; i < count; ++i) {
    total += va_arg(arguments, double);
    total += static_cast<double>(va_arg(arguments, long));
  }
  assert(va_arg(copy, double) == 1.5);
  va_end(copy);
  va_end(arguments);
  return total;
}

Mixed twice(Mixed m) {
  m.i *= 2;
  m.s[1] = 7;
  return m;
}

void structs() {
  Mixed m{'a', 1, 2, {3, 4, 5}, 6.5};
  Mixed* heap = static_cast<Mixed*>(std::malloc(2 * sizeof m));
  heap[0] = m;
  heap[1] = twice(heap[0]);
  assert(heap[1].c == 'a' && heap[1].i == 2 && heap[1].l == 2 && heap[1].s[1] == 7 && heap[1].d == 6.5);
  std::swap(heap[0], heap[1]);
  assert(heap[0].i == 2 && heap[1].i == 1 && heap[1].s[1] == 4);
  Mixed* part = static_cast<Mixed*>(std::malloc(sizeof m));
  part->i = 3;  // the rest stays uninitialised, and may be copied
  Mixed copied = *part;
  heap[0] = copied;
  assert(copied.i == 3 && heap[0].i == 3);
  std::free(part);
  std::free(heap);
  Bits b{};
  b.a = 5, b.b = 100, b.c = -3, b.d = 9;
  Bits* fresh = static_cast<Bits*>(std::malloc(sizeof b));
  fresh->a = 1;
  fresh->b = 2;
  assert(fresh->a == 1 && fresh->b == 2);
  *fresh = b;
  assert(fresh->a == 5 && fresh->b == 100 && fresh->c == -3 && fresh->d == 9);
  std::free(fresh);
  Word w{0x04030201};
  assert(w.halves[1] == 0x0403 && w.bytes[2] == 3);
  w.bytes[0] = 9;
  assert(w.whole == 0x04030209);
  assert(sum(3, 1, 2, 3) == 6 && mixedSum(2, 1.5, 2L, 3.5, 4L) == 11);
}

void bytes() {
  char text[16] = "abcdefgh";
  std::memmove(text + 2, text, 6);
  assert(std::strcmp(text, "ababcdef") == 0);
  std::memmove(text, text + 1, 7);
  assert(std::strcmp(text, "babcdeff") == 0);
  int numbers[6] = {1, 2, 3, 4, 5, 6};
  std::memmove(numbers + 1, numbers, 5 * sizeof(int));
  assert(numbers[0] == 1 && numbers[1] == 1 && numbers[5] == 5);
  char out[64];
  assert(std::snprintf(out, sizeof out, "%s %d %5.2f %c", text, numbers[2], 2.5, 'x') == 18);
  assert(std::strcmp(out, "babcdeff 2  2.50 x") == 0);
  assert(std::snprintf(out, 4, "%d", 123456) == 6 && std::strcmp(out, "123") == 0);
  long unaligned = 0;
  std::memcpy(reinterpret_cast<char*>(&unaligned) + 3, "ab", 2);
  assert(unaligned == 0x6261000000);
}

int thrower(int depth) {
  std::string held = "held " + std::to_string(depth);
  if (depth == 0) throw std::runtime_error(held);
  return thrower(depth - 1) + 1;
}

void classes() {
  std::unique_ptr<Base> base = std::make_unique<Derived>();
  auto* derived = dynamic_cast<Derived*>(base.get());
  assert(derived && derived->number() == 2 && derived->x == 5 && derived->y == 6);
  assert(dynamic_cast<Other*>(base.get()) == nullptr);
  try {
    thrower(3);
    assert(false);
  } catch (const std::exception& error) {
    assert(std::strcmp(error.what(), "held 0") == 0);
  }
  try {
    try {
      throw Mixed{'q', 1, 2, {3, 4, 5}, 0};
    } catch (Mixed& m) {
      m.i = 10;
      throw;
    }
  } catch (const Mixed& m) {
    assert(m.c == 'q' && m.i == 10 && m.s[2] == 5);
  }
}

void containers() {
  std::vector<std::string> words = {"pear", "apple", "a string that is long enough for the heap", "fig"};
  std::sort(words.begin(), words.end());
  assert(words[0] == "a string that is long enough for the heap" && words[3] == "pear");
  std::vector<int> numbers;
  for (int i = 0; i < 40; ++i) numbers.push_back(i * 17 % 40);
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  for (int i = 0; i < 40; ++i) assert(numbers[static_cast<std::size_t>(i)] == 39 - i);
  std::map<std::string, int> counts;
  for (const std::string& word : words) counts[word.substr(0, 1)] += static_cast<int>(word.size());
  assert(counts.size() == 3 && counts["f"] == 3 && counts["p"] == 4);
  std::function<int(int)> add = [total = 0](int n) mutable { return total += n; };
  add(2);
  const auto other = add;
  assert(other(3) == 5 && add(5) == 7);
  long double wide = 1.25L;
  long double* far = new long double(wide);
  assert(*far == 1.25L);
  delete far;
}

void all() {
  structs();
  bytes();
  classes();
  containers();
}

}  // namespace

int main() {
#ifdef THREAD
  std::thread first(all);
  first.join();
  std::thread second(all);
  second.join();
#else
  all();
#endif
}
