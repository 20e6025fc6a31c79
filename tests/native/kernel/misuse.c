//! lkmm: error=deadlock line=@sync
//! lkmm: error=misuse line=@unlock flags="-- -DUNLOCK"
//! lkmm: error=self-lock line=@again flags="-- -DLOCK"
//! lkmm: error=use-after-free line=@error flags="-- -DUSE"
//! lkmm: error=double-free line=@error-2 flags="-- -DTWICE"
//! lkmm: error=assertion-failure line=@warn flags="-- -DWARN"
// What is wrong in one thread.
#include <heddle/linux.h>

int main(void) {
#ifdef UNLOCK
  rcu_read_unlock(); // @unlock
#elif defined(LOCK)
  static DEFINE_SPINLOCK(lock);
  spin_lock(&lock);
  spin_lock(&lock); // @again
#elif defined(USE)
  int *p = kzalloc(sizeof *p, GFP_KERNEL);
  kfree(p);  // @error
  return *p;
#elif defined(TWICE)
  int *p = kzalloc(sizeof *p, GFP_KERNEL);
  kfree(p);
  kfree(p);  // @error-2
#elif defined(WARN)
  int x = 1;
  WARN_ON(READ_ONCE(x) == 1); // @warn
#else
  rcu_read_lock();
  synchronize_rcu(); // @sync
  rcu_read_unlock();
#endif
}
