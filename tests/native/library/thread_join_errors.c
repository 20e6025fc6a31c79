//! rc20: error=joined-twice line=@join
//! rc20: error=invalid-join line=@join flags="-- -DDETACHED"
//! rc20: error=invalid-join line=@join flags="-- -DBY_ATTRIBUTE"
//! rc20: error=invalid-join line=@detach flags="-- -DDETACH_TWICE"
//! rc20: error=invalid-join line=@join flags="-- -DGARBAGE"
//! rc20: verified executions=1 blocked=0 flags="-- -DMISS"
#include <pthread.h>

void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
#ifdef BY_ATTRIBUTE
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#endif
  pthread_create(&thread, &attributes, nothing, 0);
#if defined(DETACHED) || defined(DETACH_TWICE)
  pthread_detach(thread);
#elif defined(GARBAGE)
  thread = 12345;
#elif !defined(BY_ATTRIBUTE) && !defined(MISS)
  pthread_join(thread, 0);
#endif
#ifdef DETACH_TWICE
  pthread_detach(thread);  // @detach
#endif
  pthread_join(thread, 0);  // @join
}
