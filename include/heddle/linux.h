/* The primitives of the Linux kernel, for programs that are checked under its memory model:
 *
 *     heddle check --model lkmm rcu_list.c
 *
 * What there is, and what each becomes in the model, is in docs/kernel.md. Threads are kthread_run() and kthread_stop(), or
 * pthreads. With an ordinary compiler, add the folder that contains heddle/linux.h to the include path and -pthread: everything then
 * does what one run can do, with C11 atomics.
 *
 * The names are the kernel's, so <stdatomic.h> cannot be included as well. C11 to C23, with the extensions of GNU.
 */
#ifndef HEDDLE_LINUX_H
#define HEDDLE_LINUX_H

#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __HEDDLE__
#include <heddle_kinds.h>
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#ifndef container_of
#define container_of(ptr, type, member) ((type*)((char*)(ptr) - offsetof(type, member)))
#endif
#define __rcu
#define __percpu
#define __user
#define __init
#define __exit
#define ____cacheline_aligned_in_smp
#define EXPORT_SYMBOL(x)
#define EXPORT_SYMBOL_GPL(x)
#define HEDDLE_INLINE static inline __attribute__((__always_inline__, __unused__))

/* ---- What must not happen. */

#define BUG_ON(...) heddle_assert(!(__VA_ARGS__))
#define WARN_ON(...)                                \
  __extension__({                                   \
    const int heddle_warning = !!(__VA_ARGS__);     \
    heddle_assert(!heddle_warning && #__VA_ARGS__); \
    heddle_warning;                                 \
  })
#define WARN_ON_ONCE(...) WARN_ON(__VA_ARGS__)

/* ---- Fences. */

#ifdef __HEDDLE__
extern void heddle_kernel_fence(unsigned fence, const void* about, unsigned long value) __attribute__((__nothrow__));
#define HEDDLE_FENCE(name) heddle_kernel_fence(heddle_fence_##name, 0, 0)
#else
#define HEDDLE_FENCE(name) __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

#define smp_mb() HEDDLE_FENCE(mb)
#define smp_rmb() HEDDLE_FENCE(rmb)
#define smp_wmb() HEDDLE_FENCE(wmb)
#define mb() smp_mb()
#define rmb() smp_rmb()
#define wmb() smp_wmb()
#define barrier() HEDDLE_FENCE(barrier)
#define smp_mb__before_atomic() HEDDLE_FENCE(beforeAtomic)
#define smp_mb__after_atomic() HEDDLE_FENCE(afterAtomic)
#define smp_mb__after_spinlock() HEDDLE_FENCE(afterSpinlock)
#define smp_mb__after_unlock_lock() HEDDLE_FENCE(afterUnlockLock)
#define smp_mb__after_srcu_read_unlock() HEDDLE_FENCE(afterSrcuReadUnlock)
/* A compiler keeps what depends on a branch after it; this says no more to the model. */
#define smp_acquire__after_ctrl_dep() smp_rmb()
#define cpu_relax() ((void)0)

/* ---- Accesses. */

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), (__typeof__(x))(value), __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n((p), (__typeof__(*(p)))(value), __ATOMIC_RELEASE)
#define smp_store_mb(x, value) \
  do {                         \
    WRITE_ONCE(x, value);      \
    smp_mb();                  \
  } while (0)
#define smp_cond_load_relaxed(p, condition)                                       \
  __extension__({                                                                 \
    __typeof__(*(p)) VAL;                                                         \
    for (VAL = READ_ONCE(*(p)); !(condition); VAL = READ_ONCE(*(p))) cpu_relax(); \
    VAL;                                                                          \
  })
#define smp_cond_load_acquire(p, condition)                                               \
  __extension__({                                                                         \
    __typeof__(*(p)) VAL;                                                                 \
    for (VAL = smp_load_acquire(p); !(condition); VAL = smp_load_acquire(p)) cpu_relax(); \
    VAL;                                                                                  \
  })

/* ---- Exchanges. Fully ordered: a full fence before and after, unless a compare-exchange fails. */

#define xchg(p, value) __atomic_exchange_n((p), (__typeof__(*(p)))(value), __ATOMIC_SEQ_CST)
#define xchg_relaxed(p, value) __atomic_exchange_n((p), (__typeof__(*(p)))(value), __ATOMIC_RELAXED)
#define xchg_acquire(p, value) __atomic_exchange_n((p), (__typeof__(*(p)))(value), __ATOMIC_ACQUIRE)
#define xchg_release(p, value) __atomic_exchange_n((p), (__typeof__(*(p)))(value), __ATOMIC_RELEASE)

/* What is returned has been read, also if it is what was expected: so it depends on whether that was found. */
#define HEDDLE_FOUND(type, value, found) ((type)((unsigned long)(value) | ((unsigned long)(found) & 0)))
#define HEDDLE_CMPXCHG(p, old, new, order)                                                                  \
  __extension__({                                                                                           \
    __typeof__(*(p)) heddle_old = (__typeof__(*(p)))(old);                                                  \
    const bool heddle_found =                                                                               \
        __atomic_compare_exchange_n((p), &heddle_old, (__typeof__(*(p)))(new), 0, order, __ATOMIC_RELAXED); \
    HEDDLE_FOUND(__typeof__(*(p)), heddle_old, heddle_found);                                               \
  })
