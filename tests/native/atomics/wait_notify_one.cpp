//! rc20,sc,tso: error=deadlock line=@wait|@join|@join2 text="is not notified of the change of x and sleeps"
//! rc20: error=deadlock line=@wait|@join|@join2 flags="--equivalence rf"
//! rc20: error=deadlock line=@wait|@join|@join2 flags="-j 2"
//! rc20: error=deadlock line=@wait|@join|@join2 flags="-- -DTYPE=char"
//! rc20,sc: verified executions=1 blocked=3 flags="-- -DALL"
//! rc20,sc: verified executions=1 blocked=3 flags="-- -DTWICE"
//! rc20: verified executions=1 blocked=3 flags="-- -DPASSED_ON"
//! rc20: verified executions=2 blocked=2 flags="-- -DANOTHER_VALUE"
//! rc20: verified executions=1 blocked=1 flags="-- -DLATER"
// Two threads wait, and notify_one wakes one of them: the other may sleep for ever. It does not if it is notified as well
// (ALL, TWICE, PASSED_ON), nor if the other thread cannot have been asleep: it waits with a value that is never there
// (ANOTHER_VALUE), or begins after the notification (LATER).
#include <atomic>
#include <thread>

#ifndef TYPE
#define TYPE int
#endif

std::atomic<TYPE> x;

void wait(TYPE old) {
  x.wait(old);  // @wait
#ifdef PASSED_ON
  x.notify_one();
#endif
}

int main() {
#ifdef ANOTHER_VALUE
  const TYPE other = 5;
#else
  const TYPE other = 0;
#endif
  std::thread first(wait, 0);
#ifndef LATER
  std::thread second(wait, other);
#endif
  x = 1;
#ifdef ALL
  x.notify_all();
#else
  x.notify_one();
#endif
#ifdef TWICE
  x.notify_one();
#endif
#ifdef LATER
  std::thread second(wait, other);
#endif
  first.join();  // @join
  second.join();  // @join2
}
