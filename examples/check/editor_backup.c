//! rc20: verified flags="--persistency ext4"
//! rc20: error=recovery line=@lost flags="--persistency ext4 -- -DBUG"
//
// An editor that keeps a backup, as nano does: it copies the file to `text~` and then writes the file in place. After a crash one of the
// two has all of the old text, or the file has all of the new one.
//
// BUG: the backup is not synced before the file is overwritten, so both may be short. PerSeVerE found this in nano.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <string.h>
#include <unistd.h>

static void copy(const char *from, const char *to) {
  char text[8];
  int source = open(from, O_RDONLY), target = open(to, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  long size = read(source, text, sizeof text);
  write(target, text, (size_t)size);
#ifndef BUG
  fsync(target);
  int directory = open(".", O_RDONLY);
  fsync(directory);
  close(directory);
#endif
  close(target);
  close(source);
}

int main(void) {
  int file = open("text", O_CREAT | O_WRONLY, 0644);
  write(file, "old", 3);
  close(file);
  heddle_persisted();

  copy("text", "text~");
  file = open("text", O_WRONLY | O_TRUNC);
  write(file, "new!", 4);
  close(file);
  return 0;
}

static int has(const char *name, const char *expected) {
  char text[8] = {0};
  int file = open(name, O_RDONLY);
  return file >= 0 && read(file, text, sizeof text) >= 0 && strcmp(text, expected) == 0;
}

void heddle_recovery(void) {
  heddle_assert(has("text", "old") || has("text", "new!") || has("text~", "old"));  // @lost
}