#define cmpxchg(p, old, new) HEDDLE_CMPXCHG(p, old, new, __ATOMIC_SEQ_CST)
#define cmpxchg_relaxed(p, old, new) HEDDLE_CMPXCHG(p, old, new, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, old, new) HEDDLE_CMPXCHG(p, old, new, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, old, new) HEDDLE_CMPXCHG(p, old, new, __ATOMIC_RELEASE)
#define cmpxchg64(p, old, new) cmpxchg(p, old, new)
#define cmpxchg64_relaxed(p, old, new) cmpxchg_relaxed(p, old, new)

#define HEDDLE_TRY_CMPXCHG(p, old, new, order) \
  ((bool)__atomic_compare_exchange_n((p), (old), (__typeof__(*(p)))(new), 0, order, __ATOMIC_RELAXED))
#define try_cmpxchg(p, old, new) HEDDLE_TRY_CMPXCHG(p, old, new, __ATOMIC_SEQ_CST)
#define try_cmpxchg_relaxed(p, old, new) HEDDLE_TRY_CMPXCHG(p, old, new, __ATOMIC_RELAXED)
#define try_cmpxchg_acquire(p, old, new) HEDDLE_TRY_CMPXCHG(p, old, new, __ATOMIC_ACQUIRE)
#define try_cmpxchg_release(p, old, new) HEDDLE_TRY_CMPXCHG(p, old, new, __ATOMIC_RELEASE)
#define try_cmpxchg64(p, old, new) try_cmpxchg(p, old, new)
#define try_cmpxchg64_relaxed(p, old, new) try_cmpxchg_relaxed(p, old, new)

/* ---- atomic_t, atomic64_t, atomic_long_t. */

typedef struct {
  int counter;
} atomic_t;
typedef struct {
  long long counter;
} atomic64_t;
typedef struct {
  long counter;
} atomic_long_t;
#define ATOMIC_INIT(i) {(i)}
#define ATOMIC64_INIT(i) {(i)}
#define ATOMIC_LONG_INIT(i) {(i)}

/* An update that returns nothing: its read has no place in the order of reads. `op`: as __atomic_fetch_##op. */
#ifdef __HEDDLE__
extern void heddle_atomic_noreturn(void* address, unsigned long operand, unsigned op, unsigned size)
    __attribute__((__nothrow__));
enum { heddle_op_add = 1, heddle_op_sub, heddle_op_and, heddle_op_or, heddle_op_xor }; /* RmwOp of src/program/operation.h */
#define HEDDLE_NORETURN_UPDATE(op, p, i) heddle_atomic_noreturn((p), (unsigned long)(i), heddle_op_##op, sizeof(*(p)))
/* Adds only if what is there compares: one operation, with this order if it adds. Gives what was there. */
extern unsigned long heddle_atomic_update_if(void* address, unsigned long operand, unsigned op, unsigned comparison,
                                             unsigned long expected, unsigned size, unsigned ordered)
    __attribute__((__nothrow__));
