// What an instruction may change, as far as a loop is concerned (loops.h).
#pragma once

#include <cstdint>

#include "native/pipeline.h"

namespace llvm {
class Instruction;
}

namespace heddle::native {

enum class Effect : std::uint8_t {
  none,
  ifSucceeds,     // a compare-exchange
  ifReturnsZero,  // a library function that tries to take a mutex, and only reads if it cannot
  ifChanges,      // a plain store, or a read-modify-write: an effect if it stores another value than is there
  lock,           // of a mutex, and
  unlock,         // no effect if they come in pairs and nobody tries to take it meanwhile
  certain,
};

Effect effectOf(const llvm::Instruction& instruction, const BuildOptions& options);

// Does it read something that another thread may change meanwhile, so that waiting can end?
bool readsShared(const llvm::Instruction& instruction, const BuildOptions& options);

}  // namespace heddle::native
