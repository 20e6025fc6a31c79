//! rc20: error=data-race line=@short|@char flags="-- -DOFFSET=1"
//! rc20: verified executions=1 flags="-- -DOFFSET=2"
//! rc20: verified executions=1 flags="-- -DOFFSET=3"
//! rc20: error=data-race line=@short|@char flags="-- -DOFFSET=0"
// A two-byte write and a one-byte write in one word, at every distance.
#include <pthread.h>
#include <string.h>

static char buffer[4];

static void *wide(void *unused) {
  *(short *)buffer = 0x0101;  // @short
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wide, 0);
  buffer[OFFSET] = 2;  // @char
  pthread_join(thread, 0);
  return 0;
}
