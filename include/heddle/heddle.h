/* What a program can say to heddle.
 *
 *   heddle_assume(c)    executions in which c does not hold are of no interest, and end here
 *   heddle_assert(c)    c holds, or else it is an error; unlike assert, also with NDEBUG
 *   heddle_choose(n)    an unsigned long below n: each of 0, ..., n - 1 is tried
 *
 * and annotations, which are checked: an execution in which one does not hold is an error (docs/loops.md).
 *
 *   heddle_local(w)     w, and its value: nobody but this thread reads what the atomic writes in w have written
 *   heddle_final(w)     w, and its value: nobody writes there after the atomic writes in w; all others happen before them
 *
 *   heddle_spin_start() a round of the loop around it begins, and
 *   heddle_spin_end(c)  if c does not hold the round has changed nothing, and the next one would be the same. So the thread waits,
 *                       instead of going round again
 *
 * what is one step to all other threads (docs/transactions.md):
 *
 *   heddle_transaction_begin(), heddle_transaction_end()    around it; in C++ also heddle::transaction([&] { ... })
 *
 * and what survives a crash, for --persistency (docs/persistency.md):
 *
 *   HEDDLE_PERSISTENT            in front of a global variable: it is in persistent memory, on cache lines of its own
 *   heddle_pmem_alloc(n)         n bytes of such memory, zeros, or NULL; heddle_pmem_free gives them back
 *   heddle_persisted()           what was done so far has reached the medium
 *   void heddle_recovery(void)   is for the program to define: it runs after the crash. In C++ it is extern "C"
 *
 * `heddle check` finds this header by itself and defines __HEDDLE__. With an ordinary compiler, add the folder that
 * contains heddle/heddle.h to the include path; all of them then do what one run can do: heddle_assume ends the process
 * quietly if c does not hold, heddle_assert prints and aborts, heddle_choose takes a value from rand(), annotations say
 * nothing, transactions take one lock, and no memory survives.
 *
 * C11 to C23, C++11 to C++23.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
#define HEDDLE_EXTERN extern "C"
#define HEDDLE_CAST(type, value) static_cast<type>(value)
#else
#define HEDDLE_EXTERN extern
#define HEDDLE_CAST(type, value) ((type)(value))
#endif

HEDDLE_EXTERN void heddle_recovery(void);

#ifdef __HEDDLE__

#define HEDDLE_PERSISTENT __attribute__((__section__("heddle_persistent"), __aligned__(64)))
HEDDLE_EXTERN void* heddle_pmem_alloc(__SIZE_TYPE__ size) __attribute__((__nothrow__, __malloc__));
HEDDLE_EXTERN void heddle_pmem_free(void* block) __attribute__((__nothrow__));
HEDDLE_EXTERN void heddle_persisted_hook(void) __attribute__((__nothrow__));
#define heddle_persisted() heddle_persisted_hook()

HEDDLE_EXTERN void heddle_assume_hook(int condition) __attribute__((__nothrow__));
HEDDLE_EXTERN unsigned long heddle_choose_hook(unsigned long n) __attribute__((__nothrow__));
/* The same as a failed assert of <assert.h>, which need not be included. */
HEDDLE_EXTERN void heddle_assertion_failed(const char* condition, const char* file, unsigned line,
                                           const char* function) __asm__("__assert_fail")
    __attribute__((__nothrow__, __noreturn__));

