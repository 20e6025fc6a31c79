/* The annotations of GenMC, for programs that include its header. What they say is in heddle/heddle.h. */
#ifndef HEDDLE_GENMC_H
#define HEDDLE_GENMC_H

#include <heddle/heddle.h>

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

#endif
