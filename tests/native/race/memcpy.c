//! rc20: error=data-race line=@copy|@byte flags="-- -DBYTE=63"
//! rc20: error=data-race line=@copy|@byte flags="-- -DBYTE=16"
//! rc20: verified executions=1 flags="-- -DBYTE=64"
//! rc20: verified executions=1 flags="-- -DBYTE=15"
//! rc20: error=data-race line=@set|@byte flags="-- -DBYTE=40 -DSET"
//! rc20: verified executions=1 flags="-- -DBYTE=64 -DSET"
// memcpy and memset write bytes 16 to 63 and no other.
#include <pthread.h>
#include <string.h>

static char target[80];
static const char text[48] = "what is copied";

static void *copy(void *unused) {
#ifdef SET
  memset(target + 16, 1, sizeof text);  // @set
#else
  memcpy(target + 16, text, sizeof text);  // @copy
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, copy, 0);
  char seen = target[BYTE];  // @byte
  pthread_join(thread, 0);
  return seen == 'z';
}