/* Macros, so that a report names the line that uses them. */
#define heddle_assume(...) heddle_assume_hook((__VA_ARGS__) ? 1 : 0)
#define heddle_choose(n) heddle_choose_hook(HEDDLE_CAST(unsigned long, n))
#define heddle_assert(...) \
  ((__VA_ARGS__) ? HEDDLE_CAST(void, 0) : heddle_assertion_failed(#__VA_ARGS__, __FILE__, __LINE__, __func__))

HEDDLE_EXTERN void heddle_begin_transaction(void) __attribute__((__nothrow__));
HEDDLE_EXTERN void heddle_end_transaction(void) __attribute__((__nothrow__));
#define heddle_transaction_begin() heddle_begin_transaction()
#define heddle_transaction_end() heddle_end_transaction()

HEDDLE_EXTERN void heddle_spin_start_hook(void) __attribute__((__nothrow__));
HEDDLE_EXTERN void heddle_spin_end_hook(int goes_on) __attribute__((__nothrow__));
#define heddle_spin_start() heddle_spin_start_hook()
#define heddle_spin_end(...) heddle_spin_end_hook((__VA_ARGS__) ? 1 : 0)

/* The numbers are those of heddle_kinds.h. */
HEDDLE_EXTERN void heddle_begin_marking(unsigned marks) __attribute__((__nothrow__));
HEDDLE_EXTERN void heddle_end_marking(unsigned marks) __attribute__((__nothrow__));
static inline __attribute__((__always_inline__, __unused__)) void heddle_end_of_marking(const unsigned* marks) {
  heddle_end_marking(*marks);
}
/* An annotation ends when its value is known, or when an exception leaves it. */
#define HEDDLE_MARKED(marks, ...)                                                                        \
  __extension__({                                                                                        \
    const unsigned heddle_marks __attribute__((__cleanup__(heddle_end_of_marking), __unused__)) = marks; \
    heddle_begin_marking(marks);                                                                         \
    __VA_ARGS__;                                                                                         \
  })
#define heddle_local(...) HEDDLE_MARKED(1u, __VA_ARGS__)
#define heddle_final(...) HEDDLE_MARKED(2u, __VA_ARGS__)

#else

#include <stdio.h>
#include <stdlib.h>

static inline void heddle_assertion_failed(const char* condition, const char* file, unsigned line, const char* function) {
  fprintf(stderr, "%s:%u: %s: heddle_assert(%s) failed\n", file, line, function, condition);
  abort();
}

static inline unsigned long heddle_any_below(unsigned long n) { return n == 0 ? 0 : HEDDLE_CAST(unsigned long, rand()) % n; }

/* One lock for the whole program, which its holder may take again. */
__attribute__((__weak__)) int heddle_transaction_lock;
__attribute__((__weak__)) __thread unsigned heddle_transaction_depth;

static inline void heddle_transaction_begin(void) {
  if (heddle_transaction_depth++ != 0) return;
  while (__atomic_exchange_n(&heddle_transaction_lock, 1, __ATOMIC_ACQUIRE) != 0) continue;
}
static inline void heddle_transaction_end(void) {
  if (--heddle_transaction_depth == 0) __atomic_store_n(&heddle_transaction_lock, 0, __ATOMIC_RELEASE);
}

#define heddle_assume(...) ((__VA_ARGS__) ? HEDDLE_CAST(void, 0) : _Exit(0))
#define heddle_choose(n) heddle_any_below(HEDDLE_CAST(unsigned long, n))
#define heddle_assert(...) \
  ((__VA_ARGS__) ? HEDDLE_CAST(void, 0) : heddle_assertion_failed(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#define heddle_spin_start() HEDDLE_CAST(void, 0)
#define heddle_spin_end(...) HEDDLE_CAST(void, __VA_ARGS__)
#define HEDDLE_PERSISTENT __attribute__((__aligned__(64)))
#define heddle_pmem_alloc(size) calloc(1, size)
#define heddle_pmem_free(block) free(block)
#define heddle_persisted() HEDDLE_CAST(void, 0)
#define heddle_local(...) (__VA_ARGS__)
#define heddle_final(...) (__VA_ARGS__)

#endif

#ifdef __cplusplus
namespace heddle {
/* An exception that leaves it ends it, with all that it has done so far. */
template <typename Body>
inline __attribute__((__always_inline__)) auto transaction(Body body) -> decltype(body()) {
  struct Section {
    __attribute__((__always_inline__)) Section() { heddle_transaction_begin(); }
    __attribute__((__always_inline__)) ~Section() { heddle_transaction_end(); }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
  } section;
  return body();
}
}  // namespace heddle
#endif
#endif
