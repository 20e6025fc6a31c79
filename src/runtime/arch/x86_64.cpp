// x86-64, with the calling convention of the System V ABI.

#include "runtime/arch/processor.h"

#ifdef __x86_64__

#include <cstddef>
#include <cstring>

// The callee-saved registers of the ABI. A jump also needs where its target goes on, and with which stack pointer. The entry of a
// fiber has no return address: `.cfi_undefined rip` tells the unwinder that it is the outermost frame, so that an exception
// nobody catches ends in std::terminate.
asm(R"(
    .macro heddle_push_saved
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    .endm

    .text
    .globl heddle_switch
    .globl heddle_switch_back
    .type heddle_switch, @function
heddle_switch:
    heddle_push_saved
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

    .globl heddle_set_jump
    .type heddle_set_jump, @function
heddle_set_jump:
    movq (%rsp), %rax
    leaq 8(%rsp), %rcx
    pushq %rax
    pushq %rcx
    heddle_push_saved
    movq %rsp, %rcx
    subq $8, %rsp
    callq heddle_note_jump@PLT
    addq $72, %rsp
    xorl %eax, %eax
    ret
    .size heddle_set_jump, .-heddle_set_jump

    .globl heddle_return_again
    .type heddle_return_again, @function
heddle_return_again:
    movl %esi, %eax
    movq 0(%rdi), %r15
    movq 8(%rdi), %r14
    movq 16(%rdi), %r13
    movq 24(%rdi), %r12
    movq 32(%rdi), %rbx
    movq 40(%rdi), %rbp
    movq 48(%rdi), %rsp
    jmpq *56(%rdi)
    .size heddle_return_again, .-heddle_return_again

    .globl heddle_fiber_entry
    .type heddle_fiber_entry, @function
heddle_fiber_entry:
    .cfi_startproc
    .cfi_undefined rip
    callq *%rbx
    ud2
    .cfi_endproc
    .size heddle_fiber_entry, .-heddle_fiber_entry

    .purgem heddle_push_saved
)");

extern "C" {
void heddle_switch_back();
void heddle_fiber_entry();
}

namespace heddle::runtime::arch {

void* prepareStack(void* top, void (*entry)()) {
  // From the stack pointer up: r15, r14, r13, r12, rbx, rbp, the return address. Behind that the stack is 16-byte aligned, as
  // the call in heddle_fiber_entry needs it.
  void* frame[7] = {};
  frame[4] = reinterpret_cast<void*>(entry);
  frame[6] = reinterpret_cast<void*>(&heddle_fiber_entry);
  auto* const stack = static_cast<std::byte*>(top) - sizeof frame;
  std::memcpy(stack, frame, sizeof frame);
  return stack;
}

Address placeOf(const ucontext_t& interrupted) { return static_cast<Address>(interrupted.uc_mcontext.gregs[REG_RIP]); }

void continueAt(ucontext_t& interrupted, void* stackPointer) {
  interrupted.uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(stackPointer);
  interrupted.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&heddle_switch_back);
}

}  // namespace heddle::runtime::arch

#endif
