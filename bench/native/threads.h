// What the programs here have in common: N threads that main starts in a loop, each with its number. Nothing is joined
// unless the program says so, as in the programs of the literature: spawns (and joins) are events, and the numbers of
// executions that are known are of programs of exactly this form.
#ifndef HEDDLE_BENCH_THREADS_H
#define HEDDLE_BENCH_THREADS_H

#include <pthread.h>
#include <stdint.h>

static inline pthread_t start(void* (*function)(void*), intptr_t number) {
  pthread_t thread;
  pthread_create(&thread, 0, function, (void*)number);
  return thread;
}

#endif
