// An exception whose destructor is a wild pointer.
//! outcome: error wild-call
extern "C" void *__cxa_allocate_exception(unsigned long) noexcept;
extern "C" void __cxa_throw(void *, void *, void (*)(void *));
#include <typeinfo>
int main() {
  try {
    __cxa_throw(__cxa_allocate_exception(4), const_cast<std::type_info *>(&typeid(int)), reinterpret_cast<void (*)(void *)>(0x401000));
  } catch (...) {
  }
}
