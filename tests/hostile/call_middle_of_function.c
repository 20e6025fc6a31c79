// A call of the middle of an instruction, where the bytes are a system call.
//! outcome: error wild-call
#include <stdint.h>
volatile uint32_t sink;
__attribute__((noinline)) void function(void) { sink = 0xc3050f90; }  // nop; syscall; ret
int main(void) { ((void (*)(void))((char *)&function + 7))(); }
