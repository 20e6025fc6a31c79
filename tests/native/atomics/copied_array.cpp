//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--races=off"
//! rc20: verified executions=1 blocked=0 flags="-- -O2"
//! sc: verified executions=1 blocked=0
// Atomics that are copied together with plain bytes: to a buffer and back, within an array, by a vector that grows, by
// realloc, in a union, beside bit-fields, and of 16 bytes.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

struct Node {
  int key;
  std::atomic<int> value;
  char tag;
  std::atomic<short> count;
};

struct Bits {
  unsigned f : 3, g : 5;
  std::atomic<unsigned char> c;
  unsigned h : 7;
};

struct Pair {
  long a, b;
  bool operator==(const Pair&) const = default;
};

template <typename T>
void copyBytes(T& to, const T& from) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof to);
}

static void arrays() {
  std::atomic<int> values[5];
  for (int i = 0; i < 5; ++i) values[i] = 10 * i;
  int plain[5];
  std::memcpy(plain, static_cast<void*>(values), sizeof plain);
  for (int i = 0; i < 5; ++i) assert(plain[i] == 10 * i);
  for (int i = 0; i < 5; ++i) plain[i] = 100 + i;
  std::memcpy(static_cast<void*>(values), plain, sizeof plain);
  std::memmove(static_cast<void*>(values + 1), static_cast<void*>(values), 4 * sizeof(int));
  const int up[] = {100, 100, 101, 102, 103};
  for (int i = 0; i < 5; ++i) assert(values[i] == up[i]);
  std::memmove(static_cast<void*>(values), static_cast<void*>(values + 2), 3 * sizeof(int));
  const int down[] = {101, 102, 103, 102, 103};
  for (int i = 0; i < 5; ++i) assert(values[i] == down[i]);
  std::memset(static_cast<void*>(values + 1), 0, 2 * sizeof(int));
  assert(values[0] == 101 && values[1] == 0 && values[2] == 0 && values[3] == 102);
}

static void objects() {
  Node a{1, 2, 'a', 3}, b{4, 5, 'b', 6};
  a.value = 20, a.count = 30, b.value = 50, b.count = 60;
  copyBytes(b, a);
  assert(b.key == 1 && b.value == 20 && b.tag == 'a' && b.count == 30);
  Bits s{}, t{};
  s.f = 1, s.g = 2, s.c = 200, s.h = 3, s.f = 5;
  t.c = 1;
  copyBytes(t, s);
  assert(t.f == 5 && t.g == 2 && t.c == 200 && t.h == 3);
  t.g = 9, t.h = 4;
  assert(t.f == 5 && t.g == 9 && t.c == 200 && t.h == 4);
  struct Wide {
    std::atomic<Pair> first;
    std::atomic<long> second;
  };
  Wide x{}, y{};
  x.first = {1, 2}, x.second = 3;
  y.first = {4, 5}, y.second = 6;
  copyBytes(y, x);
  assert((y.first.load() == Pair{1, 2}) && y.second == 3);
}

static void growth() {
  auto* two = static_cast<std::atomic<int>*>(std::malloc(2 * sizeof(int)));
  new (&two[0]) std::atomic<int>(0);
  new (&two[1]) std::atomic<int>(0);
  two[0] = 3, two[1] = 4;
  two = static_cast<std::atomic<int>*>(std::realloc(static_cast<void*>(two), 16 * sizeof(int)));
  assert(two[0] == 3 && two[1] == 4);
  std::free(static_cast<void*>(two));
  struct Counter {
    std::atomic_int n;
    int id;
    Counter(int i) : n(0), id(i) { n = i; }
    Counter(const Counter& other) : n(0), id(0) { copyBytes(*this, other); }
  };
  std::vector<Counter> all;
  for (int i = 0; i < 5; ++i) all.emplace_back(i);
  for (int i = 0; i < 5; ++i) assert(all[static_cast<std::size_t>(i)].n == i && all[static_cast<std::size_t>(i)].id == i);
}

int main() {
  arrays();
  objects();
  growth();
}
