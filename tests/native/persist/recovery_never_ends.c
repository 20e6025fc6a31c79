//! rc20: error=recovery line=@error text="recovery does not end" flags="--persistency ext4"
//! rc20: verified executions=1 flags="--persistency ext4 -- -DPERSISTED"
// Recovery waits for a file that is not there, with calls that are no loop that waits.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

int main(void) {
  int file = open("file", O_CREAT | O_WRONLY, 0644);
  write(file, "x", 1);
#ifdef PERSISTED
  heddle_persisted();
#endif
  return 0;
}

void heddle_recovery(void) {
  while (open("file", O_RDONLY) < 0) {  // @error
  }
}
