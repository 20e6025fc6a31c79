//! rc20: verified executions=2 blocked=0
//! rc20: error=use-after-free line=@unmapped flags="-- -DUNMAPPED"
//! rc20: error=out-of-bounds line=@beyond flags="-- -DBEYOND"
//! rc20: error=data-race line=@race|@write flags="-- -DRACE"
//! rc20: error=unsupported line=@file text="mmap of a file" flags="-- -DMAPPED_FILE"
//! rc20: error=invalid-free line=@free flags="-- -DFREED"
//! rc20: error=unsupported line=@part text="munmap of a part" flags="-- -DPART"
// Anonymous memory: full of zeros, in whole pages, and gone when it is given back.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct Page {
  atomic_int flag;
  int value[100];
};

static struct Page *page;

static void *writer(void *unused) {
  page->value[7] = 5;  // @write
  atomic_store_explicit(&page->flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  page = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED && (uintptr_t)page % 4096 == 0);
  assert(page->value[99] == 0 && ((char *)page)[8191] == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef RACE
  int early = page->value[7];  // @race
  assert(early == 0 || early == 5);
#endif
  if (atomic_load_explicit(&page->flag, memory_order_acquire)) assert(page->value[7] == 5);
  pthread_join(thread, NULL);
  madvise(page, 4096, MADV_WILLNEED);
  assert(page->value[7] == 5 && mprotect(page, 4096, PROT_READ) == 0);
  madvise(page, 4096, MADV_DONTNEED);
  assert(page->value[7] == 0);
#ifdef BEYOND
  assert(((char *)page)[8192] == 0);  // @beyond
#endif
#ifdef FREED
  free(page);  // @free
#endif
#ifdef PART
  munmap(page, 4096);  // @part
#endif
#ifdef MAPPED_FILE
  mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3, 0);  // @file
#endif
  assert(munmap(page, 5000) == 0);
#ifdef UNMAPPED
  assert(page->value[0] == 0);  // @unmapped
#endif
  void *shared = mmap(NULL, 1, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert(shared != MAP_FAILED && munmap(shared, 1) == 0);
  return 0;
}
