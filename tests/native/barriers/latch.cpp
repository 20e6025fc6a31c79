//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20"
//! rc20: error=data-race line=@error flags="-- -std=c++20 -DBUG"
//! rc20: error=deadlock line=@error-2 flags="-- -std=c++20 -DMISSING"
//! rc20: error=misuse line=@error-3 flags="-- -std=c++20 -DTWICE"
//! rc20: verified executions=2 flags="-- -std=c++20 -DTRY"
// Workers count down when they are done, and main waits for them. BUG: a worker counts down before it is done. MISSING: one
// does not. TWICE: one does twice. TRY: main only looks.
#include <cassert>
#include <latch>
#include <thread>

int results[2];
std::latch done(2);

void work(int self) {
#ifdef BUG
  done.count_down();
  results[self] = 1;
#else
  results[self] = 1;
#ifdef MISSING
  if (self == 1) return;
#endif
  done.count_down();
#ifdef TWICE
  if (self == 1) done.count_down();  // @error-3
#endif
#endif
}

int main() {
  std::thread a(work, 0), b(work, 1);
#ifdef TRY
  if (done.try_wait()) assert(results[0] == 1 && results[1] == 1);
#else
  done.wait();  // @error-2
  assert(results[0] == 1 && results[1] == 1);  // @error
#endif
  a.join();
  b.join();
}
