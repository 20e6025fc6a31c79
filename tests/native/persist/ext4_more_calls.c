//! rc20: verified executions=1 flags="--persistency ext4"
//! rc20: error=unsupported text="LOCK_SH" flags="--persistency ext4 -- -DSHARED"
//! rc20: error=unsupported text="standard stream" flags="--persistency ext4 -- -DREDIRECTED"
//! rc20: error=unsupported text="255 characters" flags="--persistency ext4 --max-file-size 256 -- -DLONG"
// Calls that are made of others: relative to a folder, on several buffers, with other descriptors, with locks; and streams.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void links(void) {
  struct stat s;
  const int file = open("linked", O_CREAT | O_RDWR, 0644);
  heddle_assert(fstat(file, &s) == 0 && s.st_nlink == 1 && S_ISREG(s.st_mode));
  heddle_assert(link("linked", "second") == 0 && fstat(file, &s) == 0 && s.st_nlink == 2);
  heddle_assert(unlink("linked") == 0 && lstat("second", &s) == 0 && s.st_nlink == 1);
  const int other = open("other", O_CREAT | O_RDWR, 0644);
  heddle_assert(rename("other", "second") == 0);
  heddle_assert(fstat(file, &s) == 0 && s.st_nlink == 0);
  heddle_assert(fstat(other, &s) == 0 && s.st_nlink == 1);
  heddle_assert(stat(".", &s) == 0 && s.st_nlink == 2 && S_ISDIR(s.st_mode));
  close(file);
  close(other);
  unlink("second");
}

static void folders(void) {
  const int folder = open(".", O_RDONLY | O_DIRECTORY);
  const int file = openat(folder, "one", O_CREAT | O_RDWR, 0644);
  heddle_assert(file >= 0 && openat(AT_FDCWD, "none", O_RDONLY) == -1 && errno == ENOENT);
  heddle_assert(openat(file, "one", O_RDONLY) == -1 && errno == ENOTDIR);
  heddle_assert(openat(99, "one", O_RDONLY) == -1 && errno == EBADF);
  heddle_assert(renameat(folder, "one", AT_FDCWD, "two") == 0);
  heddle_assert(faccessat(folder, "one", F_OK, 0) == -1 && faccessat(folder, "two", F_OK, 0) == 0);
  struct stat s;
  heddle_assert(fstatat(folder, "two", &s, 0) == 0 && s.st_size == 0);
  heddle_assert(unlinkat(folder, "two", AT_REMOVEDIR) == -1 && errno == ENOTDIR);
  heddle_assert(unlinkat(folder, "two", 0) == 0 && access("two", F_OK) == -1);
  close(file);
  close(folder);
}

static void buffers(void) {
  char first[] = "ab", second[] = "cde", x[2], y[9] = "";
  const int file = open("parts", O_CREAT | O_RDWR, 0644);
  const struct iovec out[] = {{first, 2}, {second, 3}}, in[] = {{x, 2}, {y, 8}};
  heddle_assert(writev(file, out, 2) == 5);
  heddle_assert(pwritev(file, out, 1, 4) == 2);
  lseek(file, 0, SEEK_SET);
  heddle_assert(readv(file, in, 2) == 6 && memcmp(x, "ab", 2) == 0 && memcmp(y, "cdab", 4) == 0);
  heddle_assert(preadv(file, in, 1, 1) == 2 && memcmp(x, "bc", 2) == 0);
  heddle_assert(posix_fallocate(file, 0, 8) == 0 && lseek(file, 0, SEEK_END) == 8);
  heddle_assert(pread(file, y, 8, 0) == 8 && memcmp(y, "abcdab\0\0", 8) == 0);
  heddle_assert(posix_fallocate(file, 0, 4) == 0 && lseek(file, 0, SEEK_END) == 8);
  heddle_assert(posix_fallocate(file, 0, 1000) == EFBIG && posix_fallocate(99, 0, 1) == EBADF);
  close(file);
  unlink("parts");
}

