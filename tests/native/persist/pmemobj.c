//! tso: verified executions=6 blocked=0 flags="--persistency px86"
//! tso: error=recovery line=@torn flags="--persistency px86 -- -DNO_PERSIST"
//! tso: verified executions=6 flags="--persistency px86 -- -DCOPY"
//! tso: error=recovery line=@torn flags="--persistency px86 -- -DFLUSH_WITHOUT_DRAIN"
//! tso: verified executions=6 flags="--persistency px86 -- -DZALLOC"
// libpmemobj: a pool, its root, and an object that becomes part of it in one step. The declarations are those of its header.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct pmemobjpool PMEMobjpool;
typedef struct {
  uint64_t pool_uuid_lo, off;
} PMEMoid;
typedef int (*pmemobj_constr)(PMEMobjpool *pool, void *object, void *argument);
PMEMobjpool *pmemobj_create(const char *path, const char *layout, size_t size, mode_t mode);
PMEMobjpool *pmemobj_open(const char *path, const char *layout);
void pmemobj_close(PMEMobjpool *pool);
PMEMoid pmemobj_root(PMEMobjpool *pool, size_t size);
PMEMobjpool *pmemobj_pool_by_oid(PMEMoid identifier);
PMEMoid pmemobj_oid(const void *address);
int pmemobj_alloc(PMEMobjpool *pool, PMEMoid *identifier, size_t size, uint64_t type, pmemobj_constr construct, void *argument);
int pmemobj_zalloc(PMEMobjpool *pool, PMEMoid *identifier, size_t size, uint64_t type);
void pmemobj_free(PMEMoid *identifier);
void pmemobj_persist(PMEMobjpool *pool, const void *address, size_t size);
void pmemobj_flush(PMEMobjpool *pool, const void *address, size_t size);
void pmemobj_drain(PMEMobjpool *pool);
void *pmemobj_memcpy_persist(PMEMobjpool *pool, void *to, const void *from, size_t size);

// As its header has it.
extern int _pobj_cache_invalidate;
extern __thread struct _pobj_pcache {
  PMEMobjpool *pop;
  uint64_t uuid_lo;
  int invalidate;
} _pobj_cached_pool;
static void *direct(PMEMoid identifier) {
  if (identifier.off == 0 || identifier.pool_uuid_lo == 0) return NULL;
  struct _pobj_pcache *cache = &_pobj_cached_pool;
  if (_pobj_cache_invalidate != cache->invalidate || cache->uuid_lo != identifier.pool_uuid_lo) {
    cache->invalidate = _pobj_cache_invalidate;
    cache->pop = pmemobj_pool_by_oid(identifier);
    cache->uuid_lo = cache->pop ? identifier.pool_uuid_lo : 0;
    if (!cache->pop) return NULL;
  }
  return (char *)cache->pop + identifier.off;
}

typedef struct {
  int key, value;
  char more[60];  // so that it is on two cache lines
  int last;
} Record;
typedef struct {
  PMEMoid record;
} Root;

static int construct(PMEMobjpool *pool, void *object, void *argument) {
  Record *record = object;
#ifdef COPY
  Record made = {.key = 1, .value = *(int *)argument, .last = 3};
  pmemobj_memcpy_persist(pool, record, &made, sizeof made);
#else
  record->key = 1;
  record->value = *(int *)argument;
  record->last = 3;
#ifdef FLUSH_WITHOUT_DRAIN
  pmemobj_flush(pool, record, offsetof(Record, more));
#elif !defined NO_PERSIST
  pmemobj_flush(pool, record, sizeof *record);
  pmemobj_drain(pool);
#endif
#endif
  return 0;
}

static int refuse(PMEMobjpool *pool, void *object, void *argument) {
  (void)pool, (void)object, (void)argument;
  return 1;
}

int main(void) {
  assert(!pmemobj_open("pool", "layout") && errno == ENOENT);
  PMEMobjpool *pool = pmemobj_create("pool", "layout", 8 << 20, 0600);
  assert(pool && !pmemobj_create("pool", "layout", 8 << 20, 0600) && errno == EEXIST && pmemobj_open("pool", "layout") == pool);
  Root *root = direct(pmemobj_root(pool, sizeof(Root)));
  assert(root && root->record.off == 0 && !direct(root->record));
  int value = 2;
#ifdef ZALLOC
  assert(pmemobj_zalloc(pool, &root->record, sizeof(Record), 0) == 0);
#else
  assert(pmemobj_alloc(pool, &root->record, sizeof(Record), 0, refuse, 0) == -1 && errno == ECANCELED);
  assert(pmemobj_alloc(pool, &root->record, sizeof(Record), 0, construct, &value) == 0);
#endif
  assert(pmemobj_oid(direct(root->record)).off == root->record.off);
  pmemobj_free(&root->record);
  pmemobj_close(pool);
  return 0;
}

void heddle_recovery(void) {
  PMEMobjpool *pool = pmemobj_open("pool", "layout");
  if (!pool) return;
  Root *root = direct(pmemobj_root(pool, sizeof(Root)));
  Record *record = direct(root->record);
  if (!record) return;
#ifdef ZALLOC
  heddle_assert(record->key == 0 && record->last == 0);
#else
  heddle_assert(record->key == 1 && record->value == 2 && record->last == 3);  // @torn
#endif
}
