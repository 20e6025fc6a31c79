//! rc20: verified executions=1 blocked=0 flags="--persistency ext4"
//! rc20: error=misuse line=@missing flags="--persistency ext4 --file-errors report"
//! rc20: error=unsupported line=@missing text="or, to explore files on a disk and crashes, add --persistency ext4"
// What file calls return, and errno, as POSIX says. Nothing is left open for the crash to decide: all has been synced.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char text[8] = {0};
  struct stat status;
  assert(open("none", O_RDONLY) == -1 && errno == ENOENT);  // @missing
  assert(unlink("none") == -1 && errno == ENOENT);
  assert(rename("none", "other") == -1 && errno == ENOENT);
  assert(close(17) == -1 && errno == EBADF);
  int file = open("a", O_CREAT | O_RDWR, 0644);
  assert(file >= 3);
  assert(write(file, "hello", 5) == 5);
  assert(lseek(file, 1, SEEK_SET) == 1 && read(file, text, 3) == 3 && strcmp(text, "ell") == 0);
  assert(lseek(file, 0, SEEK_CUR) == 4 && lseek(file, -2, SEEK_END) == 3);
  assert(lseek(file, -9, SEEK_SET) == -1 && errno == EINVAL);
  assert(pwrite(file, "p", 1, 0) == 1 && pread(file, text, 5, 0) == 5 && memcmp(text, "pello", 5) == 0);
  assert(fstat(file, &status) == 0 && status.st_size == 5);
  assert(ftruncate(file, 2) == 0 && stat("a", &status) == 0 && status.st_size == 2);
  assert(pwrite(file, "x", 1, 4) == 1 && pread(file, text, 8, 0) == 5 && memcmp(text, "pe\0\0x", 5) == 0);
  assert(pwrite(file, "x", 1, 64) == -1 && errno == EFBIG);
  assert(open("a", O_CREAT | O_EXCL | O_WRONLY, 0644) == -1 && errno == EEXIST);
  int reader = open("a", O_RDONLY);
  assert(reader != file && write(reader, "x", 1) == -1 && errno == EBADF);
  assert(close(reader) == 0 && read(reader, text, 1) == -1 && errno == EBADF);
  int appender = open("./a", O_WRONLY | O_APPEND);
  assert(write(appender, "yz", 2) == 2 && pread(file, text, 8, 5) == 2 && memcmp(text, "yz", 2) == 0);
  assert(link("a", "b") == 0 && link("a", "b") == -1 && errno == EEXIST);
  assert(unlink("a") == 0 && access("a", F_OK) == -1 && access("b", F_OK) == 0);
  assert(rename("b", "c") == 0 && access("b", F_OK) == -1 && access("c", F_OK) == 0);
  assert(pread(file, text, 1, 0) == 1 && text[0] == 'p');
  assert(truncate("c", 1) == 0 && fstat(file, &status) == 0 && status.st_size == 1);
  int empty = open("c", O_WRONLY | O_TRUNC);
  assert(fstat(empty, &status) == 0 && status.st_size == 0);
  assert(write(empty, "end", 3) == 3 && fsync(empty) == 0);
  sync();
  heddle_persisted();
  return 0;
}

void heddle_recovery(void) {
  char text[8] = {0};
  int file = open("c", O_RDONLY);
  heddle_assert(file >= 0 && read(file, text, 8) == 3 && strcmp(text, "end") == 0);
  heddle_assert(access("a", F_OK) == -1 && access("b", F_OK) == -1);
}
