// Loads from one of several local variables.
//
// std::min and its like return a reference to one of their arguments, which once inlined is a phi of the addresses of
// local variables, and a load from it. The load moves up to the places where the address is known, and the phi becomes one of
// values; otherwise the variables would have to live in frame memory for that reason alone.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::native {

void loadBeforePhis(llvm::Function& function);

}  // namespace heddle::native
