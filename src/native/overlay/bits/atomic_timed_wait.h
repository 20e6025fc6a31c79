// Waiting on atomics with a limit of time.
//
// Only semaphores wait so, and they have an implementation of their own here (semaphore_base.h); what is left of
// libstdc++'s header is what it includes.
#include <bits/c++config.h>

#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 14
#include_next <bits/atomic_timed_wait.h>
#elif !defined _GLIBCXX_ATOMIC_TIMED_WAIT_H
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1

#include <bits/atomic_wait.h>
#include <bits/chrono.h>
#include <bits/functional_hash.h>
#include <bits/this_thread_sleep.h>
#include <sys/time.h>

#endif
