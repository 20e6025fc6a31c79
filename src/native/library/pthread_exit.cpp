// pthread_exit, which thrd_exit is made of.
//
// As in glibc the stack is unwound, so that the destructors of what it leaves run; the host's unwinder does that. It
// stops at the end of the stack, or at the first function that has no tables for it. A handler for all exceptions has
// to throw again.

#include <pthread.h>
#include <unwind.h>

#include "failure.h"
#include "thread_end.h"

using heddle::library::Failure;
using heddle::library::fail;

namespace {

__thread _Unwind_Exception unwinding;
__thread void* result;
__thread unsigned cleanupHandlers;  // of C's pthread_cleanup_push

_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*,
                         void*) {
  if ((actions & _UA_END_OF_STACK) == 0) return _URC_NO_REASON;
  heddle::library::finishThread(result);
  heddle_end_thread();
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
  heddle_end_thread();
}

// pthread_cleanup_push and pop in C: a jump buffer that nobody jumps to.
int __sigsetjmp(struct __jmp_buf_tag*, int) { return 0; }
void __pthread_register_cancel(__pthread_unwind_buf_t*) { ++cleanupHandlers; }
void __pthread_unregister_cancel(__pthread_unwind_buf_t*) { --cleanupHandlers; }

}  // extern "C"
