// The primitives that library models are made of.
//
// The models in this folder are ordinary C++, compiled to bitcode and instrumented together with the checked program:
// their atomics are events, their other accesses are checked plain memory, their thread_locals are rewound. What they
// cannot say in C++ they say with these calls. A call's source position is that of the program's call of the model, so
// that reports point into the program and not in here.
#pragma once

#include <stddef.h>
#include <stdint.h>

// None of them throws, but for the one that throws again. To the compiler of the models that is worth knowing: a third of
// the code of a model would be what is to be done if they did.
#ifdef __HEDDLE__
#define NOTHROW __attribute__((nothrow))
#else
#define NOTHROW
#endif

extern "C" {

// Threads. Ids are small numbers, deterministic; 0 is the main thread.
NOTHROW uint32_t heddle_spawn(void* (*function)(void*), void* argument);  // runs function(argument), then ends
NOTHROW void heddle_join(uint32_t thread);  // waits for its end
// Waits until all other threads have ended, and then for the end of one that nobody has joined: is there another one?
NOTHROW int heddle_join_rest(void);
NOTHROW void heddle_detach(uint32_t thread);  // nobody will join it: no warning that nobody did
NOTHROW uint32_t heddle_self(void);
NOTHROW uint64_t* heddle_private(void);  // a word of the running thread, 0 at its start, that is no plain memory
[[noreturn]] NOTHROW void heddle_end_thread(void);  // this thread is over; nothing is unwound
[[noreturn]] NOTHROW void heddle_end_program(int code);  // the execution is over: exit, _exit

// Mutexes: a 4-byte location, 0 when free. lock waits until it is free; trylock returns whether it took the lock.
NOTHROW void heddle_lock(void* mutex);
NOTHROW void heddle_unlock(void* mutex);
NOTHROW int heddle_trylock(void* mutex);

// Locks that are more than mutexes: what LockOp of src/program/operation.h says, on a word of 4 bytes, or of 8 for
// the set of a condition variable. take waits until it can and returns the old value; `orNever`: that it waits for
// ever is of no interest. try returns whether it could.
enum { kHold, kRead, kJoin, kLeave, kWakeOne, kWakeAll, kDown };
NOTHROW uint64_t heddle_take(void* word, uint32_t what, uint64_t operand, int orNever);
NOTHROW int heddle_try(void* word, uint32_t what);
// The same of a part of a lock: its words, numbered from 0, are taken in turn. A reader has one of them only.
NOTHROW void heddle_take_part(void* word, uint32_t what, const void* whole, uint32_t part);
NOTHROW void heddle_unlock_part(void* word, const void* whole, uint32_t part);
NOTHROW void heddle_leave_reading(void* word, const void* whole);

// Threads that meet: at a barrier, or at a latch. `which` says how many make the first round, and which barrier it is of
// those that have been at its address (heddle_new_barrier of pthread_barrier.cpp). arrive counts for `weight` of them, and
// returns its round, or -1 if that is too many; `drops`: so many fewer are expected in later rounds. depart waits until
// the round is complete.
NOTHROW int64_t heddle_arrive(const void* barrier, uint64_t which, uint64_t weight, int drops);
// If more come than meet, their order decides: do arrivals have one? If not, everything starts again with it.
NOTHROW int heddle_arrivals_have_order(void);
[[noreturn]] NOTHROW void heddle_order_arrivals(void);
NOTHROW void heddle_depart(const void* barrier, uint64_t which, int64_t round);
NOTHROW void heddle_depart_or_never(const void* barrier, uint64_t which);  // that it never is complete is no deadlock
NOTHROW int heddle_has_met(const void* barrier, uint64_t which);  // does the thread know that the first round is complete?

// The thread goes on only in executions in which the condition holds. `heddle_wait` is for waiting (a deadlock if
// nothing ever comes), `heddle_assume_hook` for assumptions. The condition of a wait depends on the thread's last
// event, a read: it is a deadlock only if that read has read the newest value, as otherwise another execution shows
// what comes.
NOTHROW void heddle_wait(int condition);
// The same for a thread that has to be notified when the value at the address changes; that it has seen another value than
// `old`; and the notification, of all who wait or of one.
NOTHROW void heddle_wait_notified(const void* address, int condition);
NOTHROW void heddle_end_of_wait(const void* address, uint64_t old);
NOTHROW void heddle_notify(const void* address);
NOTHROW void heddle_notify_one(const void* address);
NOTHROW void heddle_assume_hook(int condition);
NOTHROW uint64_t heddle_choose_hook(uint64_t n);  // any value below n
// Waits at condition variables may wake up by themselves, so often in a row; 0: they do not. And for pthread_cond.cpp: a
// number for the place in the program from which the library is called; what the loop that a wait is in knows about it
// (wait_loops.h); has the running thread done nothing that matters since it began to wait with event number `began`,
// which it ended before event number `ended`, apart from writing memory of its own (two ranges); that it has not, and that
// this goes for all who do not try to take the mutex (null: any); and that more wake-ups would be possible.
extern int heddle_spurious_wakeups;
NOTHROW uint32_t heddle_site(void);
void heddle_wait_again(uint32_t again);
NOTHROW int heddle_is_idle(uint32_t began, uint32_t ended, const void* own, size_t n, const void* clock, size_t m,
                           const void* held, size_t k);
NOTHROW void heddle_note_idle(const void* mutex);
NOTHROW uint32_t heddle_position(void);
NOTHROW void heddle_cut_wakeups(void);

// Memory. kind: 0 malloc, 1 new, 2 new[].
NOTHROW void* heddle_allocate(size_t size, size_t alignment, uint32_t kind);  // null if there is no room
NOTHROW void heddle_free(void* address, uint32_t kind);  // null is allowed
NOTHROW int heddle_is_initialised(const void* address, size_t n);  // has the memory been written since it is there?
NOTHROW size_t heddle_allocation_size(const void* address);  // of a live heap allocation
// Accesses of library code to n bytes of the program's memory that host code will read or has been asked to write.
NOTHROW void heddle_check_read(const void* address, size_t n);
NOTHROW void heddle_check_write(void* address, size_t n);

// What vsnprintf does, done by the host: writes at most n bytes to the buffer, checked, and reads the format and its
// arguments, for which the caller has checked that they may be read.
NOTHROW int heddle_format(char* buffer, size_t n, const char* format, __builtin_va_list arguments);
NOTHROW void heddle_output(const char* text, size_t length, int stream);  // 1 standard output, 2 error; shown when asked for

// Nanoseconds since the program has begun, as the thread's clock shows them: no less than any clock has shown before, in
// happens-before. It stands still unless it is set.
NOTHROW uint64_t heddle_time(void);
NOTHROW void heddle_set_time(uint64_t time);

// Notes for the whole exploration, a bit each, never taken back: has any execution done this? What nobody has ever
// done needs no cleaning up, and to know that costs no access to memory.
enum { kNotedThreadEnd = 1, kNotedAtExit = 2 };
NOTHROW void heddle_note(uint32_t bit);
NOTHROW uint32_t heddle_noted(void);

// An error of the program. kind: ErrorKind of src/runtime/error.h.
[[noreturn]] NOTHROW void heddle_fail_hook(uint32_t kind, const char* message);
NOTHROW void heddle_warn_hook(const char* message);

// Exceptions: the object that the thread is handling, or null; throwing it again, in any thread; and the end of a handler,
// which returns the object if it is handled no more and an exception_ptr has pointed to it. share is for the first pointer: the
// number of owners so far, or -1 if there has been another one.
NOTHROW int heddle_share_exception(void* object, int shared);
NOTHROW void* heddle_current_exception(void);
[[noreturn]] void heddle_rethrow_exception(void* object);
void* heddle_end_catch(void);

}

#undef NOTHROW
