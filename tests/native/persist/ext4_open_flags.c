//! rc20: verified executions=1 blocked=0 flags="--persistency ext4"
//! rc20: verified executions=1 blocked=0 flags="--persistency ext4 --journal writeback"
//! rc20: verified executions=1 blocked=0 flags="--persistency ext4 --journal journal"
//! rc20: verified executions=1 blocked=0 flags="--persistency ext4 --no-delayed-allocation --block-size 4"
//! rc20: verified executions=1 blocked=0 flags="--persistency ext4 --block-size 1 --max-file-size 200 -- -DMOST=200"
//! rc20: error=misuse line=@again text="File exists" flags="--persistency ext4 --file-errors report -- -DREPORT"
// Every flag of open, and what calls say that cannot do what they are asked for.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MOST
#define MOST 64
#endif

#define FAILS(call, error) assert((errno = 0, (call) == -1 && errno == (error)))

static char text[256];

static void access_modes(void) {
  int writer = creat("f", 0644);
  FAILS(read(writer, text, 1), EBADF);
  FAILS(pread(writer, text, 1, 0), EBADF);
  assert(write(writer, "abcd", 4) == 4);
  int reader = open("f", O_RDONLY), both = open("f", O_RDWR);
  FAILS(write(reader, "x", 1), EBADF);
  FAILS(pwrite(reader, "x", 1, 0), EBADF);
  FAILS(ftruncate(reader, 0), EINVAL);
  assert(read(reader, text, 10) == 4 && read(reader, text, 1) == 0);
  assert(pwrite(both, "B", 1, 1) == 1 && pread(both, text, 4, 0) == 4 && memcmp(text, "aBcd", 4) == 0);
  assert(close(writer) == 0 && close(reader) == 0 && close(both) == 0);
  FAILS(close(both), EBADF);
  FAILS(fsync(both), EBADF);
  FAILS(fdatasync(-1), EBADF);
  FAILS(lseek(99, 0, SEEK_SET), EBADF);
  FAILS(ftruncate(99, 0), EBADF);
}

