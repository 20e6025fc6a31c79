//! tso: verified executions=3 blocked=0 flags="--persistency px86"
//! tso: error=recovery line=@torn flags="--persistency px86 -- -DBUG"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DASSEMBLY"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DSTREAM"
//! tso: verified executions=2 blocked=0 flags="--persistency px86 -- -DKNOWN"
//! rc20: verified executions=1 blocked=0
// A record in memory from heddle_pmem_alloc that a root points to once it has been flushed: by libpmem, by assembly, by streaming stores.
#include <heddle/heddle.h>
#include <immintrin.h>
#include <stddef.h>

void pmem_persist(const void *address, size_t size);

typedef struct {
  int key, value;
} Record;

HEDDLE_PERSISTENT Record *root;

int main(void) {
  Record *record = heddle_pmem_alloc(sizeof *record);
#ifdef STREAM
  _mm_stream_si32(&record->key, 1);
  _mm_stream_si32(&record->value, 2);
  _mm_sfence();
#else
  record->key = 1;
  record->value = 2;
#endif
#if defined ASSEMBLY
  __asm__ volatile(".byte 0x66; clflush %0" : "+m"(*(volatile char *)record));
  __asm__ volatile("sfence" ::: "memory");
#elif !defined BUG && !defined STREAM
  pmem_persist(record, sizeof *record);
#endif
#ifdef KNOWN
  heddle_persisted();
#endif
  root = record;
  pmem_persist(&root, sizeof root);
  return 0;
}

void heddle_recovery(void) {
  Record *record = root;
  if (record) {
    heddle_assert(record->key == 1 && record->value == 2);  // @torn
  }
#if !defined KNOWN
  else {
    heddle_choose(2);
  }
#endif
}
