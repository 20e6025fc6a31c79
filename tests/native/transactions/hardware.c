//! sc,tso,rc20: verified executions=8 blocked=0 flags="-- -mrtm"
//! sc,tso,rc20: verified executions=2 blocked=0 flags="--no-spurious -- -mrtm"
//! rc20: error=assertion-failure line=@counted flags="-- -mrtm -DNEVER"
//! rc20: verified executions=1 blocked=0 flags="--no-spurious -- -mrtm -DNESTED"
//! rc20: error=misuse line=@xend flags="-- -mrtm -DXEND"
// Transactions of the hardware. They may be aborted at any time: without a second way to go, an increment is lost (NEVER). NESTED: an
// abort takes back all, and its code and that it was nested are known.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static int plain;

static void *increment(void *p) {
  if (_xbegin() == _XBEGIN_STARTED) {
    assert(_xtest());
    atomic_store_explicit(&count, atomic_load_explicit(&count, memory_order_relaxed) + 1, memory_order_relaxed);
    _xend();
  } else {
#ifndef NEVER
    atomic_fetch_add(&count, 1);
#endif
  }
  return p;
}

static void nested(void) {
  int local = 1;
  int *volatile where = &local;
  const unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    plain = 1;
    *where = 2;
    const unsigned inner = _xbegin();
    assert(inner == _XBEGIN_STARTED);
    plain = 2;
    _xabort(17);
    assert(0);
  }
  assert(!_xtest());
  assert((status & _XABORT_EXPLICIT) && (status & _XABORT_NESTED) && _XABORT_CODE(status) == 17);
  assert(local == 1 && plain == 0);
  _xabort(1);  // does nothing here
}

int main(void) {
#ifdef NESTED
  nested();
#elif defined XEND
  _xend();  // @xend
#else
  pthread_t thread;
  pthread_create(&thread, 0, increment, 0);
  increment(0);
  pthread_join(thread, 0);
  assert(count == 2);  // @counted
#endif
  (void)nested, (void)increment;
  return 0;
}
