//! lkmm: verified executions=2 flags="-- -DRELEASE -DACQUIRE"
//! lkmm: error=data-race line=@error flags="-- -DACQUIRE"
//! lkmm: error=data-race line=@error flags="-- -DRELEASE"
//! lkmm: verified executions=2 flags="-- -DWMB -DRMB"
//! lkmm: error=data-race line=@error flags="-- -DRMB"
//! lkmm: error=data-race line=@error flags="-- -DWMB"
//! lkmm: error=data-race line=@error flags="-- -DPLAIN -DACQUIRE"
//! lkmm: verified executions=3 flags="--races off -- -DRELEASE"
// Plain data behind a flag: races by the kernel's definition. Fences for reads and for writes order plain data, too.
#include <heddle/linux.h>

static int flag, data;

static int writer(void *unused) {
  (void)unused;
  data = 1;
#ifdef WMB
  smp_wmb();
#endif
#ifdef RELEASE
  smp_store_release(&flag, 1);
#elif defined(PLAIN)
  flag = 1;
#else
  WRITE_ONCE(flag, 1);
#endif
  return 0;
}

static int reader(void *unused) {
  (void)unused;
#ifdef ACQUIRE
  const int seen = smp_load_acquire(&flag);
#else
  const int seen = READ_ONCE(flag);
#endif
  if (seen) {
#ifdef RMB
    smp_rmb();
#endif
    return data;  // @error
  }
  return 0;
}

int main(void) {
  struct task_struct *w = kthread_run(writer, NULL, "writer");
  struct task_struct *r = kthread_run(reader, NULL, "reader");
  kthread_stop(w);
  kthread_stop(r);
}
