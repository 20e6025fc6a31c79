//! rc20: error=dead-frame line=@loop flags="-- -DLOOP"
//! rc20: error=dead-frame line=@round flags="-- -DROUND"
//! rc20: error=dead-frame line=@larger flags="-- -DLARGER"
//! rc20: error=dead-frame line=@returned flags="-- -DRETURNED"
//! rc20: error=dead-frame line=@handler flags="-- -DHANDLER"
//! rc20: error=dead-frame line=@condition flags="-- -DCONDITION"
//! sc: error=dead-frame line=@loop flags="--equivalence rf -- -DLOOP"
//! tso: error=dead-frame line=@larger flags="--races off -- -DLARGER"
//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--races off"
// Pointers that do not leave the function: they, too, must not be used when the variable has ended. The last two
// expectations are about uses that come in time.
#include <algorithm>
#include <cassert>
#include <cstdlib>

[[gnu::noinline]] const int& same(const int& x) { return x; }

int* kept;
[[gnu::noinline]] void keep(int* pointer) { kept = pointer; }

struct Pair {
  int first, second;
};

int main(int argc, char**) {
#if defined(LOOP)
  int* p = nullptr;
  for (int i = 0; i < 3; ++i) {
    int x = i;
    p = &x;
  }
  return *p == 2;  // @loop
#elif defined(ROUND)
  int sum = 0;
  for (int *p = nullptr, i = 0; i < 3; ++i) {
    int x = i;
    if (p) sum += *p;  // @round
    p = &x;
  }
  return sum;
#elif defined(LARGER)
  const int& larger = std::max(argc, 2);
  return larger;  // @larger
#elif defined(RETURNED)
  const int& number = same(argc + 1);
  return number;  // @returned
#elif defined(HANDLER)
  try {
    throw 3;
  } catch (int e) {
    keep(&e);
  }
  return *kept;  // @handler
#elif defined(CONDITION)
  int n = 0;
  while (int more = n++ < 2) {
    if (n == 2) assert(*kept == 1);  // @condition
    keep(&more);
  }
#else
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    Pair a = {i, 7}, b = {-i, 8};
    Pair* p = i % 2 ? &a : nullptr;
    if (p) sum += p->second;
    const Pair* larger = &a;
    if (b.first > a.first - 5) larger = &b;
    sum += larger->second + std::max(i, 2) + same(i + 1);
    try {
      if (i == 3) throw i;
    } catch (int e) {
      keep(&e);
      sum += *kept;
    }
    while (int more = sum > 1000) {
      keep(&more);
      sum -= *kept;
    }
  }
  assert(sum == 14 + 31 + 9 + 10 + 3);
#endif
}
