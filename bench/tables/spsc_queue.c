// SPSC queue of CDSChecker's list (B. Norris and B. Demsky, 2016): a linked list with one producer and one consumer,
// which sleeps on a condition variable while it is empty. One enqueue, one dequeue; the producer looks for a sleeper
// after its store, and the sleeper looks for an element after it has announced itself (the version without the
// deadlock). BUG: the producer looks for a sleeper first.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "../native/threads.h"

struct node {
  _Atomic(struct node *) next;
  int value;
};

static struct node first;
static struct node *head = &first, *tail = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake_up = PTHREAD_COND_INITIALIZER;
static atomic_int sleeping;

static void wake_sleeper(void) {
  if (!atomic_load(&sleeping)) return;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&wake_up);
  pthread_mutex_unlock(&lock);
}

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, NULL);
#ifdef BUG
  wake_sleeper();
#endif
  atomic_store(&head->next, node);
  head = node;
#ifndef BUG
  wake_sleeper();
#endif
}

static int dequeue(void) {
  struct node *next = atomic_load(&tail->next);
  if (next == NULL) {
    pthread_mutex_lock(&lock);
    atomic_store(&sleeping, 1);
    while ((next = atomic_load(&tail->next)) == NULL) pthread_cond_wait(&wake_up, &lock);
    atomic_store(&sleeping, 0);
    pthread_mutex_unlock(&lock);
  }
  tail = next;
  return next->value;
}

static void *producer(void *unused) {
  enqueue(17);
  return unused;
}

static void *consumer(void *unused) {
  int value = dequeue();
  assert(value == 17);
  return unused;
}

int main(void) {
  pthread_t threads[2] = {start(producer, 0), start(consumer, 0)};
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
