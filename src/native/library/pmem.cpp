// Persistent memory: heddle's own calls, and the basic ones of libpmem.
//
// Memory from heddle_pmem_alloc survives a crash, as objects marked HEDDLE_PERSISTENT do. libpmem flushes by clwb and waits by
// sfence; its copies are stores and a flush of what they have written. Files that it maps are in mapped_files.cpp.

#include <errno.h>
#include <string.h>

#include "primitives.h"

namespace {

enum Flush : uint32_t { kLine, kLineLater, kWait, kEverything };  // of program/operation.h

constexpr uintptr_t kCacheLine = 64;

void flush(const void* address, size_t size) {
  if (size == 0) return;
  const auto first = reinterpret_cast<uintptr_t>(address) / kCacheLine;
  const auto last = (reinterpret_cast<uintptr_t>(address) + size - 1) / kCacheLine;
  for (uintptr_t line = first; line <= last; ++line) {
    heddle_flush(line == first ? address : reinterpret_cast<const void*>(line * kCacheLine), kLineLater);
  }
}

void drain() { heddle_flush(nullptr, kWait); }

enum Flags : unsigned { kNoDrain = 1, kNoFlush = 32 };  // PMEM_F_MEM_NODRAIN, PMEM_F_MEM_NOFLUSH

void finish(const void* address, size_t size, unsigned flags) {
  if (flags & kNoFlush) return;
  flush(address, size);
  if (!(flags & kNoDrain)) drain();
}

}  // namespace

extern "C" {

void* heddle_pmem_alloc(size_t size) {
  void* const block = heddle_allocate_durable(size);
  if (!block) errno = ENOMEM;
  return block;
}
void heddle_pmem_free(void* block) { heddle_free(block, heddle_heap_persistent); }

void heddle_persisted_hook(void) { heddle_flush(nullptr, kEverything); }
void __VERIFIER_pbarrier(void) { heddle_flush(nullptr, kEverything); }

void pmem_flush(const void* address, size_t size) { flush(address, size); }
void pmem_deep_flush(const void* address, size_t size) { flush(address, size); }
void pmem_drain(void) { drain(); }
int pmem_deep_drain(const void*, size_t) { return drain(), 0; }
void pmem_persist(const void* address, size_t size) { finish(address, size, 0); }
int pmem_deep_persist(const void* address, size_t size) { return finish(address, size, 0), 0; }
int pmem_msync(const void* address, size_t size) { return finish(address, size, 0), 0; }
int pmem_has_hw_drain(void) { return 0; }
int pmem_has_auto_flush(void) { return 0; }
int pmem_is_pmem(const void*, size_t) { return 1; }

void* pmem_memcpy(void* to, const void* from, size_t size, unsigned flags) {
  memcpy(to, from, size);
  finish(to, size, flags);
  return to;
}
void* pmem_memmove(void* to, const void* from, size_t size, unsigned flags) {
  memmove(to, from, size);
  finish(to, size, flags);
  return to;
}
void* pmem_memset(void* to, int byte, size_t size, unsigned flags) {
  memset(to, byte, size);
  finish(to, size, flags);
  return to;
}
void* pmem_memcpy_persist(void* to, const void* from, size_t size) { return pmem_memcpy(to, from, size, 0); }
void* pmem_memmove_persist(void* to, const void* from, size_t size) { return pmem_memmove(to, from, size, 0); }
void* pmem_memset_persist(void* to, int byte, size_t size) { return pmem_memset(to, byte, size, 0); }
void* pmem_memcpy_nodrain(void* to, const void* from, size_t size) { return pmem_memcpy(to, from, size, kNoDrain); }
void* pmem_memmove_nodrain(void* to, const void* from, size_t size) { return pmem_memmove(to, from, size, kNoDrain); }
void* pmem_memset_nodrain(void* to, int byte, size_t size) { return pmem_memset(to, byte, size, kNoDrain); }

}  // extern "C"
