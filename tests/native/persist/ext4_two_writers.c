//! rc20: verified executions=10 flags="--persistency ext4 -- -DAPPEND"
//! rc20: verified executions=2 flags="--persistency ext4 -- -DPOSITION"
//! rc20: verified executions=2 flags="--persistency ext4 -- -DOVERWRITE"
//! rc20: error=assertion-failure line=@both flags="--persistency ext4 -- -DSEEK"
//! rc20: verified executions=26 flags="--persistency ext4 -- -DTRUNCATE"
//! rc20: verified executions=2 flags="--persistency ext4 -- -DCREATE"
// Two threads and one file: appends do not overwrite each other; nor do writes at one shared position; a write of two bytes is seen as a whole,
// or not at all; a file is created once. To seek and then write is two steps.
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int file, created;

static void put(const char *text) {
#if defined APPEND
  int own = open("f", O_WRONLY | O_APPEND);
  write(own, text, 2);
  close(own);
#elif defined POSITION
  write(file, text, 2);
#elif defined OVERWRITE
  pwrite(file, text, 2, 0);
#elif defined SEEK
  int own = open("f", O_WRONLY);
  lseek(own, 0, SEEK_END);
  write(own, text, 2);
  close(own);
#elif defined TRUNCATE
  int own = open("f", O_WRONLY | O_TRUNC);
  write(own, text, 2);
  close(own);
#elif defined CREATE
  int own = open("new", O_CREAT | O_EXCL | O_WRONLY, 0644);
  if (own >= 0) __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
  (void)text;
#endif
}

static void *second(void *unused) {
  put("22");
  return unused;
}

int main(void) {
  char text[5] = "";
  file = open("f", O_CREAT | O_RDWR, 0644);
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  put("11");
  pthread_join(thread, 0);
  int size = (int)pread(file, text, 4, 0);
#if defined OVERWRITE
  assert(size == 2 && (strcmp(text, "11") == 0 || strcmp(text, "22") == 0));
#elif defined TRUNCATE
  assert(size == 2 && (strcmp(text, "11") == 0 || strcmp(text, "22") == 0));
#elif defined CREATE
  assert(size == 0 && created == 1);
#else
  assert(size == 4 && (strcmp(text, "1122") == 0 || strcmp(text, "2211") == 0));  // @both
#endif
  heddle_persisted();
  return 0;
}

void heddle_recovery(void) { heddle_assert(open("f", O_RDONLY) >= 0); }
