// Objects that a function has made, and that no pointer in memory leads to yet.
//
//     node = malloc(...);
//     do {
//       node->next = top;
//       node->depth = top ? top->depth + 1 : 0;       top is a pointer that was read: it does not lead to node
//     } while (!head.compare_exchange(top, node));    if this fails, node is still nobody's business
//
// The address of such an object has not been stored, nor given to other code, where the loop goes round. A compare-exchange
// that would publish it has failed there.
#pragma once

#include <functional>

namespace llvm {
class Instruction;
class Loop;
class Value;
}  // namespace llvm

namespace heddle::native {

// Has an instruction done nothing whenever the loop goes round?
using IsInVain = std::function<bool(const llvm::Instruction&)>;

// Is `base`, which is what an address begins with, an object of the function's own, to which no pointer that the loop may read
// can lead?
bool isHidden(const llvm::Value& base, const llvm::Loop& loop, const IsInVain& isInVain);

// Is the pointer one that was read from memory, or null? Such a pointer leads to no hidden object.
bool comesFromMemory(const llvm::Value& pointer);

}  // namespace heddle::native
