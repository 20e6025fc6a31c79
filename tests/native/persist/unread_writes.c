//! tso: verified executions=2 blocked=0 flags="--persistency px86 -- -DN=1"
//! tso: verified executions=2 blocked=0 flags="--persistency px86 -- -DN=40"
//! sc: verified executions=2 blocked=0 flags="--persistency weakest -- -DN=40"
//! sc: verified executions=2 blocked=0 flags="--persistency strict -- -DN=40"
//! rc20: verified executions=2 blocked=0 flags="--persistency ext4 -- -DN=1 -DFILES"
//! rc20: verified executions=2 blocked=0 flags="--persistency ext4 --max-file-size 80 -- -DN=40 -DFILES"
// N durable writes that recovery does not read add no execution.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

HEDDLE_PERSISTENT struct {
  int x __attribute__((aligned(64)));
} unread[N];
HEDDLE_PERSISTENT int read_later;

int main(void) {
#ifdef FILES
  int file = open("unread", O_CREAT | O_WRONLY, 0644), other = open("read", O_CREAT | O_WRONLY, 0644);
  write(other, "0", 1);
  heddle_persisted();
  for (int i = 0; i < N; ++i) pwrite(file, "x", 1, 2 * i);
  pwrite(other, "1", 1, 0);
#else
  for (int i = 0; i < N; ++i) unread[i].x = 1;
  read_later = 1;
#endif
  return 0;
}

void heddle_recovery(void) {
#ifdef FILES
  char text;
  read(open("read", O_RDONLY), &text, 1);
#else
  int value = read_later;
  (void)value;
#endif
}
