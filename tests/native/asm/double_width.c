//! rc20,sc: verified executions=2 blocked=0
// Compare-exchanges of 16 and 8 bytes, in the ways in which libraries write them; two threads increment both halves.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct Pair {
  uint64_t value[2];
} __attribute__((aligned(16)));

static struct Pair shared;

static _Bool exchangeLoaded(struct Pair *target, const struct Pair *compare, const struct Pair *set) {
  _Bool done;
  __asm__ volatile(
      "movq 0(%4), %%rax;"
      "movq 8(%4), %%rdx;"
      "lock cmpxchg16b %0; setz %1"
      : "+m"(*target), "=q"(done)
      : "b"(set->value[0]), "c"(set->value[1]), "q"(compare)
      : "memory", "cc", "%rax", "%rdx");
  return done;
}

static _Bool exchangeValues(struct Pair *target, struct Pair *compare, const struct Pair *set) {
  _Bool done;
  __asm__ volatile("lock; cmpxchg16b %1\n\tsete %0"
                   : "=q"(done), "+m"(*target), "+a"(compare->value[0]), "+d"(compare->value[1])
                   : "b"(set->value[0]), "c"(set->value[1])
                   : "memory", "cc");
  return done;
}

static _Bool exchangeFlag(struct Pair *target, struct Pair *compare, const struct Pair *set) {
  _Bool done;
  __asm__ volatile("lock cmpxchg16b %1"
                   : "=@ccz"(done), "+m"(*target), "+a"(compare->value[0]), "+d"(compare->value[1])
                   : "b"(set->value[0]), "c"(set->value[1])
                   : "memory");
  return done;
}

static struct Pair load(struct Pair *target) {
  struct Pair result;
  __asm__ volatile(
      "movq %%rdx, %%rcx;"
      "movq %%rax, %%rbx;"
      "lock cmpxchg16b %2;"
      : "=a"(result.value[0]), "=d"(result.value[1])
      : "m"(*(const uint64_t *)target)
      : "memory", "cc", "%rbx", "%rcx");
  return result;
}

static void *increment(void *unused) {
  struct Pair old = {{0, 0}};
  struct Pair new;
  do {
    new.value[0] = old.value[0] + 1;
    new.value[1] = old.value[1] + 2;
  } while (!exchangeValues(&shared, &old, &new));
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, increment, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  struct Pair end = load(&shared);
  assert(end.value[0] == 2 && end.value[1] == 4);
  struct Pair next = {{10, 20}}, wrong = {{2, 5}};
  assert(!exchangeLoaded(&shared, &wrong, &next) && exchangeLoaded(&shared, &end, &next));
  assert(!exchangeFlag(&shared, &end, &next) && end.value[0] == 10 && end.value[1] == 20);
  end = load(&shared);
  assert(end.value[0] == 10 && end.value[1] == 20);

  uint64_t word = 0x500000003;
  uint32_t low = 3, high = 5;
  _Bool done;
  __asm__ volatile("lock; cmpxchg8b %0; setz %1"
                   : "+m"(word), "=q"(done), "+a"(low), "+d"(high)
                   : "b"(7), "c"(8)
                   : "memory", "cc");
  assert(done && word == 0x800000007);
  return 0;
}
