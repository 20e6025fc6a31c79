//! tso: verified executions=3 blocked=0 flags="--persistency px86"
//! tso: error=recovery line=@torn flags="--persistency px86 -- -DNO_SYNC"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DPMEM"
//! sc: verified executions=3 blocked=0 flags="--persistency strict -- -DNO_SYNC"
//! rc20: error=unsupported text="with --persistency px86" line=@map flags="--persistency ext4 -- -DON_DISK"
//! tso: error=unsupported text="other calls need --persistency ext4" line=@write flags="--persistency px86 -- -DWRITE"
//! tso: error=unsupported text="at most 4096 bytes" line=@truncate flags="--persistency px86 -- -DLARGE"
// A file that is mapped into memory, where memory persists.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  int data;
  int valid __attribute__((aligned(64)));
} Log;

#ifdef PMEM
#define PMEM_FILE_CREATE 1
void *pmem_map_file(const char *path, size_t size, int flags, mode_t mode, size_t *mapped, int *is_pmem);
int pmem_unmap(void *address, size_t size);
void pmem_persist(const void *address, size_t size);

static Log *map(void) {
  size_t mapped;
  int is_pmem;
  Log *log = pmem_map_file("log", 4096, PMEM_FILE_CREATE, 0600, &mapped, &is_pmem);
  assert(log && mapped == 4096 && is_pmem);
  return log;
}
static void persist(Log *log) { pmem_persist(&log->data, sizeof log->data); }
#else
static Log *map(void) {
  int file = open("log", O_RDWR | O_CREAT, 0600);
#ifdef LARGE
  ftruncate(file, 1 << 20);  // @truncate
#endif
#ifndef ON_DISK
  assert(ftruncate(file, 4096) == 0);
  struct stat status;
  assert(fstat(file, &status) == 0 && status.st_size == 4096);
#endif
#ifdef WRITE
  write(file, "x", 1);  // @write
#endif
  Log *log = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);  // @map
  assert(log != MAP_FAILED && close(file) == 0);
  return log;
}
static inline void persist(Log *log) { msync(log, 4096, MS_SYNC); }
#endif

int main(void) {
#ifndef PMEM
  assert(open("none", O_RDONLY) == -1 && errno == ENOENT);
#ifndef ON_DISK
  assert(mmap(0, 4096, PROT_READ, MAP_SHARED, 77, 0) == MAP_FAILED && errno == EBADF);
#endif
#endif
  Log *log = map();
  log->data = 7;
#ifndef NO_SYNC
  persist(log);
#endif
  log->valid = 1;
#ifndef PMEM
  munmap(log, 4096);
#endif
  return 0;
}

void heddle_recovery(void) {
  Log *log = map();
  int valid = log->valid, data = log->data;
  heddle_assert(!valid || data == 7);  // @torn
}