static void creation(void) {
  FAILS(open("new", O_RDWR), ENOENT);
  int file = open("new", O_RDWR | O_CREAT | O_EXCL, 0600);
  assert(file >= 3);
  FAILS(open("new", O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
  int again = open("new", O_RDWR | O_CREAT, 0600);
  assert(again > file && write(file, "12", 2) == 2);
  int truncated = open("new", O_WRONLY | O_TRUNC);
  struct stat status;
  assert(fstat(again, &status) == 0 && status.st_size == 0 && S_ISREG(status.st_mode));
  FAILS(open("new", O_RDONLY | O_DIRECTORY), ENOTDIR);
  FAILS(open(".", O_WRONLY), EISDIR);
  int directory = open(".", O_RDONLY | O_DIRECTORY);
  assert(fstat(directory, &status) == 0 && S_ISDIR(status.st_mode) && fsync(directory) == 0);
  FAILS(read(directory, text, 1), EISDIR);
  close(file), close(again), close(truncated), close(directory);
}

static void appending(void) {
  int file = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600), other = open("log", O_RDWR);
  assert(write(file, "ab", 2) == 2 && write(other, "X", 1) == 1 && write(file, "c", 1) == 1);
  assert(lseek(file, 0, SEEK_CUR) == 3 && lseek(other, 0, SEEK_CUR) == 1);
  assert(pread(other, text, 9, 0) == 3 && memcmp(text, "Xbc", 3) == 0);
  close(file), close(other);
}

static void positions(void) {
  int file = open("log", O_RDWR | O_SYNC);
  assert(lseek(file, 2, SEEK_SET) == 2 && lseek(file, 3, SEEK_CUR) == 5 && lseek(file, 1, SEEK_END) == 4);
  FAILS(lseek(file, -5, SEEK_END), EINVAL);
  FAILS(lseek(file, 0, 77), EINVAL);
  FAILS(pread(file, text, 1, -1), EINVAL);
  FAILS(pwrite(file, text, 1, -1), EINVAL);
  assert(pread(file, text, 1, (off_t)1 << 33) == 0);
  assert(write(file, "e", 1) == 1 && pread(file, text, 9, 0) == 5 && memcmp(text, "Xbc\0e", 5) == 0);
  FAILS(pwrite(file, "x", 1, MOST), EFBIG);
  FAILS(pwrite(file, text, (size_t)-1, 1), EFBIG);
  FAILS(ftruncate(file, MOST + 1), EFBIG);
  FAILS(ftruncate(file, -1), EINVAL);
  assert(pwrite(file, "y", 1, MOST - 1) == 1 && ftruncate(file, 6) == 0 && pread(file, text, 9, 0) == 6 && text[5] == 0);
  FAILS(truncate("none", 1), ENOENT);
  assert(truncate("log", 1) == 0 && read(file, text, 9) == 0 && pread(file, text, 9, 0) == 1);
  assert(write(file, "", 0) == 0);
  close(file);
}

static void names(void) {
  FAILS(link("none", "elsewhere"), ENOENT);
  FAILS(link("log", "log"), EEXIST);
  FAILS(unlink("none"), ENOENT);
  FAILS(rename("none", "log"), ENOENT);
  FAILS(access("none", F_OK), ENOENT);
  assert(link("log", "second") == 0 && rename("log", "second") == 0);  // two names of one file: both stay
  assert(access("log", F_OK) == 0 && access("second", F_OK) == 0 && rename("log", "log") == 0);
  assert(unlink("log") == 0 && access("log", F_OK) == -1 && rename("second", "new") == 0);
  struct stat status;
  assert(stat("new", &status) == 0 && status.st_size == 1 && stat("second", &status) == -1 && stat(".", &status) == 0);
  assert(remove("new") == 0 && access("new", F_OK) == -1);
}

static void many(void) {
  int files[16];
  for (int i = 0; i < 16; ++i) files[i] = open("f", O_RDONLY);
  assert(files[0] == 3 && files[15] == 18);
  FAILS(open("f", O_RDONLY), EMFILE);
  close(files[4]);
  assert(open("f", O_RDONLY) == files[4]);  // the lowest that is free
  for (int i = 0; i < 16; ++i) close(files[i]);
}

static void streams(void) {
  FILE *file = fopen("f", "r");
  assert(fprintf(file, "x") == -1 && ferror(file) && fputs("x", file) == EOF && fwrite("x", 1, 1, file) == 0);
  clearerr(file);
  assert(!ferror(file) && fgetc(file) == 'a' && fclose(file) == 0);
  assert(!fopen("f", "q") && errno == EINVAL && !fopen("f", "wx") && errno == EEXIST);
  file = fopen("f", "w");
  setvbuf(file, 0, _IOLBF, 0);
  int reader = open("f", O_RDONLY);
  fputs("12", file);
  assert(pread(reader, text, 9, 0) == 0);
  fputs("3\n4", file);
  assert(pread(reader, text, 9, 0) == 5);
  setbuf(file, 0);
  fputc('5', file);
  assert(pread(reader, text, 9, 0) == 6 && dprintf(fileno(file), "%d", 67) == 2 && pread(reader, text, 9, 0) == 8);
  fclose(file), close(reader);
  assert((file = fopen("f", "a+")) && fwrite("8", 1, 1, file) == 1 && fclose(file) == 0);
  assert((file = fopen("f", "r+")) && fread(text, 2, 9, file) == 4 && memcmp(text, "123\n45678", 8) == 0 && feof(file));
  fclose(file);
}

int main(void) {
#ifdef REPORT
  close(open("new", O_CREAT | O_WRONLY, 0600));
  open("new", O_CREAT | O_EXCL | O_WRONLY, 0600);  // @again
#endif
  access_modes();
  creation();
  appending();
  positions();
  names();
  many();
  streams();
  sync();
  heddle_persisted();
  return 0;
}

void heddle_recovery(void) {
  heddle_assert(open("new", O_RDONLY) == -1 && errno == ENOENT);
  heddle_assert(read(open("f", O_RDONLY), text, 20) == 9 && memcmp(text, "123\n45678", 9) == 0);
}
