//! rc20: verified executions=1
//! rc20: error=invalid-free line=@size flags="-- -DSIZE"
//! rc20: error=invalid-free line=@form flags="-- -DFORM"
// Every form of new and delete. SIZE: a derived object deleted as its base, without a virtual destructor. FORM: new[]
// and delete.
#include <cassert>
#include <cstdint>
#include <new>

struct alignas(64) Wide {
  char bytes[64];
};
struct Base {
  int x = 1;
};
struct Derived : Base {
  int y[8] = {};
};

int main() {
  delete new int(1);
  delete[] new int[3];
  Wide* wide = new Wide;
  assert(reinterpret_cast<std::uintptr_t>(wide) % 64 == 0);
  delete wide;
  delete[] new Wide[2];
  int* quiet = new (std::nothrow) int(2);
  operator delete(quiet, std::nothrow);
  operator delete(operator new(10), std::size_t{10});
  operator delete[](operator new[](10, std::align_val_t(32)), std::align_val_t(32));
#ifdef SIZE
  Base* base = new Derived;
  delete base;  // @size
#endif
#ifdef FORM
  int* array = new int[3];
  delete array;  // @form
#endif
}
