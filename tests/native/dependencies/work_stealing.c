//! rc11,c11-lb,imm: verified executions=3217 blocked=0
//! armv8,mca: verified executions=3157 blocked=0
//! riscv: verified executions=2851 blocked=0
//! power: verified executions=2887 blocked=0
// A deque that three threads steal from. The owner reads an element before it knows whether the element is its own, and if it is
// not, writes `bottom` without having looked at what it has read: load buffering, though no execution shows it. Revisits take out
// compare-exchanges with what they depend on, and going back puts them in again.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_size_t top = 1, bottom = 1;
static atomic_int items[4];

static void push(int item) {
  size_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_load_explicit(&top, memory_order_acquire);
  atomic_store_explicit(&items[b % 4], item, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static void *owner(void *unused) {
  push(1);
  push(2);
  size_t b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  size_t t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return unused;
  }
  atomic_load_explicit(&items[b % 4], memory_order_relaxed);
  if (t == b) {
    atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return unused;
}

static void *thief(void *unused) {
  size_t t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  size_t b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return unused;
  atomic_load_explicit(&items[t % 4], memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, owner, 0);
  for (int i = 1; i < 4; i++) pthread_create(&threads[i], 0, thief, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  return 0;
}
