// Does it matter which of two results a call has?
//
// The function is written out for both: the result is replaced by a constant, and what follows from that is worked out. If the
// two come out the same, the program does not ask.
//
//     int result = pthread_barrier_wait(&barrier);
//     if (result != 0 && result != PTHREAD_BARRIER_SERIAL_THREAD) abort();
#pragma once

#include <cstdint>

namespace llvm {
class CallBase;
}

namespace heddle::native {

bool asksWhich(const llvm::CallBase& call, std::int64_t one, std::int64_t other);

}  // namespace heddle::native
