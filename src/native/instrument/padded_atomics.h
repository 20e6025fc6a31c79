// Atomic structures of C whose size is no power of two.
//
// clang makes `_Atomic struct { char c[3]; }` an atomic object of four bytes. Values that are stored or compared are copied to a
// temporary object of that size first. Two things are missing there:
//
// - Nobody writes the bytes behind the structure, and a compare-exchange compares them as well. They are 0 in an atomic object
//   that was initialised, so here they are made 0 in the temporary object.
// - A compare-exchange that fails writes what it has found to the temporary object, and not to what the program has called
//   `expected`. C says that this is written (7.17.7.4), so it is copied.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

void completePaddedAtomics(llvm::Function& function);

}  // namespace heddle::native
