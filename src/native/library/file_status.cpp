// What stat and its kin say of files (files.cpp).
//
// The names of a file are counted here, so that only programs that ask for them pay. What a crash leaves of the count is not
// followed: after it a file that has a name is said to have one.

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "failure.h"
#include "heddle_disk.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {
int heddle_fill_status(int inode, struct stat* result);
int heddle_inode_of(int descriptor, int* inode);
int heddle_inode_of_path(const char* path, int* inode);
int heddle_files_at_first();
int heddle_is_here(int folder, const char* path);
void heddle_count_link(int inode, int change);
}

namespace {

constexpr int kDirectory = -1;

// Since the program began.
int links[HEDDLE_DISK_INODES];

int statusOf(int inode, struct stat* result) {
  static void (*volatile forFiles)(int, int) = heddle_count_link;  // which files.cpp calls if it is there
  static_cast<void>(forFiles);
  heddle_fill_status(inode, result);
  if (inode == kDirectory) {
    result->st_nlink = 2;
  } else if (result->st_ino == 0 || heddle_recovers()) {
    result->st_nlink = 1;
  } else {
    const int atFirst = inode < heddle_files_at_first() ? 1 : 0;
    result->st_nlink = static_cast<nlink_t>(atFirst + __atomic_load_n(&links[inode], __ATOMIC_RELAXED));
  }
  return 0;
}

}  // namespace

extern "C" {

void heddle_count_link(int inode, int change) {
  if (!heddle_recovers()) __atomic_fetch_add(&links[inode], change, __ATOMIC_RELAXED);
}

int fstat(int descriptor, struct stat* result) {
  int inode = 0;
  return heddle_inode_of(descriptor, &inode) < 0 ? -1 : statusOf(inode, result);
}
int stat(const char* path, struct stat* result) {
  int inode = 0;
  return heddle_inode_of_path(path, &inode) < 0 ? -1 : statusOf(inode, result);
}
// There are no symbolic links.
int lstat(const char* path, struct stat* result) { return stat(path, result); }
int fstatat(int folder, const char* path, struct stat* result, int flags) {
  if ((flags & AT_EMPTY_PATH) && *path == 0) return fstat(folder, result);
  return heddle_is_here(folder, path) ? stat(path, result) : -1;
}
int fstat64(int descriptor, struct stat64* result) { return fstat(descriptor, reinterpret_cast<struct stat*>(result)); }
int stat64(const char* path, struct stat64* result) { return stat(path, reinterpret_cast<struct stat*>(result)); }
int lstat64(const char* path, struct stat64* result) { return stat64(path, result); }

}  // extern "C"
