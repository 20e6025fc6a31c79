//! rc20: verified executions=1 flags="--unroll 1"
// Loops that end are not cut, however they may be left before that: by an assertion, a break, a return, an exception.
#include <array>
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <vector>

static std::atomic<int> x;

static int counted(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    assert(x.load() >= 0);
    sum += i;
  }
  return sum;
}

static bool leftEarly(int n) {
  for (int i = n; i > 0; i -= 2) {
    if (x.fetch_add(1) > 1000) return false;
  }
  for (unsigned i = 1; i < 100; i++) {
    if (x.load() > 1000) break;
  }
  return true;
}

static void mayThrow(int n) {
  for (int i = 0; i < n; i++) {
    if (x.load() > 1000) throw i;
  }
}

static void nested(int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) {
      x.fetch_add(1);
      if (x.load() < 0) std::exit(1);
    }
  }
}

static void ranges() {
  int plain[4] = {1, 2, 3, 4};
  std::array<int, 5> fixed{};
  std::vector<int> some = {1, 2, 3};
  for (int& i : plain) x += i;
  for (const int i : fixed) x += i;
  for (const int i : some) x += i;
  for (int *p = plain, *end = plain + 4; p != end; ++p) x += *p;
  for (int *p = plain + 4; p != plain; --p) assert(x.load() > 0);
}

int main(int argc, char**) {
  assert(counted(4 + argc) == 10);
  assert(leftEarly(8 + argc));
  mayThrow(3 + argc);
  nested(3 + argc);
  ranges();
}