/* Comparison of src/program/operation.h */
enum { heddle_if_not_equal = 1, heddle_if_less_equal = 3, heddle_if_greater = 4, heddle_if_greater_equal = 5 };
#define HEDDLE_ADD_IF(I, p, i, comparison, other, order)                                                              \
  ((I)heddle_atomic_update_if((p), (unsigned long)(i), heddle_op_add, heddle_if_##comparison, (unsigned long)(other), \
                              sizeof(*(p)), __ATOMIC_##order == __ATOMIC_SEQ_CST))
#else
#define HEDDLE_NORETURN_UPDATE(op, p, i) ((void)__atomic_fetch_##op((p), (i), __ATOMIC_RELAXED))
#define HEDDLE_HOLDS_not_equal(a, b) ((a) != (b))
#define HEDDLE_HOLDS_less_equal(a, b) ((a) <= (b))
#define HEDDLE_HOLDS_greater(a, b) ((a) > (b))
#define HEDDLE_HOLDS_greater_equal(a, b) ((a) >= (b))
#define HEDDLE_ADD_IF(I, p, i, comparison, other, order)                                                               \
  __extension__({                                                                                                      \
    I heddle_old = __atomic_load_n((p), __ATOMIC_RELAXED);                                                             \
    while (HEDDLE_HOLDS_##comparison(heddle_old, (other)) &&                                                           \
           !__atomic_compare_exchange_n((p), &heddle_old, heddle_old + (i), 0, __ATOMIC_##order, __ATOMIC_RELAXED)) {} \
    heddle_old;                                                                                                        \
  })
#endif

/* One order of what returns something. `A`: atomic, atomic64, atomic_long; `o`: the suffix. */
#define HEDDLE_ATOMIC_FETCH(A, T, I, name, op, value, o, order) \
  HEDDLE_INLINE I A##_fetch_##name##o(I i, A##T* v) { return __atomic_fetch_##op(&v->counter, value, order); }
#define HEDDLE_ATOMIC_RETURN(A, T, I, name, op, o, order) \
  HEDDLE_INLINE I A##_##name##_return##o(I i, A##T* v) { return __atomic_##op##_fetch(&v->counter, i, order); }
#define HEDDLE_ATOMIC_ORDER(A, T, I, o, order)                                                     \
  HEDDLE_ATOMIC_FETCH(A, T, I, add, add, i, o, order)                                              \
  HEDDLE_ATOMIC_FETCH(A, T, I, sub, sub, i, o, order)                                              \
  HEDDLE_ATOMIC_FETCH(A, T, I, and, and, i, o, order)                                              \
  HEDDLE_ATOMIC_FETCH(A, T, I, or, or, i, o, order)                                                \
  HEDDLE_ATOMIC_FETCH(A, T, I, xor, xor, i, o, order)                                              \
  HEDDLE_ATOMIC_FETCH(A, T, I, andnot, and, ~i, o, order)                                          \
  HEDDLE_ATOMIC_RETURN(A, T, I, add, add, o, order)                                                \
  HEDDLE_ATOMIC_RETURN(A, T, I, sub, sub, o, order)                                                \
  HEDDLE_INLINE I A##_fetch_inc##o(A##T* v) { return A##_fetch_add##o(1, v); }                     \
  HEDDLE_INLINE I A##_fetch_dec##o(A##T* v) { return A##_fetch_sub##o(1, v); }                     \
  HEDDLE_INLINE I A##_inc_return##o(A##T* v) { return A##_add_return##o(1, v); }                   \
  HEDDLE_INLINE I A##_dec_return##o(A##T* v) { return A##_sub_return##o(1, v); }                   \
  HEDDLE_INLINE I A##_xchg##o(A##T* v, I i) { return __atomic_exchange_n(&v->counter, i, order); } \
  HEDDLE_INLINE bool A##_try_cmpxchg##o(A##T* v, I* old, I new_) {                                 \
    return __atomic_compare_exchange_n(&v->counter, old, new_, 0, order, __ATOMIC_RELAXED);        \
  }                                                                                                \
  HEDDLE_INLINE I A##_cmpxchg##o(A##T* v, I old, I new_) {                                         \
    const bool found = A##_try_cmpxchg##o(v, &old, new_);                                          \
    return HEDDLE_FOUND(I, old, found);                                                            \
  }
#define HEDDLE_ATOMIC(A, T, I)                                                                                       \
  HEDDLE_INLINE I A##_read(const A##T* v) { return READ_ONCE(v->counter); }                                          \
  HEDDLE_INLINE I A##_read_acquire(const A##T* v) { return smp_load_acquire(&v->counter); }                          \
  HEDDLE_INLINE void A##_set(A##T* v, I i) { WRITE_ONCE(v->counter, i); }                                            \
  HEDDLE_INLINE void A##_set_release(A##T* v, I i) { smp_store_release(&v->counter, i); }                            \
  HEDDLE_INLINE void A##_add(I i, A##T* v) { HEDDLE_NORETURN_UPDATE(add, &v->counter, i); }                          \
  HEDDLE_INLINE void A##_sub(I i, A##T* v) { HEDDLE_NORETURN_UPDATE(sub, &v->counter, i); }                          \
  HEDDLE_INLINE void A##_and(I i, A##T* v) { HEDDLE_NORETURN_UPDATE(and, &v->counter, i); }                          \
  HEDDLE_INLINE void A##_or(I i, A##T* v) { HEDDLE_NORETURN_UPDATE(or, &v->counter, i); }                            \
  HEDDLE_INLINE void A##_xor(I i, A##T* v) { HEDDLE_NORETURN_UPDATE(xor, &v->counter, i); }                          \
  HEDDLE_INLINE void A##_andnot(I i, A##T* v) { HEDDLE_NORETURN_UPDATE(and, &v->counter, ~i); }                      \
  HEDDLE_INLINE void A##_inc(A##T* v) { A##_add(1, v); }                                                             \
  HEDDLE_INLINE void A##_dec(A##T* v) { A##_sub(1, v); }                                                             \
  HEDDLE_ATOMIC_ORDER(A, T, I, , __ATOMIC_SEQ_CST)                                                                   \
  HEDDLE_ATOMIC_ORDER(A, T, I, _relaxed, __ATOMIC_RELAXED)                                                           \
  HEDDLE_ATOMIC_ORDER(A, T, I, _acquire, __ATOMIC_ACQUIRE)                                                           \
  HEDDLE_ATOMIC_ORDER(A, T, I, _release, __ATOMIC_RELEASE)                                                           \
  HEDDLE_INLINE bool A##_sub_and_test(I i, A##T* v) { return A##_sub_return(i, v) == 0; }                            \
  HEDDLE_INLINE bool A##_dec_and_test(A##T* v) { return A##_dec_return(v) == 0; }                                    \
  HEDDLE_INLINE bool A##_inc_and_test(A##T* v) { return A##_inc_return(v) == 0; }                                    \
  HEDDLE_INLINE bool A##_add_negative(I i, A##T* v) { return A##_add_return(i, v) < 0; }                             \
  HEDDLE_INLINE I A##_fetch_add_unless(A##T* v, I i, I unless) {                                                     \
    return HEDDLE_ADD_IF(I, &v->counter, i, not_equal, unless, SEQ_CST);                                             \
  }                                                                                                                  \
  HEDDLE_INLINE bool A##_add_unless(A##T* v, I i, I unless) { return A##_fetch_add_unless(v, i, unless) != unless; } \
  HEDDLE_INLINE bool A##_inc_not_zero(A##T* v) { return A##_add_unless(v, 1, 0); }                                   \
  HEDDLE_INLINE bool A##_inc_unless_negative(A##T* v) {                                                              \
    return HEDDLE_ADD_IF(I, &v->counter, 1, greater_equal, 0, SEQ_CST) >= 0;                                         \
  }                                                                                                                  \
  HEDDLE_INLINE bool A##_dec_unless_positive(A##T* v) {                                                              \
    return HEDDLE_ADD_IF(I, &v->counter, -1, less_equal, 0, SEQ_CST) <= 0;                                           \
  }                                                                                                                  \
  HEDDLE_INLINE I A##_dec_if_positive(A##T* v) { return HEDDLE_ADD_IF(I, &v->counter, -1, greater, 0, SEQ_CST) - 1; }
