// What an instruction may change, as far as a loop is concerned (loops.h).
#pragma once

#include <cstdint>

#include "native/pipeline.h"

namespace llvm {
class Instruction;
}  // namespace llvm

namespace heddle::native {

enum class Effect : std::uint8_t {
  none,
  ifSucceeds,     // a compare-exchange
  ifReturnsZero,  // a library function that tries to take a mutex, and only reads if it cannot
  ifChanges,      // a plain store, or a read-modify-write: an effect if it stores another value than is there
  ifRaced,        // a plain store with --races off: an event if the bytes are raced for, otherwise as ifChanges
  ifNew,          // an atomic store: no effect if the thread has written the same there before (redone_stores.h)
  lock,           // of a mutex, and
  unlock,         // no effect if they come in pairs and nobody tries to take it meanwhile
  unknown,        // a call of code of the program that is not looked into: what it has changed is known when it has run
  certain,
};

Effect effectOf(const llvm::Instruction& instruction, const BuildOptions& options);

// Does it read something that another thread may change meanwhile, so that waiting can end?
bool readsShared(const llvm::Instruction& instruction, const BuildOptions& options);

}  // namespace heddle::native
