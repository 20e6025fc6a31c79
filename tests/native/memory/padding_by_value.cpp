//! rc20: verified executions=1
//! rc20: verified executions=1 flags="-- -O2"
//! rc20: error=uninitialised-read line=@use flags="-- -DUSE"
// Small structures with holes between their members are copied, passed and returned. They travel in registers, holes and all.
#include <cassert>
#include <cstdlib>
#include <utility>

struct Short {
  short a;
  char b;
};
struct Bits {
  unsigned a : 3, b : 5;
};
using Pair = std::pair<int, char>;
struct Large {
  long a;
  char b;
};

static int second(Short value) { return value.b; }
static unsigned second(Bits value) { return value.b; }
static int second(Pair value) { return value.second; }
static int second(Large value) { return value.b; }
template <class T>
static T same(T value) {
  return value;
}

int main() {
  Short s;
  s.a = 1;
  s.b = 2;
  auto* memory = static_cast<Short*>(std::malloc(sizeof(Short)));
  *memory = s;
  assert(second(*memory) == 2);
  std::free(memory);
  auto lambda = [s] {
    Short copy = s;
    return second(copy) + second(s);
  };
  assert(lambda() == 4);
  Bits bits;
  bits.a = 1;
  bits.b = 2;
  Bits others = bits;
  assert(second(others) == 2);
  const Pair pair(1, 2);
  Pair copy = pair;
  assert(second(same(copy)) == 2);
  Large large;
  large.a = 1;
  large.b = 2;
  Large again = large;
  assert(second(same(again)) == 2);
#ifdef USE
  Short part;
  part.a = 1;
  Short parts = part;
  assert(parts.b != 2);  // @use
#endif
}
