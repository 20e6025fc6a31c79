// Anonymous memory from mmap: a block of the heap, full of zeros, that begins with a page. It is given back as a whole. How
// it is protected makes no difference. Fixed addresses and parts of blocks are not modelled. Files are those of
// mapped_files.cpp, which is part of programs that open some.

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "failure.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {
[[gnu::weak]] void* heddle_map_file(size_t size, int flags, int file, long offset);
[[gnu::weak]] int heddle_is_mapped_file(const void* address);
}

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kLimit = size_t{64} << 20;  // what it takes to fill so much with zeros

size_t wholePages(size_t size) { return (size + kPage - 1) / kPage * kPage; }
bool isPage(const void* address) { return reinterpret_cast<uintptr_t>(address) % kPage == 0; }

}  // namespace

extern "C" {

void* mmap(void*, size_t size, int, int flags, int file, off_t offset) {
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) fail(Failure::unsupported, "mmap at a fixed address is not modelled");
  if (!(flags & MAP_ANONYMOUS)) {
    if (!heddle_map_file) fail(Failure::unsupported, "mmap of a file that was not opened by open is not modelled");
    return heddle_map_file(size, flags, file, offset);
  }
  if (size == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if (size > kLimit) fail(Failure::unsupported, "mmap of more than 64 MB is not modelled");
  void* const result = heddle_allocate(wholePages(size), kPage, heddle_heap_mapping);
  if (!result) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  memset(result, 0, wholePages(size));
  return result;
}
void* mmap64(void* address, size_t size, int protection, int flags, int file, __off64_t offset) {
  return mmap(address, size, protection, flags, file, offset);
}

int munmap(void* address, size_t size) {
  if (!isPage(address) || size == 0) {
    errno = EINVAL;
    return -1;
  }
  if (heddle_is_mapped_file && heddle_is_mapped_file(address)) return 0;
  const size_t mapped = heddle_allocation_size(address);  // 0 if that is no block, or one that has been given back
  if (mapped != 0 && mapped != wholePages(size)) fail(Failure::unsupported, "munmap of a part of a mapping is not modelled");
  heddle_free(address, heddle_heap_mapping);
  return 0;
}

int mprotect(void*, size_t, int) { return 0; }
int madvise(void* address, size_t size, int advice) {
  if (advice == MADV_DONTNEED) memset(address, 0, wholePages(size));
  return 0;
}
int mlock(const void*, size_t) { return 0; }
int mlockall(int) { return 0; }
int munlockall(void) { return 0; }
int posix_madvise(void*, size_t, int) { return 0; }
int munlock(const void*, size_t) { return 0; }

}  // extern "C"
