//! rc20: error=data-race line=@word|@float
//! rc20: verified executions=1 flags="-- -DJOINED"
// Two members of a union are one place.
#include <assert.h>
#include <pthread.h>

static union {
  unsigned word;
  float number;
} both;

static void *set_word(void *unused) {
  both.word = 0x3f800000;  // @word
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set_word, 0);
#ifdef JOINED
  pthread_join(thread, 0);
  assert(both.number == 1.0f);
#else
  both.number = 2.0f;  // @float
  pthread_join(thread, 0);
#endif
  return 0;
}