HEDDLE_ATOMIC(atomic, _t, int)
HEDDLE_ATOMIC(atomic64, _t, long long)
HEDDLE_ATOMIC(atomic_long, _t, long)
#define atomic_cond_read_relaxed(v, condition) smp_cond_load_relaxed(&(v)->counter, condition)
#define atomic_cond_read_acquire(v, condition) smp_cond_load_acquire(&(v)->counter, condition)

/* ---- Reference counts. To count from 0, or below it, is a use after free: WARN_ON. */

typedef struct {
  atomic_t refs;
} refcount_t;
#define REFCOUNT_INIT(n) {ATOMIC_INIT(n)}
HEDDLE_INLINE void refcount_set(refcount_t* r, int n) { atomic_set(&r->refs, n); }
HEDDLE_INLINE unsigned refcount_read(const refcount_t* r) { return (unsigned)atomic_read(&r->refs); }
HEDDLE_INLINE void refcount_add(int i, refcount_t* r) { WARN_ON(atomic_fetch_add_relaxed(i, &r->refs) <= 0); }
HEDDLE_INLINE void refcount_inc(refcount_t* r) { refcount_add(1, r); }
HEDDLE_INLINE bool refcount_inc_not_zero(refcount_t* r) {
  return HEDDLE_ADD_IF(int, &r->refs.counter, 1, not_equal, 0, RELAXED) != 0;
}
/* What is done before any reference is given back comes before what is done once the last one is. That takes an acquire behind the
   branch; smp_acquire__after_ctrl_dep() is a fence for reads to the model, and a branch orders no plain write. */
HEDDLE_INLINE bool refcount_sub_and_test(int i, refcount_t* r) {
  const int old = atomic_fetch_sub_release(i, &r->refs);
  WARN_ON(old < i);
  if (old != i) return false;
  (void)atomic_read_acquire(&r->refs);
  return true;
}
HEDDLE_INLINE bool refcount_dec_and_test(refcount_t* r) { return refcount_sub_and_test(1, r); }
HEDDLE_INLINE void refcount_dec(refcount_t* r) { WARN_ON(atomic_fetch_sub_release(1, &r->refs) <= 1); }

struct kref {
  refcount_t refcount;
};
#define KREF_INIT(n) {REFCOUNT_INIT(n)}
HEDDLE_INLINE void kref_init(struct kref* kref) { refcount_set(&kref->refcount, 1); }
HEDDLE_INLINE unsigned kref_read(const struct kref* kref) { return refcount_read(&kref->refcount); }
HEDDLE_INLINE void kref_get(struct kref* kref) { refcount_inc(&kref->refcount); }
HEDDLE_INLINE bool kref_get_unless_zero(struct kref* kref) { return refcount_inc_not_zero(&kref->refcount); }
HEDDLE_INLINE int kref_put(struct kref* kref, void (*release)(struct kref*)) {
  if (!refcount_dec_and_test(&kref->refcount)) return 0;
  release(kref);
  return 1;
}

/* ---- Bits of an array of unsigned long. Those that return what was there are fully ordered, set and clear are not ordered. */

