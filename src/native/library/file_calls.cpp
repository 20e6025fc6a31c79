// File calls that are made of others (files.cpp): relative to a folder, on several buffers, with other descriptors, or with locks.
//
// There is one process, so its record locks (fcntl) never conflict. A lock of flock belongs to an open file.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <unistd.h>

#include "failure.h"
#include "heddle_disk.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {
int heddle_inode_of(int descriptor, int* inode);
const void* heddle_open_file(int descriptor, int** flags);
int heddle_duplicate(int descriptor, int least);
int heddle_duplicate_as(int descriptor, int other);
int heddle_grow(int descriptor, off_t begin, off_t n);
int heddle_is_here(int folder, const char* path);
void heddle_give_up_file_lock(const void* file, int inode);
}

namespace {

constexpr int kDirectory = -1;  // as an inode

int failed(int error) {
  errno = error;
  return -1;
}

bool isStandard(int descriptor) { return descriptor >= 0 && descriptor <= 2; }

// A buffer for all at once: more does not fit into a file.
constexpr size_t kMost = HEDDLE_DISK_FILE;

ssize_t sizeOf(const iovec* parts, int count) {
  if (count < 0 || count > IOV_MAX) return failed(EINVAL);
  size_t all = 0;
  for (int i = 0; i < count; ++i) all += parts[i].iov_len;
  return static_cast<ssize_t>(all);
}

// False: there is more than fits into a file.
bool gather(const iovec* parts, int count, char (&all)[kMost]) {
  size_t used = 0;
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len > kMost - used) return false;
    memcpy(all + used, parts[i].iov_base, parts[i].iov_len);
    used += parts[i].iov_len;
  }
  return true;
}

void scatter(const iovec* parts, const char* all, ssize_t got) {
  for (size_t used = 0, i = 0; got > 0 && used < static_cast<size_t>(got); ++i) {
    const size_t rest = static_cast<size_t>(got) - used, n = parts[i].iov_len < rest ? parts[i].iov_len : rest;
    memcpy(parts[i].iov_base, all + used, n);
    used += n;
  }
}

// flock: who has locked an inode.
struct FileLock {
  uint32_t word;
  const void* owner;  // an open file
};
FileLock fileLocks[HEDDLE_DISK_NAMES + 1];  // of the directory, and of inodes; in persistent memory those are names
FileLock& lockOf(int inode) { return fileLocks[inode - kDirectory]; }

int makeName(char* pattern, int flags, int after) {
  const size_t length = strlen(pattern);
  if (after < 0 || length < 6 + static_cast<size_t>(after)) return failed(EINVAL);
  char* const end = pattern + length - 6 - after;
  if (memcmp(end, "XXXXXX", 6) != 0) return failed(EINVAL);
  memset(end, 'a', 6);
  for (char last = 'a'; last <= 'z'; ++last) {
    end[5] = last;
    const int descriptor = open(pattern, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return failed(EEXIST);
}

int control(int descriptor, int command, va_list& arguments) {
  int* flags = nullptr;
  if (!heddle_open_file(descriptor, &flags)) return -1;
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return heddle_duplicate(descriptor, va_arg(arguments, int));
    case F_GETFL: return *flags & ~(O_CREAT | O_EXCL | O_TRUNC);
    case F_SETFL: *flags = (*flags & ~O_APPEND) | (va_arg(arguments, int) & O_APPEND); return 0;
    case F_GETFD:
    case F_SETFD:
    case F_SETLK:
    case F_SETLKW: return 0;
    case F_GETLK: va_arg(arguments, struct flock*)->l_type = F_UNLCK; return 0;
    default: fail(Failure::unsupported, "this command of fcntl is not supported");
  }
}

}  // namespace

