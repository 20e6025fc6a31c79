// The compiler's intrinsics for what assembly.h understands: fences (_mm_mfence, ...), flushes of cache lines (_mm_clflush, ...), pause, transactions (_xbegin, ...),
// the cycle counter (__rdtsc, ...).
#pragma once

#include <llvm/IR/IntrinsicInst.h>

#include "native/instrument/shared_state.h"

namespace heddle::native {

// False if it is none of them; otherwise the call is gone afterwards.
bool lowerProcessorIntrinsic(Instrumentation& instrumentation, llvm::IntrinsicInst& call);

// A store past the caches (_mm_stream_si32, ...) is a store and a flush of its line that sfence waits for.
void lowerStreaming(Instrumentation& instrumentation, llvm::StoreInst& store);

// A flush of the cache line of an address, or a wait for flushes; nothing if crashes are not explored, as nobody else can tell.
void emitFlush(Instrumentation& instrumentation, llvm::IRBuilder<>& builder, llvm::Value* address, Flush what);

}  // namespace heddle::native
