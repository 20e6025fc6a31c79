// Files in persistent memory: mmap of a file, and libpmem's pmem_map_file.
//
// Where memory persists (--persistency px86, ...) a file is a room of durable memory that a program maps. It has a place
// by its name, so that recovery finds it where it was. The files of --disk have the content that they have there; others, which the program
// creates, are full of zeros, and are there from the start: what persists of a directory is the subject of --persistency ext4.

#include "mapped_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "failure.h"
#include "heddle_mapped.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::mapped::kBytes;

extern "C" {
// What is in the files at first, and their sizes, is filled in before the program runs. A size of 0: there is none.
__attribute__((section("heddle_persistent"), aligned(4096))) heddle_mapped_file heddle_mapped[HEDDLE_MAPPED_FILES];
uint32_t heddle_mapped_sizes[HEDDLE_MAPPED_FILES];
void pmem_flush(const void* address, size_t size);
void pmem_drain(void);
void* heddle_map_file(size_t size, int flags, int file, long offset);
int heddle_is_mapped_file(const void* address);
}

namespace {

// What mmap.cpp calls if it is there. Only what is referred to is linked, so whoever opens a file refers to it.
void* volatile forMmap[] = {reinterpret_cast<void*>(heddle_map_file), reinterpret_cast<void*>(heddle_is_mapped_file)};

}  // namespace

namespace heddle::library::mapped {

unsigned placeOf(const char* path) {
  static_cast<void>(forMmap[0]);
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (*path == 0) fail(Failure::unsupported, "a file has a name");
  heddle_note_name(path);
  return heddle_name_slot(path);
}

// One that was created before the crash has all of its room after it.
uint32_t sizeOf(unsigned place) {
  const uint32_t size = __atomic_load_n(&heddle_mapped_sizes[place], __ATOMIC_ACQUIRE);
  return size == 0 && heddle_recovers() ? kBytes : size;
}
void setSize(unsigned place, uint64_t size) {
  if (size > kBytes) fail(Failure::unsupported, "a file in persistent memory has at most 4096 bytes here: use a smaller size");
  __atomic_store_n(&heddle_mapped_sizes[place], static_cast<uint32_t>(size), __ATOMIC_RELEASE);
}

void* addressOf(unsigned place) { return heddle_mapped[place].bytes; }

}  // namespace heddle::library::mapped

using namespace heddle::library::mapped;

extern "C" {

// For mmap.cpp, which is also there without files.
void* heddle_map_file(size_t size, int flags, int file, long offset) {
  const int place = heddle_mapped_of(file);
  if (place < 0) {
    errno = EBADF;
    return MAP_FAILED;
  }
  if ((flags & MAP_TYPE) == MAP_PRIVATE)
    fail(Failure::unsupported, "a private mapping of a file is not modelled: use MAP_SHARED");
  if (offset % 4096 != 0 || size == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if (static_cast<uint64_t>(offset) + size > kBytes) {
    fail(Failure::unsupported, "a file in persistent memory has at most 4096 bytes here: map less of it");
  }
  return addressOf(static_cast<unsigned>(place));
}
int heddle_is_mapped_file(const void* address) {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(heddle_mapped) < sizeof heddle_mapped;
}

int msync(void* address, size_t size, int flags) {
  if (reinterpret_cast<uintptr_t>(address) % 4096 != 0 || ((flags & MS_SYNC) && (flags & MS_ASYNC))) {
    errno = EINVAL;
    return -1;
  }
  pmem_flush(address, size);
  if (flags & MS_SYNC) pmem_drain();
  return 0;
}

enum MapFlags : int { kCreate = 1, kExclusive = 2 };  // PMEM_FILE_CREATE, PMEM_FILE_EXCL

void* pmem_map_file(const char* path, size_t size, int flags, mode_t, size_t* mappedSize, int* isPersistent) {
  const unsigned place = placeOf(path);
  const uint32_t known = sizeOf(place);
  if (known == 0 && !(flags & kCreate)) {
    errno = ENOENT;
    return nullptr;
  }
  if (known != 0 && (flags & kCreate) && (flags & kExclusive)) {
    errno = EEXIST;
    return nullptr;
  }
  if ((flags & kCreate) ? size == 0 : size != 0) {
    errno = EINVAL;
    return nullptr;
  }
  if (flags & kCreate) setSize(place, size);
  if (mappedSize) *mappedSize = sizeOf(place);
  if (isPersistent) *isPersistent = 1;
  return addressOf(place);
}
int pmem_unmap(void* address, size_t) {
  if (heddle_is_mapped_file(address)) return 0;
  errno = EINVAL;
  return -1;
}

}  // extern "C"
