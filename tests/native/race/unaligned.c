//! rc20: error=data-race line=@wide|@narrow flags="-- -DAT=7"
//! rc20: error=data-race line=@wide|@narrow flags="-- -DAT=14"
//! rc20: verified executions=1 flags="-- -DAT=6"
//! rc20: verified executions=1 flags="-- -DAT=15"
// An eight-byte access at an odd address touches bytes 7 to 14 and nothing else.
#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) frame {
  char before[7];
  uint64_t wide;
  char after[9];
};

static union {
  struct frame frame;
  char bytes[24];
} memory;

static void *write_wide(void *unused) {
  memory.frame.wide = 0x0102030405060708u;  // @wide
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write_wide, 0);
  memory.bytes[AT] = 1;  // @narrow
  pthread_join(thread, 0);
  return 0;
}
