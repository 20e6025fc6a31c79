// x86-64, with the calling convention of the System V ABI.

#include "native/jit/arch/stubs.h"

#ifdef __x86_64__

#include <cstring>
#include <initializer_list>

// The number is in r10, which holds no argument in C and C++. The thread's stack is not touched: if it is full, the function
// itself shall find out. Saved are the registers that pass arguments, and al, which says how many vectors are passed.
asm(R"(
    .text
    .globl heddle_generate_entry
    .type heddle_generate_entry, @function
heddle_generate_entry:
    movq %rsp, %r11
    movq heddle_generate_stack(%rip), %rsp
    pushq %r11
    pushq %rax
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    subq $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl %r10d, %edi
    callq heddle_generate
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $128, %rsp
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rax
    popq %rsp
    jmpq *%r11
    .size heddle_generate_entry, .-heddle_generate_entry

    .globl heddle_improve_entry
    .type heddle_improve_entry, @function
heddle_improve_entry:
    movq %rsp, %r11
    movq heddle_generate_stack(%rip), %rsp
    pushq %r11
    subq $8, %rsp
    callq heddle_improve
    addq $8, %rsp
    popq %rsp
    ret
    .size heddle_improve_entry, .-heddle_improve_entry
)");

extern "C" void heddle_generate_entry();

namespace heddle::native {
namespace {

// Instructions, one after the other.
class Code {
 public:
  explicit Code(std::byte* at) : at_(at) {}

  Code& bytes(std::initializer_list<unsigned char> values) {
    for (const unsigned char value : values) *at_++ = std::byte{value};
    return *this;
  }
  template <class T>
  Code& constant(T value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
    return *this;
  }

 private:
  std::byte* at_;
};

constexpr std::size_t kSecondHalf = 16;

}  // namespace

void writeStub(std::byte* stub, std::uint32_t number, void** slot) {
  Code(stub)
      .bytes({0x49, 0xbb})  // movabs $slot, %r11
      .constant(slot)
      .bytes({0x41, 0xff, 0x23});  // jmp *(%r11)
  Code(stub + kSecondHalf)
      .bytes({0x41, 0xba})  // mov $number, %r10d
      .constant(number)
      .bytes({0x49, 0xbb})  // movabs $heddle_generate_entry, %r11
      .constant(&heddle_generate_entry)
      .bytes({0x41, 0xff, 0xe3});  // jmp *%r11
  *slot = stub + kSecondHalf;
}

}  // namespace heddle::native

#endif
