//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20"
//! rc20: error=deadlock line=@error flags="-- -std=c++20 -DMISSING"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DBARRIER"
//! rc20: error=deadlock line=@error flags="-- -std=c++20 -DBARRIER -DMISSING"
//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20 -DPLACED"
//! rc20: error=misuse line=@error-2 flags="-- -std=c++20 -DNEGATIVE"
// A latch or barrier in a loop: the next one is at the same address and for as many, and still another one. MISSING: the
// second time nobody else comes, though somebody did before. PLACED: a thread makes a new one where there was one from the
// start of the program, and then a third that other threads wait at. NEGATIVE: a latch for fewer than none.
#include <barrier>
#include <cassert>
#include <latch>
#include <new>
#include <thread>

#ifdef PLACED
constinit std::latch place(2);

int main() {
  int data = 0;
  for (int i = 0; i < 2; i++) {
    std::thread other([&] {
      place.~latch();
      new (&place) std::latch(2);
      std::thread inner([&] {
        data++;
        place.count_down();
      });
      place.arrive_and_wait();
      assert(data == 2 * i + 1);
      inner.join();
    });
    other.join();
    place.~latch();
    new (&place) std::latch(2);
    std::thread third([&] {
      data++;
      place.arrive_and_wait();
    });
    place.arrive_and_wait();
    assert(data == 2 * i + 2);
    third.join();
  }
}
#else
int main() {
#ifdef NEGATIVE
  volatile int one = 1;
  std::latch none(-one);  // @error-2
#endif
  for (int i = 0; i < 2; i++) {
    int data = 0;
#ifdef BARRIER
    std::barrier meeting(2);
#else
    std::latch meeting(2);
#endif
    std::thread other([&] {
      data = 1;
#ifdef MISSING
      if (i == 1) return;
#endif
#ifdef BARRIER
      meeting.arrive_and_drop();
#else
      meeting.count_down();
#endif
    });
    meeting.arrive_and_wait();  // @error
    assert(data == 1);
    other.join();
  }
}
#endif
