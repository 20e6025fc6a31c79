//! rc20: verified executions=1
// The empty assembly of benchmark libraries, which makes a value opaque: it stays what it is.
#include <cassert>

template <class T>
T opaque(T value) {
  __asm__ volatile("" : "+r"(value) : : "memory");
  return value;
}

int main() {
  int number = 42;
  assert(opaque(number) == 42);
  __asm__ volatile("" : : "g"(number) : "memory");
  int* const pointer = opaque(&number);
  assert(pointer == &number && *pointer == 42);
}
