// Type information of the fundamental types and of pointers to them, which libstdc++ has in its compiled library. With
// it here a program's typeid never refers to memory that is not the program's. The host's runtime, which catches
// exceptions, compares types by their names, and so does not mind.

#include <stdint.h>

extern "C" const void* const fundamentalTable[] __asm__("_ZTVN10__cxxabiv123__fundamental_type_infoE");
extern "C" const void* const pointerTable[] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE");

namespace heddle::library {

// As the C++ ABI lays them out: the table of virtual functions, two entries in, and the name.
struct Fundamental {
  const void* const* table;
  const char* name;
};

struct Pointer {
  const void* const* table;
  const char* name;
  uint32_t flags;  // 1: to const
  const Fundamental* pointee;
};

}  // namespace heddle::library

#define TYPE(code)                                                                                \
  extern const heddle::library::Fundamental type_##code __asm__("_ZTI" #code);                    \
  extern const heddle::library::Pointer pointer_##code __asm__("_ZTIP" #code);                    \
  extern const heddle::library::Pointer constant_##code __asm__("_ZTIPK" #code);                  \
  const heddle::library::Fundamental type_##code = {fundamentalTable + 2, #code};                 \
  const heddle::library::Pointer pointer_##code = {pointerTable + 2, "P" #code, 0, &type_##code}; \
  const heddle::library::Pointer constant_##code = {pointerTable + 2, "PK" #code, 1, &type_##code};

TYPE(v)
TYPE(b)
TYPE(c)
TYPE(a)
TYPE(h)
TYPE(s)
TYPE(t)
TYPE(i)
TYPE(j)
TYPE(l)
TYPE(m)
TYPE(x)
TYPE(y)
TYPE(n)
TYPE(o)
TYPE(f)
TYPE(d)
TYPE(e)
TYPE(g)
TYPE(w)
TYPE(Du)
TYPE(Ds)
TYPE(Di)
TYPE(Dn)