static void descriptors(void) {
  char c = 0;
  const int file = open("twice", O_CREAT | O_RDWR, 0644), other = dup(file), third = fcntl(file, F_DUPFD, 10);
  heddle_assert(other != file && third >= 10);
  heddle_assert(write(file, "12", 2) == 2 && lseek(other, 0, SEEK_CUR) == 2);  // one position
  heddle_assert(close(file) == 0 && write(other, "3", 1) == 1);
  heddle_assert(lseek(third, 1, SEEK_SET) == 1 && read(other, &c, 1) == 1 && c == '2');
  heddle_assert(dup2(other, 5) == 5 && dup2(5, 5) == 5 && dup2(99, 5) == -1 && errno == EBADF);
  heddle_assert(read(5, &c, 1) == 1 && c == '3');
  heddle_assert((fcntl(5, F_GETFL) & O_ACCMODE) == O_RDWR && fcntl(5, F_SETFL, O_APPEND) == 0);
  heddle_assert((fcntl(other, F_GETFL) & O_APPEND) != 0);
  lseek(other, 0, SEEK_SET);
  heddle_assert(write(other, "4", 1) == 1 && lseek(other, 0, SEEK_CUR) == 4);
  heddle_assert(close(5) == 0 && close(5) == -1 && close(other) == 0 && close(third) == 0 && fcntl(third, F_GETFD) == -1);
  char name[] = "t-XXXXXX", wrong[] = "t-XXXXX";
  const int made = mkstemp(name);
  heddle_assert(made >= 0 && strcmp(name, "t-XXXXXX") != 0 && access(name, F_OK) == 0);
  heddle_assert(mkstemp(wrong) == -1 && errno == EINVAL);
  close(made);
  unlink(name);
  unlink("twice");
}

static void locks(void) {
  const int file = open("lock", O_CREAT | O_RDWR, 0644), other = open("lock", O_RDONLY);
  heddle_assert(flock(file, LOCK_EX) == 0 && flock(file, LOCK_EX) == 0);
  heddle_assert(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
  heddle_assert(flock(other, LOCK_UN) == 0 && flock(other, LOCK_EX | LOCK_NB) == -1);
  heddle_assert(flock(file, LOCK_UN) == 0 && flock(other, LOCK_EX | LOCK_NB) == 0);
  close(other);
  heddle_assert(flock(file, LOCK_EX | LOCK_NB) == 0);
#ifdef SHARED
  flock(file, LOCK_SH);
#endif
  close(file);
  unlink("lock");
#ifdef REDIRECTED
  dup2(file, 1);
#endif
}

static void streams(void) {
  FILE *file = fopen("text", "w+");
  fputs("12 0x1f,word\nsecond line\n7", file);
  rewind(file);
  int a = 0, b = 0;
  char word[10] = "";
  heddle_assert(fscanf(file, "%d %i", &a, &b) == 2 && a == 12 && b == 31);
  heddle_assert(fgetc(file) == ',' && ungetc('-', file) == '-' && ungetc('+', file) == EOF && fgetc(file) == '-');
  heddle_assert(fscanf(file, "%d", &a) == 0 && a == 12);
  heddle_assert(fscanf(file, "%9s", word) == 1 && strcmp(word, "word") == 0);
  heddle_assert(ftell(file) == 12);
  char *line = NULL;
  size_t room = 0;
  heddle_assert(getline(&line, &room, file) == 1 && strcmp(line, "\n") == 0);
  heddle_assert(getline(&line, &room, file) == 12 && strcmp(line, "second line\n") == 0 && room >= 13);
  heddle_assert(fscanf(file, "%d", &a) == 1 && a == 7 && feof(file));
  heddle_assert(fscanf(file, "%d", &a) == EOF && getline(&line, &room, file) == -1);
  free(line);
  file = freopen("text", "r", file);
  heddle_assert(file && fgetc(file) == '1' && fputc('x', file) == EOF);
  heddle_assert(!freopen("none", "r", file));
  unlink("text");
#ifdef LONG
  file = fopen("long", "w+");
  for (int i = 0; i < 256; ++i) fputc('x', file);
  rewind(file);
  char all[300];
  fscanf(file, "%s", all);
#endif
}

int main(void) {
  links();
  folders();
  buffers();
  descriptors();
  locks();
  streams();
  return 0;
}

void heddle_recovery(void) {}
