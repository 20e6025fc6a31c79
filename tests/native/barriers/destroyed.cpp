//! rc20: error=data-race|use-after-free line=@error flags="-- -std=c++20"
//! rc20: error=data-race|use-after-free line=@error flags="-- -std=c++20 -DLATCH"
//! rc20: verified executions=1 flags="-- -std=c++20 -DJOIN"
//! rc20: verified executions=1 flags="-- -std=c++20 -DLATCH -DJOIN"
//! rc20: verified executions=1 flags="-- -std=c++20 -DLATCH -DCOUNT"
// Who waits looks at the barrier until it goes on, so it must not be destroyed before, though all have arrived. JOIN:
// it is not. COUNT: who only counts down does not look at the latch again.
#include <barrier>
#include <latch>
#include <memory>
#include <thread>

#ifdef LATCH
using Meeting = std::latch;
#else
using Meeting = std::barrier<>;
#endif

int main() {
  auto meeting = std::make_unique<Meeting>(2);
  std::thread other([&meeting = *meeting] {
#ifdef COUNT
    meeting.count_down();
#else
    meeting.arrive_and_wait();
#endif
  });
  meeting->arrive_and_wait();
#ifdef JOIN
  other.join();
#endif
  meeting.reset();  // @error
#ifndef JOIN
  other.join();
#endif
}
