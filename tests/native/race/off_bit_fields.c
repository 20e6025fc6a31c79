//! rc20,sc: error=assertion-failure line=@lost flags="--races=off"
// Two bit-fields of one word: an assignment to one may undo that to the other.
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned a : 4, b : 4;
} word;

static void *setA(void *unused) {
  word.a = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setA, 0);
  word.b = 2;
  pthread_join(thread, 0);
  assert(word.a == 1 && word.b == 2);  // @lost
}
