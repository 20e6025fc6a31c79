// What happens at the end of a thread, besides its function's return: destructors of thread_locals, then those of keys.
//
// The lists are kept by the models that fill them (cxx_atexit.cpp, pthread_keys.cpp); a thread that has nothing to
// destroy does not need them, and so a program that has no such thing does not contain them.
#pragma once

#include "primitives.h"

namespace heddle::library {

struct ThreadEnd {
  void (*destroyThreadLocals)();
  void (*destroyKeys)();
  unsigned spawned;  // how many threads this one has started
};

extern __thread ThreadEnd threadEnd;

// Whoever sets one of the functions notes it (heddle_note).
inline void destroyThreadLocals() {
  if ((heddle_noted() & kNotedThreadEnd) && threadEnd.destroyThreadLocals) threadEnd.destroyThreadLocals();
}

inline void destroyKeys() {
  if ((heddle_noted() & kNotedThreadEnd) && threadEnd.destroyKeys) threadEnd.destroyKeys();
}

// All that, and the thread's result (pthread_thread.cpp).
void finishThread(void* result);

}  // namespace heddle::library
