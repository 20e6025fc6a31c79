#include "runtime/fiber.h"

#include <sys/mman.h>

#include <cstring>
#include <stdexcept>

// The callee-saved registers of the System V ABI. The entry of a fiber has no return address: `.cfi_undefined rip`
// tells the unwinder that it is the outermost frame, so that an exception nobody catches ends in std::terminate.
asm(R"(
    .text
    .globl heddle_switch
    .globl heddle_switch_back
    .type heddle_switch, @function
heddle_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
heddle_switch_back:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size heddle_switch, .-heddle_switch

    .globl heddle_fiber_entry
    .type heddle_fiber_entry, @function
heddle_fiber_entry:
    .cfi_startproc
    .cfi_undefined rip
    callq *%rbx
    ud2
    .cfi_endproc
    .size heddle_fiber_entry, .-heddle_fiber_entry
)");

extern "C" void heddle_fiber_entry();

namespace heddle::native {

void mapStacks(unsigned threads) {
  static unsigned guarded = 0;
  if (guarded == 0) {
    void* const begin = reinterpret_cast<void*>(memory::kStacks);
    const std::size_t size = memory::kThreads * kStackStride;
    void* const got = mmap(begin, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != begin) throw std::runtime_error("cannot reserve address space for the stacks of the program's threads");
  }
  for (; guarded < threads; ++guarded) {
    mprotect(reinterpret_cast<void*>(stackGuard(static_cast<ThreadId>(guarded))), kGuardBytes, PROT_NONE);
  }
}

void* prepareStack(ThreadId thread, void (*entry)()) {
  // From the stack pointer up: r15, r14, r13, r12, rbx, rbp, the return address, a spare word, and the private word;
  // behind the return address the stack is 16-byte aligned, as the call in heddle_fiber_entry needs it.
  void* frame[9] = {};
  frame[4] = reinterpret_cast<void*>(entry);
  frame[6] = reinterpret_cast<void*>(&heddle_fiber_entry);
  auto* const stack = reinterpret_cast<std::byte*>(stackTop(thread)) - sizeof frame;
  std::memcpy(stack, frame, sizeof frame);
  return stack;
}

}  // namespace heddle::native
