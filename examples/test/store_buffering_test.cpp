//! sc,tso,rc20: verified

#include <heddle/test.h>

#include <atomic>

HEDDLE_TEST(store_buffering) {
  std::atomic<int> x{0}, y{0};
  int r1 = -1, r2 = -1;
  heddle::threads(
      [&] {
        x.store(1, std::memory_order_relaxed);
        r1 = y.load(std::memory_order_relaxed);
      },
      [&] {
        y.store(1, std::memory_order_relaxed);
        r2 = x.load(std::memory_order_relaxed);
      });
  HEDDLE_OUTCOMES(r1, r2)
      .allowed({0, 1})
      .allowed({1, 0})
      .allowed({1, 1})
      .interesting({0, 0}, "each read before the other's write");
}
