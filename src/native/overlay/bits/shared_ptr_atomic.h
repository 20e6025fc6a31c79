// std::atomic<std::shared_ptr<T>>.
//
// libstdc++ keeps a lock in the lowest bit of a pointer and, having read what the lock protects, gives it back by a
// relaxed decrement: nothing then orders that read before the next owner's write. Compilers and hardware do not
// separate them, but by the letter of the standard it is a data race, in the library and out of a program's reach. Here
// the lock is given back by a release.
#include <bits/atomic_base.h>

#ifndef __heddle_unlock_order
#define __heddle_unlock_order(order)                                      \
  ((order) == ::std::memory_order_relaxed   ? ::std::memory_order_release \
   : (order) == ::std::memory_order_seq_cst ? ::std::memory_order_seq_cst \
   : (order) == ::std::memory_order_release ? ::std::memory_order_release \
                                            : ::std::memory_order_acq_rel)
#endif

#pragma push_macro("fetch_sub")
#undef fetch_sub
#define fetch_sub(amount, order) fetch_sub(amount, __heddle_unlock_order(order))
#include_next <bits/shared_ptr_atomic.h>
#pragma pop_macro("fetch_sub")
