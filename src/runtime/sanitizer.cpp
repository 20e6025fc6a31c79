#include "runtime/sanitizer.h"

#ifdef __SANITIZE_ADDRESS__

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>

#include "runtime/fiber.h"

// What every run needs; ASAN_OPTIONS goes over it.
extern "C" const char* __asan_default_options() {
  return
      // Frames must be where they are copied from and put back to, not on the heap.
      "detect_stack_use_after_return=0:"
      // LLVM and clang are not instrumented: they grow and shrink containers that we look at without saying so.
      "detect_container_overflow=0:"
      // Signals on fibers are errors of the program that is checked, on a stack of our own (crash.cpp).
      "use_sigaltstack=0:"
      // Compiling frees much memory at once; less of it needs to be kept to find who uses it afterwards.
      "quarantine_size_mb=32:"
      // The usual 1 is what a program with an error ends with.
      "exitcode=99:print_suppressions=0";
}

extern "C" const char* __ubsan_default_options() { return "exitcode=99:print_stacktrace=1"; }

// Clang frees what it knows of a program as a whole, without the vectors in it that have grown too large for their place
// (those of a constraint that is not satisfied, for one).
extern "C" const char* __lsan_default_suppressions() { return "leak:llvm::SmallVectorBase\n"; }

namespace heddle::runtime {

namespace {

const void* explorerBottom;
std::size_t explorerSize;

}  // namespace

void sanitizerLeavesExplorer(ThreadId thread) {
  __sanitizer_start_switch_fiber(nullptr, reinterpret_cast<const void*>(stackGuard(thread)), kStackBytes);
}

void sanitizerIsOnFiber() { __sanitizer_finish_switch_fiber(nullptr, &explorerBottom, &explorerSize); }

void sanitizerLeavesFiber(ThreadId thread) {
  const void* const below = __builtin_frame_address(0);  // of all frames that stay
  __asan_unpoison_memory_region(below, stackTop(thread) - reinterpret_cast<Address>(below));
  __sanitizer_start_switch_fiber(nullptr, explorerBottom, explorerSize);
}

void sanitizerAbandonsFiber(ThreadId thread) {
  const auto* const stack = reinterpret_cast<const void*>(stackGuard(thread));
  __asan_unpoison_memory_region(stack, kStackBytes);
  __lsan_register_root_region(stack, kStackBytes);  // what interrupted functions own is no leak
  __sanitizer_start_switch_fiber(nullptr, explorerBottom, explorerSize);
}

void sanitizerIsInExplorer() { __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr); }

}  // namespace heddle::runtime

#endif
