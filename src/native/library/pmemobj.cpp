// libpmemobj's basic calls: pools, their roots, objects, and what makes them durable.
//
// A pool is a file in persistent memory (mapped_files.cpp):
//
//     0       created   not 0 once pmemobj_create has come to its end
//     64      root      zeros at first
//     1024    objects   each 16 bytes behind the begin of a cache line, as libpmemobj's own headers make it
//
// An allocation is atomic, as libpmemobj makes it by its log: the object becomes durable first, then the number of the pool, then the offset; and
// an identifier whose offset is 0 is none. What has been freed is not used again. Transactions and lists are not modelled.

#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include "failure.h"
#include "mapped_files.h"

using heddle::library::fail;
using heddle::library::Failure;
using namespace heddle::library::mapped;

extern "C" {
struct PMEMobjpool {
  uint64_t created;
};
struct PMEMoid {
  uint64_t pool_uuid_lo, off;
};
struct _pobj_pcache {
  PMEMobjpool* pop;
  uint64_t uuid_lo;
  int invalidate;
};
int _pobj_cache_invalidate;
__thread _pobj_pcache _pobj_cached_pool;

void pmem_flush(const void* address, size_t size);
void pmem_drain(void);
void pmem_persist(const void* address, size_t size);
}

namespace {

constexpr uint64_t kRoot = 64, kObjects = 1024, kCacheLine = 64, kHeader = 16;
// Whoever runs after a crash does not know what was allocated before: it has a part of the room for itself.
constexpr uint64_t kRooms[] = {kObjects, 2560, 3328, kBytes};
constexpr int kMostPools = HEDDLE_MAPPED_FILES;

uint32_t allocatorLock;
uint64_t used[kMostPools];  // under the lock: bytes of the room

PMEMobjpool* poolAt(unsigned place) { return static_cast<PMEMobjpool*>(addressOf(place)); }
unsigned placeOf(const PMEMobjpool* pool) {
  return static_cast<unsigned>((reinterpret_cast<uintptr_t>(pool) - reinterpret_cast<uintptr_t>(addressOf(0))) / kBytes);
}
uint64_t numberOf(const PMEMobjpool* pool) { return placeOf(pool) + 1; }

uint64_t reserve(const PMEMobjpool* pool, size_t size) {
  const int crashes = heddle_recovers();
  heddle_lock(&allocatorLock);
  uint64_t& bytes = used[placeOf(pool)];
  const uint64_t begin = kRooms[crashes] + bytes;
  const bool fits = size <= kBytes && begin + kHeader + size <= kRooms[crashes + 1];
  if (fits) bytes += (kHeader + size + kCacheLine - 1) / kCacheLine * kCacheLine;
  heddle_unlock(&allocatorLock);
  if (!fits) fail(Failure::unsupported, "the pool is full: the objects of a pool have about 1500 bytes here");
  return begin + kHeader;
}

void publish(PMEMoid* identifier, PMEMoid value) {
  if (!identifier) return;
  identifier->pool_uuid_lo = value.pool_uuid_lo;
  pmem_persist(&identifier->pool_uuid_lo, sizeof(uint64_t));
  identifier->off = value.off;
  pmem_persist(&identifier->off, sizeof(uint64_t));
}

}  // namespace

extern "C" {

PMEMobjpool* pmemobj_create(const char* path, const char*, size_t, mode_t) {
  const unsigned place = heddle::library::mapped::placeOf(path);
  PMEMobjpool* const pool = poolAt(place);
  if (pool->created) {
    errno = EEXIST;
    return nullptr;
  }
  setSize(place, kBytes);
  pool->created = 1;
  pmem_persist(&pool->created, sizeof pool->created);
  return pool;
}
PMEMobjpool* pmemobj_open(const char* path, const char*) {
  PMEMobjpool* const pool = poolAt(heddle::library::mapped::placeOf(path));
  if (pool->created) return pool;
  errno = ENOENT;
  return nullptr;
}
void pmemobj_close(PMEMobjpool*) {}
int pmemobj_check(const char* path, const char*) { return poolAt(heddle::library::mapped::placeOf(path))->created ? 1 : -1; }
const char* pmemobj_errormsg(void) { return strerror(errno); }

// ---- Identifiers.

PMEMobjpool* pmemobj_pool_by_oid(PMEMoid identifier) {
  const uint64_t number = identifier.pool_uuid_lo;
  return number == 0 || number > kMostPools ? nullptr : poolAt(static_cast<unsigned>(number - 1));
}
PMEMobjpool* pmemobj_pool_by_ptr(const void* address) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(addressOf(0));
  return offset < uintptr_t{kBytes} * kMostPools ? poolAt(static_cast<unsigned>(offset / kBytes)) : nullptr;
}
PMEMoid pmemobj_oid(const void* address) {
  PMEMobjpool* const pool = pmemobj_pool_by_ptr(address);
  if (!pool) return {0, 0};
  return {numberOf(pool), reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(pool)};
}
void* pmemobj_direct(PMEMoid identifier) {
  PMEMobjpool* const pool = identifier.off == 0 ? nullptr : pmemobj_pool_by_oid(identifier);
  return pool ? reinterpret_cast<char*>(pool) + identifier.off : nullptr;
}

PMEMoid pmemobj_root(PMEMobjpool* pool, size_t size) {
  if (size == 0) {
    errno = EINVAL;
    return {0, 0};
  }
  if (kRoot + size > kObjects) fail(Failure::unsupported, "the root object of a pool has at most 960 bytes here");
  return {numberOf(pool), kRoot};
}

// ---- Objects.

typedef int (*pmemobj_constr)(PMEMobjpool* pool, void* object, void* argument);

int pmemobj_alloc(PMEMobjpool* pool, PMEMoid* identifier, size_t size, uint64_t, pmemobj_constr construct, void* argument) {
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  const uint64_t offset = reserve(pool, size);
  if (construct && construct(pool, reinterpret_cast<char*>(pool) + offset, argument) != 0) {
    errno = ECANCELED;
    return -1;
  }
  publish(identifier, {numberOf(pool), offset});
  return 0;
}
// The room is full of zeros, and never used twice.
int pmemobj_zalloc(PMEMobjpool* pool, PMEMoid* identifier, size_t size, uint64_t type) {
  return pmemobj_alloc(pool, identifier, size, type, nullptr, nullptr);
}
void pmemobj_free(PMEMoid* identifier) {
  if (identifier->off == 0) return;
  identifier->off = 0;
  pmem_persist(&identifier->off, sizeof(uint64_t));
  identifier->pool_uuid_lo = 0;
  pmem_persist(&identifier->pool_uuid_lo, sizeof(uint64_t));
}

// ---- What makes them durable.

void pmemobj_persist(PMEMobjpool*, const void* address, size_t size) { pmem_persist(address, size); }
void pmemobj_flush(PMEMobjpool*, const void* address, size_t size) { pmem_flush(address, size); }
void pmemobj_drain(PMEMobjpool*) { pmem_drain(); }
void* pmemobj_memcpy_persist(PMEMobjpool*, void* to, const void* from, size_t size) {
  memcpy(to, from, size);
  pmem_persist(to, size);
  return to;
}
void* pmemobj_memset_persist(PMEMobjpool*, void* to, int byte, size_t size) {
  memset(to, byte, size);
  pmem_persist(to, size);
  return to;
}

}  // extern "C"
