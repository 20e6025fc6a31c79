// pthread_exit, which thrd_exit is made of.
//
// If it is the main thread that leaves so, the process exits, as by exit(0), when all others have ended. A thread of its own
// waits for that.
//
// As in glibc the stack is unwound, so that the destructors of what it leaves run; the host's unwinder does that. It
// stops at the end of the stack, or at the first function that has no tables for it. A handler for all exceptions has
// to throw again.

#include <pthread.h>
#include <stdlib.h>
#include <unwind.h>

#include "failure.h"
#include "thread_end.h"

using heddle::library::fail;
using heddle::library::Failure;

namespace {

__thread _Unwind_Exception unwinding;
__thread void* result;
__thread unsigned cleanupHandlers;  // of C's pthread_cleanup_push

void* exitLast(void*) {
  while (heddle_join_rest() != 0) {}
  exit(0);
}

[[noreturn]] void leave() {
  heddle::library::finishThread(result);
  if (heddle_self() == 0) heddle_detach(heddle_spawn(exitLast, nullptr));
  heddle_end_thread();
}

_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*, void*) {
  if ((actions & _UA_END_OF_STACK) == 0) return _URC_NO_REASON;
  leave();
}

}  // namespace

extern "C" {

void pthread_exit(void* value) {
  if (cleanupHandlers != 0)
    fail(Failure::unsupported, "pthread_exit between pthread_cleanup_push and pop is not supported in C");
  result = value;
  unwinding.exception_cleanup = [](_Unwind_Reason_Code, _Unwind_Exception*) {
    fail(Failure::misuse, "a handler for all exceptions has caught a thread's exit, and has not thrown again");
  };
  _Unwind_ForcedUnwind(&unwinding, stop, nullptr);
  leave();
}

// pthread_cleanup_push and pop in C, which call setjmp with a buffer that nobody jumps to.
void __pthread_register_cancel(__pthread_unwind_buf_t*) { ++cleanupHandlers; }
void __pthread_unregister_cancel(__pthread_unwind_buf_t*) { --cleanupHandlers; }

}  // extern "C"