#define BITS_PER_LONG (8 * (int)sizeof(long))
#define BIT_MASK(nr) (1ul << ((unsigned)(nr) % (unsigned)BITS_PER_LONG))
#define BIT_WORD(nr) ((unsigned)(nr) / (unsigned)BITS_PER_LONG)
#define HEDDLE_BIT_WORD(nr, bits) ((unsigned long*)(bits) + BIT_WORD(nr))
#define test_bit(nr, bits) ((READ_ONCE(*HEDDLE_BIT_WORD(nr, bits)) & BIT_MASK(nr)) != 0)
#define test_bit_acquire(nr, bits) ((smp_load_acquire(HEDDLE_BIT_WORD(nr, bits)) & BIT_MASK(nr)) != 0)
#define set_bit(nr, bits) HEDDLE_NORETURN_UPDATE(or, HEDDLE_BIT_WORD(nr, bits), BIT_MASK(nr))
#define clear_bit(nr, bits) HEDDLE_NORETURN_UPDATE(and, HEDDLE_BIT_WORD(nr, bits), ~BIT_MASK(nr))
#define change_bit(nr, bits) HEDDLE_NORETURN_UPDATE(xor, HEDDLE_BIT_WORD(nr, bits), BIT_MASK(nr))
#define HEDDLE_TEST_AND(op, nr, bits, mask, order) \
  ((__atomic_fetch_##op(HEDDLE_BIT_WORD(nr, bits), mask, __ATOMIC_##order) & BIT_MASK(nr)) != 0)
#define test_and_set_bit(nr, bits) HEDDLE_TEST_AND(or, nr, bits, BIT_MASK(nr), SEQ_CST)
#define test_and_clear_bit(nr, bits) HEDDLE_TEST_AND(and, nr, bits, ~BIT_MASK(nr), SEQ_CST)
#define test_and_change_bit(nr, bits) HEDDLE_TEST_AND(xor, nr, bits, BIT_MASK(nr), SEQ_CST)
#define test_and_set_bit_lock(nr, bits) HEDDLE_TEST_AND(or, nr, bits, BIT_MASK(nr), ACQUIRE)
#define clear_bit_unlock(nr, bits) ((void)HEDDLE_TEST_AND(and, nr, bits, ~BIT_MASK(nr), RELEASE))

/* ---- Spin locks. The spellings for interrupts and bottom halves are the same: there are no interrupts here. */

typedef struct {
  int word; /* 0: free */
} spinlock_t;
typedef spinlock_t raw_spinlock_t;
#define __SPIN_LOCK_UNLOCKED(name) {0}
#define DEFINE_SPINLOCK(name) spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define spin_lock_init(lock) ((void)((lock)->word = 0))

#ifdef __HEDDLE__
/* Those of pthreads, which <pthread.h> declares or not. */
extern int heddle_spin_lock(int* word) __asm__("pthread_spin_lock") __attribute__((__nothrow__));
extern int heddle_spin_unlock(int* word) __asm__("pthread_spin_unlock") __attribute__((__nothrow__));
extern int heddle_spin_trylock(int* word) __asm__("pthread_spin_trylock") __attribute__((__nothrow__));
#define spin_lock(lock) ((void)heddle_spin_lock(&(lock)->word))
#define spin_unlock(lock) ((void)heddle_spin_unlock(&(lock)->word))
#define spin_trylock(lock) (heddle_spin_trylock(&(lock)->word) == 0)
#else
#define spin_lock(lock)                                                     \
  do {                                                                      \
    while (__atomic_exchange_n(&(lock)->word, 1, __ATOMIC_ACQUIRE) != 0) {} \
  } while (0)
#define spin_unlock(lock) __atomic_store_n(&(lock)->word, 0, __ATOMIC_RELEASE)
#define spin_trylock(lock) (__atomic_exchange_n(&(lock)->word, 1, __ATOMIC_ACQUIRE) == 0)
#endif
#define spin_is_locked(lock) (READ_ONCE((lock)->word) != 0)
#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) ((flags) = 0, spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) ((void)(flags), spin_unlock(lock))
#define raw_spin_lock_init(lock) spin_lock_init(lock)
#define raw_spin_lock(lock) spin_lock(lock)
#define raw_spin_unlock(lock) spin_unlock(lock)
#define raw_spin_trylock(lock) spin_trylock(lock)
#define assert_spin_locked(lock) BUG_ON(!spin_is_locked(lock))

/* ---- Mutexes. */

struct mutex {
  pthread_mutex_t mutex;
};
#define __MUTEX_INITIALIZER(name) {PTHREAD_MUTEX_INITIALIZER}
#define DEFINE_MUTEX(name) struct mutex name = __MUTEX_INITIALIZER(name)
#define mutex_init(lock) ((void)pthread_mutex_init(&(lock)->mutex, 0))
#define mutex_lock(lock) ((void)pthread_mutex_lock(&(lock)->mutex))
#define mutex_unlock(lock) ((void)pthread_mutex_unlock(&(lock)->mutex))
#define mutex_trylock(lock) (pthread_mutex_trylock(&(lock)->mutex) == 0)

/* ---- Read-write locks: a count of readers, or -1. */

typedef struct {
  atomic_t readers;
} rwlock_t;
#define __RW_LOCK_UNLOCKED(name) {ATOMIC_INIT(0)}
#define DEFINE_RWLOCK(name) rwlock_t name = __RW_LOCK_UNLOCKED(name)
#define rwlock_init(lock) atomic_set(&(lock)->readers, 0)
HEDDLE_INLINE bool read_trylock(rwlock_t* lock) {
  int readers = atomic_read(&lock->readers);
  return readers >= 0 && atomic_try_cmpxchg_acquire(&lock->readers, &readers, readers + 1);
}
HEDDLE_INLINE void read_lock(rwlock_t* lock) {
  int readers = atomic_read(&lock->readers);
  while (readers < 0 || !atomic_try_cmpxchg_acquire(&lock->readers, &readers, readers + 1)) {
    if (readers < 0) readers = atomic_read(&lock->readers);
  }
}
HEDDLE_INLINE void read_unlock(rwlock_t* lock) { (void)atomic_fetch_sub_release(1, &lock->readers); }
HEDDLE_INLINE bool write_trylock(rwlock_t* lock) { return atomic_cmpxchg_acquire(&lock->readers, 0, -1) == 0; }
HEDDLE_INLINE void write_lock(rwlock_t* lock) {
  while (atomic_cmpxchg_acquire(&lock->readers, 0, -1) != 0) cpu_relax();
}
HEDDLE_INLINE void write_unlock(rwlock_t* lock) { atomic_set_release(&lock->readers, 0); }

/* ---- Sequence counters and locks. Writers of a seqcount_t exclude each other by other means. */

typedef struct {
  unsigned sequence;
} seqcount_t;
#define SEQCNT_ZERO(name) {0}
#define seqcount_init(s) ((void)((s)->sequence = 0))
#define read_seqcount_begin(s)                                             \
  __extension__({                                                          \
    unsigned heddle_sequence;                                              \
    while ((heddle_sequence = READ_ONCE((s)->sequence)) & 1u) cpu_relax(); \
    smp_rmb();                                                             \
    heddle_sequence;                                                       \
  })
#define raw_read_seqcount(s)                                   \
  __extension__({                                              \
    const unsigned heddle_sequence = READ_ONCE((s)->sequence); \
    smp_rmb();                                                 \
    heddle_sequence;                                           \
  })
#define read_seqcount_retry(s, start) (smp_rmb(), READ_ONCE((s)->sequence) != (start))
#define write_seqcount_begin(s)                              \
  do {                                                       \
    WRITE_ONCE((s)->sequence, READ_ONCE((s)->sequence) + 1); \
    smp_wmb();                                               \
  } while (0)
#define write_seqcount_end(s)                                \
  do {                                                       \
    smp_wmb();                                               \
    WRITE_ONCE((s)->sequence, READ_ONCE((s)->sequence) + 1); \
  } while (0)

typedef struct {
  seqcount_t seqcount;
  spinlock_t lock;
} seqlock_t;
#define __SEQLOCK_UNLOCKED(name) {SEQCNT_ZERO(name), __SPIN_LOCK_UNLOCKED(name)}
#define DEFINE_SEQLOCK(name) seqlock_t name = __SEQLOCK_UNLOCKED(name)
#define seqlock_init(s) (seqcount_init(&(s)->seqcount), spin_lock_init(&(s)->lock))
#define read_seqbegin(s) read_seqcount_begin(&(s)->seqcount)
#define read_seqretry(s, start) read_seqcount_retry(&(s)->seqcount, start)
#define write_seqlock(s)                  \
  do {                                    \
    spin_lock(&(s)->lock);                \
    write_seqcount_begin(&(s)->seqcount); \
  } while (0)
#define write_sequnlock(s)              \
  do {                                  \
    write_seqcount_end(&(s)->seqcount); \
    spin_unlock(&(s)->lock);            \
  } while (0)

/* ---- RCU, and SRCU. */

struct rcu_head {
  struct rcu_head* next;
  void (*func)(struct rcu_head*);
};
struct srcu_struct {
  int heddle_srcu;
};
#define DEFINE_SRCU(name) struct srcu_struct name
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name
#define init_srcu_struct(s) ((void)((s)->heddle_srcu = 0), 0)
#define cleanup_srcu_struct(s) ((void)(s))

#ifdef __HEDDLE__
extern void heddle_rcu_read_lock(void);
extern void heddle_rcu_read_unlock(void);
extern void heddle_synchronize_rcu(void);
extern void heddle_call_rcu(struct rcu_head* head, void (*func)(struct rcu_head*), void* memory);
extern void heddle_rcu_barrier(void);
extern int heddle_srcu_read_lock(struct srcu_struct* srcu);
extern void heddle_srcu_read_unlock(struct srcu_struct* srcu, int index);
extern void heddle_synchronize_srcu(struct srcu_struct* srcu);
#else
/* Natively a grace period waits until nobody is in a critical section, and so does call_rcu(). */
__attribute__((__weak__)) struct srcu_struct heddle_rcu;
HEDDLE_INLINE int heddle_srcu_read_lock(struct srcu_struct* srcu) {
  return __atomic_fetch_add(&srcu->heddle_srcu, 1, __ATOMIC_SEQ_CST) & 0;
}
HEDDLE_INLINE void heddle_srcu_read_unlock(struct srcu_struct* srcu, int index) {
  __atomic_fetch_sub(&srcu->heddle_srcu, 1 + index, __ATOMIC_SEQ_CST);
}
HEDDLE_INLINE void heddle_synchronize_srcu(struct srcu_struct* srcu) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  while (__atomic_load_n(&srcu->heddle_srcu, __ATOMIC_SEQ_CST) != 0) {}
}
HEDDLE_INLINE void heddle_rcu_read_lock(void) { heddle_srcu_read_lock(&heddle_rcu); }
HEDDLE_INLINE void heddle_rcu_read_unlock(void) { heddle_srcu_read_unlock(&heddle_rcu, 0); }
HEDDLE_INLINE void heddle_synchronize_rcu(void) { heddle_synchronize_srcu(&heddle_rcu); }
HEDDLE_INLINE void heddle_call_rcu(struct rcu_head* head, void (*func)(struct rcu_head*), void* memory) {
  heddle_synchronize_rcu();
  if (func) {
    func(head);
  } else {
    free(memory);
  }
}
HEDDLE_INLINE void heddle_rcu_barrier(void) {}
#endif

#define rcu_read_lock() heddle_rcu_read_lock()
#define rcu_read_unlock() heddle_rcu_read_unlock()
#define synchronize_rcu() heddle_synchronize_rcu()
#define synchronize_rcu_expedited() heddle_synchronize_rcu()
/* The callback is run by a thread of its own, after a grace period that begins now. */
#define call_rcu(head, func) heddle_call_rcu((head), (func), 0)
#define kfree_rcu(pointer, member) heddle_call_rcu(&(pointer)->member, 0, (pointer))
#define rcu_barrier() heddle_rcu_barrier()
#define rcu_assign_pointer(p, value) smp_store_release(&(p), value)
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_check(p, c) READ_ONCE(p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_dereference_raw(p) READ_ONCE(p)
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_pointer_handoff(p) (p)
#define rcu_replace_pointer(p, value, c) \
  __extension__({                        \
    __typeof__(p) heddle_replaced = (p); \
    rcu_assign_pointer(p, value);        \
    heddle_replaced;                     \
  })
#define RCU_INIT_POINTER(p, value) WRITE_ONCE(p, value)
#define srcu_read_lock(srcu) heddle_srcu_read_lock(srcu)
#define srcu_read_unlock(srcu, index) heddle_srcu_read_unlock((srcu), (index))
#define srcu_down_read(srcu) heddle_srcu_read_lock(srcu)
#define srcu_up_read(srcu, index) heddle_srcu_read_unlock((srcu), (index))
#define synchronize_srcu(srcu) heddle_synchronize_srcu(srcu)
#define synchronize_srcu_expedited(srcu) heddle_synchronize_srcu(srcu)
#define srcu_dereference(p, srcu) READ_ONCE(p)

/* ---- Memory. */

typedef unsigned gfp_t;
enum { GFP_KERNEL = 1, GFP_ATOMIC = 2, GFP_NOWAIT = 4 };
#define kmalloc(size, flags) ((void)(flags), malloc(size))
#define kzalloc(size, flags) ((void)(flags), calloc(1, size))
#define kcalloc(n, size, flags) ((void)(flags), calloc(n, size))
#define kfree(pointer) free((void*)(pointer))

/* ---- Lists, as the kernel's <linux/list.h> and <linux/rculist.h> describe them. */

struct list_head {
  struct list_head *next, *prev;
};
#define LIST_HEAD_INIT(name) {&(name), &(name)}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
#define LIST_POISON ((struct list_head*)0x122)
HEDDLE_INLINE void INIT_LIST_HEAD(struct list_head* list) {
  WRITE_ONCE(list->next, list);
  list->prev = list;
}
HEDDLE_INLINE void heddle_list_insert(struct list_head* entry, struct list_head* prev, struct list_head* next) {
  next->prev = entry;
  entry->next = next;
  entry->prev = prev;
  WRITE_ONCE(prev->next, entry);
}
HEDDLE_INLINE void list_add(struct list_head* entry, struct list_head* head) { heddle_list_insert(entry, head, head->next); }
HEDDLE_INLINE void list_add_tail(struct list_head* entry, struct list_head* head) {
  heddle_list_insert(entry, head->prev, head);
}
HEDDLE_INLINE void heddle_list_remove(struct list_head* entry) {
  entry->next->prev = entry->prev;
  WRITE_ONCE(entry->prev->next, entry->next);
}
HEDDLE_INLINE void list_del(struct list_head* entry) {
  heddle_list_remove(entry);
  entry->next = LIST_POISON;
  entry->prev = LIST_POISON;
}
HEDDLE_INLINE void list_del_init(struct list_head* entry) {
  heddle_list_remove(entry);
  INIT_LIST_HEAD(entry);
}
HEDDLE_INLINE bool list_empty(const struct list_head* head) { return READ_ONCE(head->next) == head; }
HEDDLE_INLINE void heddle_list_insert_rcu(struct list_head* entry, struct list_head* prev, struct list_head* next) {
  entry->next = next;
  entry->prev = prev;
  rcu_assign_pointer(prev->next, entry);
  next->prev = entry;
}
HEDDLE_INLINE void list_add_rcu(struct list_head* entry, struct list_head* head) {
  heddle_list_insert_rcu(entry, head, head->next);
}
HEDDLE_INLINE void list_add_tail_rcu(struct list_head* entry, struct list_head* head) {
  heddle_list_insert_rcu(entry, head->prev, head);
}
/* Readers may still be at the entry, and go on from there. */
HEDDLE_INLINE void list_del_rcu(struct list_head* entry) {
  heddle_list_remove(entry);
  entry->prev = LIST_POISON;
}
HEDDLE_INLINE void list_replace_rcu(struct list_head* old, struct list_head* entry) {
  entry->next = old->next;
  entry->prev = old->prev;
  rcu_assign_pointer(entry->prev->next, entry);
  entry->next->prev = entry;
  old->prev = LIST_POISON;
}
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_next_entry(entry, member) list_entry((entry)->member.next, __typeof__(*(entry)), member)
#define list_for_each_entry(entry, head, member)                                                   \
  for ((entry) = list_first_entry(head, __typeof__(*(entry)), member); &(entry)->member != (head); \
       (entry) = list_next_entry(entry, member))
#define list_for_each_entry_safe(entry, after, head, member)                                                     \
  for ((entry) = list_first_entry(head, __typeof__(*(entry)), member), (after) = list_next_entry(entry, member); \
       &(entry)->member != (head); (entry) = (after), (after) = list_next_entry(after, member))
#define list_entry_rcu(ptr, type, member) container_of(READ_ONCE(ptr), type, member)
#define list_for_each_entry_rcu(entry, head, member, ...)                                                \
  for ((entry) = list_entry_rcu((head)->next, __typeof__(*(entry)), member); &(entry)->member != (head); \
       (entry) = list_entry_rcu((entry)->member.next, __typeof__(*(entry)), member))
#define list_first_or_null_rcu(head, type, member)                              \
  __extension__({                                                               \
    struct list_head* heddle_first = READ_ONCE((head)->next);                   \
    heddle_first != (head) ? list_entry(heddle_first, type, member) : (type*)0; \
  })

struct hlist_node {
  struct hlist_node *next, **pprev;
};
struct hlist_head {
  struct hlist_node* first;
};
#define HLIST_HEAD_INIT {0}
#define HLIST_HEAD(name) struct hlist_head name = {0}
#define INIT_HLIST_HEAD(head) ((void)((head)->first = 0))
HEDDLE_INLINE void hlist_add_head_rcu(struct hlist_node* entry, struct hlist_head* head) {
  struct hlist_node* first = head->first;
  entry->next = first;
  entry->pprev = &head->first;
  rcu_assign_pointer(head->first, entry);
  if (first) first->pprev = &entry->next;
}
HEDDLE_INLINE void hlist_del_rcu(struct hlist_node* entry) {
  struct hlist_node* next = entry->next;
  WRITE_ONCE(*entry->pprev, next);
  if (next) next->pprev = entry->pprev;
}
#define hlist_entry(ptr, type, member) container_of(ptr, type, member)
#define hlist_entry_safe(ptr, type, member)                          \
  __extension__({                                                    \
    struct hlist_node* heddle_node = (ptr);                          \
    heddle_node ? hlist_entry(heddle_node, type, member) : (type*)0; \
  })
#define hlist_for_each_entry_rcu(entry, head, member, ...)                                          \
  for ((entry) = hlist_entry_safe(READ_ONCE((head)->first), __typeof__(*(entry)), member); (entry); \
       (entry) = hlist_entry_safe(READ_ONCE((entry)->member.next), __typeof__(*(entry)), member))

/* ---- Lists without locks: any number of threads add, one takes all. */

struct llist_node {
  struct llist_node* next;
};
struct llist_head {
  struct llist_node* first;
};
#define LLIST_HEAD_INIT(name) {0}
#define LLIST_HEAD(name) struct llist_head name = LLIST_HEAD_INIT(name)
#define llist_entry(pointer, type, member) container_of(pointer, type, member)
HEDDLE_INLINE void init_llist_head(struct llist_head* list) { list->first = 0; }
HEDDLE_INLINE bool llist_empty(const struct llist_head* list) { return READ_ONCE(list->first) == 0; }
/* Was the list empty? */
HEDDLE_INLINE bool llist_add(struct llist_node* entry, struct llist_head* list) {
  struct llist_node* first = READ_ONCE(list->first);
  do {
    entry->next = first;
  } while (!try_cmpxchg(&list->first, &first, entry));
  return first == 0;
}
HEDDLE_INLINE struct llist_node* llist_del_all(struct llist_head* list) { return xchg(&list->first, (struct llist_node*)0); }
#define llist_for_each(position, node) for ((position) = (node); (position); (position) = (position)->next)

/* ---- Processors. A thread runs on one of NR_CPUS for ever, the first on 0, those that it starts on 1, 2 and so on. */

#ifndef NR_CPUS
#define NR_CPUS 8
#endif
#ifdef __HEDDLE__
extern unsigned heddle_cpu(void);
#else
__attribute__((__weak__)) unsigned heddle_cpus;
HEDDLE_INLINE unsigned heddle_cpu(void) {
  static __thread unsigned cpu;
  if (cpu == 0) cpu = __atomic_add_fetch(&heddle_cpus, 1, __ATOMIC_RELAXED);
  return cpu - 1;
}
#endif
#define smp_processor_id() ((int)(heddle_cpu() % NR_CPUS))
#define raw_smp_processor_id() smp_processor_id()
#define get_cpu() smp_processor_id()
#define put_cpu() ((void)0)
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)
#define local_irq_disable() ((void)0)
#define local_irq_enable() ((void)0)
#define local_irq_save(flags) ((void)((flags) = 0))
#define local_irq_restore(flags) ((void)(flags))
#define might_sleep() ((void)0)
#define lockdep_assert_held(lock) ((void)(lock))
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < NR_CPUS; ++(cpu))
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)
#define DEFINE_PER_CPU(type, name) __typeof__(type) name[NR_CPUS]
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name[NR_CPUS]
#define per_cpu(name, cpu) ((name)[cpu])
#define per_cpu_ptr(pointer, cpu) (&(*(pointer))[cpu])
#define this_cpu_ptr(pointer) per_cpu_ptr(pointer, smp_processor_id())
#define this_cpu_read(name) READ_ONCE(per_cpu(name, smp_processor_id()))
#define this_cpu_write(name, value) WRITE_ONCE(per_cpu(name, smp_processor_id()), value)
#define this_cpu_add(name, value)                                            \
  do {                                                                       \
    __typeof__(&(name)[0]) heddle_mine = &per_cpu(name, smp_processor_id()); \
    WRITE_ONCE(*heddle_mine, READ_ONCE(*heddle_mine) + (value));             \
  } while (0)
#define this_cpu_sub(name, value) this_cpu_add(name, -(value))
#define this_cpu_inc(name) this_cpu_add(name, 1)
#define this_cpu_dec(name) this_cpu_add(name, -1)

/* ---- Threads. kthread_stop waits for the end and returns what the function has returned. */

struct task_struct {
  pthread_t thread;
  int (*function)(void*);
  void* data;
  int result;
};
static __attribute__((__unused__)) void* heddle_kthread(void* task) {
  struct task_struct* const self = (struct task_struct*)task;
  self->result = self->function(self->data);
  return 0;
}
HEDDLE_INLINE struct task_struct* heddle_kthread_run(int (*function)(void*), void* data) {
  struct task_struct* const task = (struct task_struct*)malloc(sizeof *task);
  task->function = function;
  task->data = data;
  pthread_create(&task->thread, 0, heddle_kthread, task);
  return task;
}
HEDDLE_INLINE int kthread_stop(struct task_struct* task) {
  pthread_join(task->thread, 0);
  const int result = task->result;
  free(task);
  return result;
}
#define kthread_run(function, data, ...) heddle_kthread_run((function), (data))
#define IS_ERR(pointer) ((void)(pointer), 0)

#endif /* HEDDLE_LINUX_H */
