//! rc20: error=recovery line=@short flags="--persistency ext4"
//! rc20: verified executions=10 blocked=0 flags="--persistency ext4 -- -DCOUNT"
//! rc20: verified executions=6 blocked=0 flags="--persistency ext4 -- -DSYNC"
// An editor copies a file to a backup, and then truncates and writes the file (examples/check/editor_backup.c). If the backup is not
// synced, both may be short.
//
// Synced, what persists is a prefix of these steps: the backup has a name; it has two bytes; the text is empty; it has the new
// bytes. These are 5, and one more as the size with which the backup is created, 0, is a write that may be lost. GenMC states 10 for a
// program of its own.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int file = open("text", O_CREAT | O_WRONLY, 0644);
  write(file, "11", 2);
  close(file);
  heddle_persisted();

  char text[8];
  int source = open("text", O_RDONLY), backup = open("text~", O_CREAT | O_TRUNC | O_WRONLY, 0644);
  long size = read(source, text, sizeof text);
  write(backup, text, (size_t)size);
#ifdef SYNC
  fsync(backup);
#endif
  file = open("text", O_WRONLY | O_TRUNC);
  write(file, "22", 2);
  return 0;
}

static int has(const char *name, const char *expected) {
  char text[8] = {0};
  int file = open(name, O_RDONLY);
  return file >= 0 && read(file, text, sizeof text) >= 0 && strcmp(text, expected) == 0;
}

void heddle_recovery(void) {
  int old = has("text", "11"), backup = has("text~", "11"), new = has("text", "22");
#ifndef COUNT
  heddle_assert(old || backup || new);  // @short
#else
  (void)old, (void)backup, (void)new;
#endif
}
