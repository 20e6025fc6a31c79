/* A lock that serves threads in the order in which they came. */
#ifndef TICKET_LOCK_H
#define TICKET_LOCK_H

#include <stdatomic.h>

typedef struct {
  atomic_uint next;
  atomic_uint serving;
} ticket_lock;

static inline void ticket_lock_acquire(ticket_lock* lock) {
  const unsigned ticket = atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&lock->serving, memory_order_acquire) != ticket) {
  }
}

static inline void ticket_lock_release(ticket_lock* lock) {
#ifdef TICKET_LOCK_BUG
  const memory_order order = memory_order_relaxed;
#else
  const memory_order order = memory_order_release;
#endif
  const unsigned ticket = atomic_load_explicit(&lock->serving, memory_order_relaxed);
  atomic_store_explicit(&lock->serving, ticket + 1, order);
}

#endif
