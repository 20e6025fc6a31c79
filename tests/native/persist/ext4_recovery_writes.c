//! rc20: error=recovery line=@error text="recovery writes to" flags="--persistency ext4"
//! rc20: verified executions=3 flags="--persistency ext4 --recovery-writes"
//! rc20: error=recovery line=@lost flags="--persistency ext4 --recovery-writes -- -DBUG"
//! rc20: verified executions=3 flags="--persistency ext4 --recovery-writes --journal journal"
// Recovery replays a log into a file and then removes the log. If the file is not synced before, a second crash may lose both.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int data = open("data", O_CREAT | O_WRONLY, 0644);
  write(data, "00", 2);
  close(data);
  int log = open("log", O_CREAT | O_WRONLY, 0644);
  write(log, "11", 2);
  heddle_persisted();
  return 0;
}

void heddle_recovery(void) {
  char text[2] = "", logged[2] = "";
  int log = open("log", O_RDONLY);
  if (log >= 0) {
    int made = open("mark", O_CREAT | O_WRONLY, 0644), data = open("data", O_WRONLY);  // @error
    heddle_assert(made >= 0 && read(log, logged, 2) == 2 && write(data, logged, 2) == 2);
#ifndef BUG
    fsync(data);
#endif
    unlink("log");
  }
  heddle_assert(read(open("data", O_RDONLY), text, 2) == 2 && memcmp(text, "11", 2) == 0);  // @lost
}
