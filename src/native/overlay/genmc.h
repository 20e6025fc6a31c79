/* The annotations of GenMC, for programs that include its header. What they say is in heddle/heddle.h. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#include <heddle/heddle.h>
#include <pthread.h>

HEDDLE_EXTERN void __VERIFIER_assume(int condition) __attribute__((__nothrow__));
HEDDLE_EXTERN int __VERIFIER_nondet_int(void) __attribute__((__nothrow__));

HEDDLE_EXTERN void __VERIFIER_loop_begin(void) __attribute__((__nothrow__));
HEDDLE_EXTERN void __VERIFIER_spin_start(void) __attribute__((__nothrow__));
HEDDLE_EXTERN void __VERIFIER_spin_end(int goes_on) __attribute__((__nothrow__));

/* Statements, which have no value. */
#define __VERIFIER_local_write(...)      \
  do {                                   \
    (void)heddle_local(__VA_ARGS__;);    \
  } while (0)
#define __VERIFIER_final_write(...)      \
  do {                                   \
    (void)heddle_final(__VA_ARGS__;);    \
  } while (0)
#define __VERIFIER_final_CAS(...) heddle_final(__VA_ARGS__)

/* What an access is for. It is explored as any other. */
#define __VERIFIER_helped_CAS(...) \
  do {                             \
    __VA_ARGS__;                   \
  } while (0)
#define __VERIFIER_helping_CAS(...) \
  do {                              \
    __VA_ARGS__;                    \
  } while (0)
#define __VERIFIER_speculative_read(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_confirming_read(...) __extension__({ __VA_ARGS__; })
#define __VERIFIER_confirming_CAS(...) __extension__({ __VA_ARGS__; })

/* Code that does not matter. It is explored as any other. */
#define __VERIFIER_optional(...) \
  do {                           \
    __VA_ARGS__;                 \
  } while (0)

/* Threads. That two are alike is not asked. */
typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*run)(void *), void *argument) {
  __VERIFIER_thread_t thread;
  pthread_create(&thread, 0, run, argument);
  return thread;
}

static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*run)(void *), void *argument, __VERIFIER_thread_t like) {
  (void)like;
  return __VERIFIER_spawn(run, argument);
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t thread) {
  void *result = 0;
  pthread_join(thread, &result);
  return result;
}

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) { __VERIFIER_join(thread); }

#endif
