// longjmp. setjmp, which returns twice, is a hook of its own (native/instrument/set_jumps.h). The mask of signals is not kept: no
// signal ever comes.

#include "primitives.h"

extern "C" {

[[noreturn]] void longjmp(void* buffer, int value) { heddle_jump(buffer, static_cast<uint32_t>(value)); }
[[noreturn]] void _longjmp(void* buffer, int value) { heddle_jump(buffer, static_cast<uint32_t>(value)); }
[[noreturn]] void siglongjmp(void* buffer, int value) { heddle_jump(buffer, static_cast<uint32_t>(value)); }
[[noreturn]] void __longjmp_chk(void* buffer, int value) { heddle_jump(buffer, static_cast<uint32_t>(value)); }

}  // extern "C"
