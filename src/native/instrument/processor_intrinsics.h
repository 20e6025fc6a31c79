// The compiler's intrinsics for what assembly.h understands: fences (_mm_mfence, ...), pause, the cycle counter (__rdtsc, ...).
#pragma once

namespace llvm {
class IntrinsicInst;
}  // namespace llvm

namespace heddle::native {

// False if it is none of them; otherwise the call is gone afterwards.
bool lowerProcessorIntrinsic(llvm::IntrinsicInst& call);

}  // namespace heddle::native