extern "C" {

// ---- Relative to a folder: there is one.

int heddle_is_here(int folder, const char* path) {
  if (folder == AT_FDCWD || *path == '/') return 1;
  int inode = 0;
  if (heddle_inode_of(folder, &inode) < 0) return 0;
  return inode == kDirectory ? 1 : (failed(ENOTDIR), 0);
}

int openat(int folder, const char* path, int flags, ...) { return heddle_is_here(folder, path) ? open(path, flags, 0666) : -1; }
int openat64(int folder, const char* path, int flags, ...) { return openat(folder, path, flags); }
int unlinkat(int folder, const char* path, int flags) {
  if (!heddle_is_here(folder, path)) return -1;
  return (flags & AT_REMOVEDIR) ? failed(ENOTDIR) : unlink(path);
}
int renameat(int fromFolder, const char* from, int toFolder, const char* to) {
  return heddle_is_here(fromFolder, from) && heddle_is_here(toFolder, to) ? rename(from, to) : -1;
}
int linkat(int fromFolder, const char* from, int toFolder, const char* to, int) {
  return heddle_is_here(fromFolder, from) && heddle_is_here(toFolder, to) ? link(from, to) : -1;
}
int faccessat(int folder, const char* path, int mode, int) { return heddle_is_here(folder, path) ? access(path, mode) : -1; }

// A name that is not there: the first of some, of those that the system might choose.
int mkstemp(char* pattern) { return makeName(pattern, 0, 0); }
int mkstemp64(char* pattern) { return makeName(pattern, 0, 0); }
int mkostemp(char* pattern, int flags) { return makeName(pattern, flags, 0); }
int mkstemps(char* pattern, int after) { return makeName(pattern, 0, after); }
int mkostemps(char* pattern, int after, int flags) { return makeName(pattern, flags, after); }

// ---- Several buffers: written and read at once.

ssize_t writev(int descriptor, const iovec* parts, int count) {
  const ssize_t n = sizeOf(parts, count);
  char all[kMost];
  if (n < 0) return -1;
  if (!gather(parts, count, all)) return failed(EFBIG);
  return write(descriptor, all, static_cast<size_t>(n));
}
ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t position) {
  const ssize_t n = sizeOf(parts, count);
  char all[kMost];
  if (n < 0) return -1;
  if (!gather(parts, count, all)) return failed(EFBIG);
  return pwrite(descriptor, all, static_cast<size_t>(n), position);
}
ssize_t readv(int descriptor, const iovec* parts, int count) {
  const ssize_t n = sizeOf(parts, count);
  char all[kMost];
  if (n < 0) return -1;
  const ssize_t got = read(descriptor, all, static_cast<size_t>(n) < kMost ? static_cast<size_t>(n) : kMost);
  scatter(parts, all, got);
  return got;
}
ssize_t preadv(int descriptor, const iovec* parts, int count, off_t position) {
  const ssize_t n = sizeOf(parts, count);
  char all[kMost];
  if (n < 0) return -1;
  const ssize_t got = pread(descriptor, all, static_cast<size_t>(n) < kMost ? static_cast<size_t>(n) : kMost, position);
  scatter(parts, all, got);
  return got;
}

// ---- Descriptors.

int dup(int descriptor) {
  if (isStandard(descriptor))
    fail(Failure::unsupported, "a standard stream cannot be duplicated: its output is not a file here");
  return heddle_duplicate(descriptor, 0);
}
int dup2(int descriptor, int other) {
  if (isStandard(descriptor) || isStandard(other)) {
    fail(Failure::unsupported, "a standard stream cannot be redirected: its output is not a file here");
  }
  return heddle_duplicate_as(descriptor, other);
}
int dup3(int descriptor, int other, int) { return descriptor == other ? failed(EINVAL) : dup2(descriptor, other); }

int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const int result = control(descriptor, command, arguments);
  va_end(arguments);
  return result;
}
int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const int result = control(descriptor, command, arguments);
  va_end(arguments);
  return result;
}

// ---- Room, and locks.

int posix_fallocate(int descriptor, off_t begin, off_t n) { return heddle_grow(descriptor, begin, n); }
int posix_fallocate64(int descriptor, off64_t begin, off64_t n) { return heddle_grow(descriptor, begin, n); }
int fallocate(int descriptor, int mode, off_t begin, off_t n) {
  if (mode != 0) fail(Failure::unsupported, "fallocate is supported with mode 0 only");
  const int error = heddle_grow(descriptor, begin, n);
  return error == 0 ? 0 : failed(error);
}

int flock(int descriptor, int operation) {
  const void* const file = heddle_open_file(descriptor, nullptr);
  int inode = 0;
  if (!file || heddle_inode_of(descriptor, &inode) < 0) return -1;
  FileLock& lock = lockOf(inode);
  const bool isOwn = __atomic_load_n(&lock.owner, __ATOMIC_RELAXED) == file;
  switch (operation & ~LOCK_NB) {
    case LOCK_EX:
      if (isOwn) return 0;
      if ((operation & LOCK_NB) && !heddle_trylock(&lock.word)) return failed(EWOULDBLOCK);
      if (!(operation & LOCK_NB)) heddle_lock(&lock.word);
      __atomic_store_n(&lock.owner, file, __ATOMIC_RELAXED);
      return 0;
    case LOCK_UN:
      if (isOwn) heddle_give_up_file_lock(file, inode);
      return 0;
    case LOCK_SH: fail(Failure::unsupported, "flock is supported with LOCK_EX and LOCK_UN, and not with LOCK_SH");
    default: return failed(EINVAL);
  }
}
// Also when the file is closed.
void heddle_give_up_file_lock(const void* file, int inode) {
  FileLock& lock = lockOf(inode);
  if (__atomic_load_n(&lock.owner, __ATOMIC_RELAXED) != file) return;
  __atomic_store_n(&lock.owner, nullptr, __ATOMIC_RELAXED);
  heddle_unlock(&lock.word);
}

}  // extern "C"
