//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20"
//! sc: verified executions=1 blocked=0 flags="-- -std=c++20"
//! tso: verified executions=1 blocked=0 flags="-- -std=c++20"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DN=5 -DROUNDS=3"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DTOKEN"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DDROP"
//! rc20: verified executions=6 blocked=0 flags="-- -std=c++20 -DCOMPLETION -DROUNDS=1"
//! rc20: error=data-race line=@error flags="-- -std=c++20 -DBUG"
//! rc20: error=data-race line=@error-2 flags="-- -std=c++20 -DEXPECTED=2"
//! rc20: error=deadlock line=@sleeps flags="-- -std=c++20 -DEXPECTED=4"
//! rc20: error=deadlock|data-race line=@again|@error-3 flags="-- -std=c++20 -DDROP -DAGAIN"
//! rc20: error=misuse|data-race line=@error-2 flags="-- -std=c++20 -DCOMPLETION -DEXPECTED=2 -DROUNDS=1"
// Each thread writes its own element, all meet, and each reads its neighbour's: in one execution, however often.
// TOKEN: arrives, does something of its own, and waits. DROP: the last thread leaves after the first round.
// COMPLETION: somebody runs a function when all are there, so their order counts. BUG: the neighbour writes again
// without meeting. EXPECTED: fewer meet, or too few come. AGAIN: who has dropped out comes again, and is one too many.
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef EXPECTED
#define EXPECTED N
#endif

int cells[N], completed;

#ifdef COMPLETION
const auto complete = []() noexcept { ++completed; };
std::barrier barrier(EXPECTED, complete);
#else
std::barrier barrier(EXPECTED);
#endif

void meet(int self) {
#ifdef TOKEN
  auto token = barrier.arrive();
  [[maybe_unused]] volatile int own = self;
  barrier.wait(std::move(token));
#else
  (void)self;
  barrier.arrive_and_wait();  // @sleeps
#endif
}

void work(int self) {
  for (int round = 1; round <= ROUNDS; ++round) {
    cells[self] = round;  // @error
#ifdef DROP
    if (self == N - 1) {
      barrier.arrive_and_drop();
#ifdef AGAIN
      barrier.arrive_and_wait();  // @again
#endif
      return;
    }
#endif
    meet(self);
#ifdef COMPLETION
    assert(completed == round);
#endif
    assert(cells[(self + 1) % N] == round || (self + 2) % N == 0);  // @error-2
#ifndef BUG
    if (round < ROUNDS) meet(self);
#endif
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();  // @error-3
}
