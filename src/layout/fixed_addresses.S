# Fixed addresses for what virtual tables and type information of LLVM and clang refer to in the C++ library.
#
# The type information of each of their 5,000 classes points to one of a few virtual tables of libstdc++, and abstract
# classes to __cxa_pure_virtual. By themselves these pointers are left to the dynamic linker, which then has to touch, and
# so to copy, most of the executable's constant data in every run. A reference from data that cannot be written makes
# the linker give these few objects an address in the executable: the tables are copied there when the program starts,
# and the pointers are constants.
  .section .rodata.heddle_fixed_addresses, "aR", @progbits
  .balign 8
  .quad _ZTVN10__cxxabiv117__class_type_infoE
  .quad _ZTVN10__cxxabiv120__si_class_type_infoE
  .quad _ZTVN10__cxxabiv121__vmi_class_type_infoE
  .quad _ZTVN10__cxxabiv119__pointer_type_infoE
  .quad _ZTVN10__cxxabiv120__function_type_infoE
  .quad __cxa_pure_virtual
  .quad _ZNKSt13runtime_error4whatEv
  .section .note.GNU-stack, "", @progbits
