//! rc20: verified flags="--persistency ext4"
//! rc20: error=recovery line=@lost flags="--persistency ext4 -- -DBUG"
//! rc20: verified flags="--persistency ext4 -- -DVIM"
//! rc20: error=recovery line=@lost flags="--persistency ext4 -- -DVIM -DBUG"
//
// An editor that keeps a backup. As nano does: it copies the file to `text~` and then writes the file in place. As vim does (VIM): it
// renames the file to `text~`, writes a new one, and deletes the backup. After a crash one of the
// two has all of the old text, or the file has all of the new one.
//
// BUG: nano does not sync the backup before it overwrites the file, so both may be short. PerSeVerE found this. Vim does not sync the new file
// before it deletes the backup, as with `set nofsync`.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static inline void copy(const char *from, const char *to) {
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

static inline void save_like_nano(void) {
  copy("text", "text~");
  int file = open("text", O_WRONLY | O_TRUNC);
  write(file, "new!", 4);
  close(file);
}

static inline void save_like_vim(void) {
  rename("text", "text~");
  int file = open("text", O_CREAT | O_EXCL | O_WRONLY, 0644);
  write(file, "new!", 4);
#ifndef BUG
  fsync(file);
#endif
  close(file);
  unlink("text~");
}

int main(void) {
  int file = open("text", O_CREAT | O_WRONLY, 0644);
  write(file, "old", 3);
  close(file);
  heddle_persisted();
#ifdef VIM
  save_like_vim();
#else
  save_like_nano();
#endif
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
