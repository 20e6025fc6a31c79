//! rc20,rc11,tso,sc: verified executions=3
//! rc20: error=assertion-failure line=@check flags="-- -DUNORDERED"
//! tso,sc: verified executions=3 flags="-- -DUNORDERED"
// Loads and stores by mov, as Concurrency Kit has them: as ordered as the processor makes them, if the compiler is told to keep
// other accesses where they are.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifdef UNORDERED
#define CLOBBER
#else
#define CLOBBER : "memory"
#endif

static uint64_t data;
static uint32_t flag;

static inline void store64(uint64_t *target, uint64_t value) {
  __asm__ volatile("movq %1, %0" : "=m"(*target) : "er"(value) CLOBBER);
}
static inline void store32(uint32_t *target, uint32_t value) {
  __asm__ volatile("movl %1, %0" : "=m"(*target) : "ir"(value) CLOBBER);
}
static inline uint64_t load64(const uint64_t *target) {
  uint64_t value;
  __asm__ volatile("movq %1, %0" : "=q"(value) : "m"(*target) CLOBBER);
  return value;
}
static inline uint32_t load32(const uint32_t *target) {
  uint32_t value;
  __asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(target) CLOBBER);
  return value;
}

static void *writer(void *unused) {
  store64(&data, 0x123456789abcdef);
  store32(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  if (load32(&flag) == 1) assert(load64(&data) == 0x123456789abcdef);  // @check
  else load64(&data);
  pthread_join(thread, NULL);
  return 0;
}
