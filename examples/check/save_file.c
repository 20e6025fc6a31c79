//! rc20: verified flags="--persistency ext4"
//! rc20: error=recovery line=@content flags="--persistency ext4 -- -DBUG"
//! rc20: error=recovery line=@content flags="--persistency ext4 -- -DIN_PLACE"
//! rc20: error=recovery line=@saved flags="--persistency ext4 -- -DNO_DIRECTORY"
//
// How to save a file so that a crash leaves the old text or the new one, and once it is saved the new one: write a temporary file, sync it,
// rename it, and sync the directory.
//
// BUG: the temporary file is not synced. The rename may persist before what is in the file.
// IN_PLACE: the file itself is truncated and written.
// NO_DIRECTORY: the directory is not synced, so what was said to be saved may be the old text after a crash.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_file(const char *name, const char *text, int synced) {
  int file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  write(file, text, strlen(text));
  if (synced) fsync(file);
  close(file);
}

static void sync_directory(void) {
  int directory = open(".", O_RDONLY);
  fsync(directory);
  close(directory);
}

static void save(const char *text) {
#ifdef IN_PLACE
  write_file("text", text, 1);
#else
#ifdef BUG
  write_file("text.tmp", text, 0);
#else
  write_file("text.tmp", text, 1);
#endif
  rename("text.tmp", "text");
#endif
#ifndef NO_DIRECTORY
  sync_directory();
#endif
}

int main(void) {
  write_file("text", "old", 1);
  write_file("screen", "-", 1);
  heddle_persisted();
  save("new");
  int screen = open("screen", O_WRONLY);
  write(screen, "saved", 1);  // the user is told
  return 0;
}

void heddle_recovery(void) {
  char text[8] = {0}, screen = 0;
  read(open("screen", O_RDONLY), &screen, 1);
  int file = open("text", O_RDONLY);
  heddle_assert(file >= 0);
  long size = read(file, text, sizeof text);
  heddle_assert(size == 3 && (strcmp(text, "old") == 0 || strcmp(text, "new") == 0));  // @content
  heddle_assert(screen != 's' || strcmp(text, "new") == 0);                           // @saved
}
