//! rc20: error=recovery line=@error flags="--persistency ext4"
//! rc20: verified executions=6 blocked=0 flags="--persistency ext4 -- -DCOUNT"
//! rc20: verified executions=5 blocked=0 flags="--persistency ext4 -- -DSYNC"
// One thread overwrites x. Another one reads that and then writes y: y may be there without x, unless the second one has synced x.
//
// If it reads the old x it ends, and there are 2 contents. If it reads the new one: 4, or 3 if x is synced. GenMC states 6 for a
// synced program of its own, which it does not print in full.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <unistd.h>

static void make(const char *name) {
  int file = open(name, O_CREAT | O_WRONLY, 0644);
  write(file, "0", 1);
  close(file);
}

static int x, y;

static void *second(void *unused) {
  char found;
  pread(x, &found, 1, 0);
  if (found == '0') return unused;
#ifdef SYNC
  fsync(x);
#endif
  pwrite(y, "1", 1, 0);
  return unused;
}

int main(void) {
  make("x");
  make("y");
  heddle_persisted();
  x = open("x", O_RDWR);
  y = open("y", O_RDWR);
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  pwrite(x, "1", 1, 0);
  pthread_join(thread, 0);
  return 0;
}

void heddle_recovery(void) {
  char first, late;
  read(open("y", O_RDONLY), &late, 1);
  read(open("x", O_RDONLY), &first, 1);
#ifndef COUNT
  heddle_assert(late == '0' || first == '1');  // @error
#endif
}
