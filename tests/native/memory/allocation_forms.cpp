//! rc20: verified executions=1 flags="--leaks -- -std=c++17"
// Every form of new and delete, and the C functions, with the alignment they promise.
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

struct alignas(128) Wide {
  char bytes[128];
};

struct Counted {
  static int alive;
  int number = 7;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};
int Counted::alive = 0;

bool aligned(const void* address, std::uintptr_t alignment) {
  return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

int main() {
  int* const one = new int(3);
  int* const many = new int[10]();
  assert(*one == 3 && many[9] == 0);
  delete one;
  delete[] many;
  int* const quiet = new (std::nothrow) int;
  assert(quiet != nullptr);
  delete quiet;
  Wide* const wide = new Wide;
  assert(aligned(wide, 128));
  delete wide;
  Wide* const wides = new Wide[2];
  assert(aligned(wides + 1, 128));
  delete[] wides;
  Counted* const three = new Counted[3];
  assert(Counted::alive == 3 && three[2].number == 7);
  delete[] three;
  assert(Counted::alive == 0);
  alignas(Counted) unsigned char room[sizeof(Counted)];
  Counted* const placed = new (room) Counted;
  assert(placed->number == 7);
  placed->~Counted();
  void* const raw = ::operator new(100, std::align_val_t(64));
  assert(aligned(raw, 64));
  ::operator delete(raw, std::align_val_t(64));
  void* const c = std::aligned_alloc(256, 512);
  assert(aligned(c, 256));
  std::free(c);
  void* const zeros = std::calloc(4, 8);
  assert(static_cast<long*>(zeros)[3] == 0 && aligned(zeros, 16));
  std::free(zeros);
  std::free(nullptr);
  delete static_cast<int*>(nullptr);
}
