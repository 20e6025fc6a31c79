//! rc20: verified executions=2 flags="tests/native/input/parts/second_file.c"
// A C file and a C++ file together.
#include <atomic>
#include <cassert>
#include <thread>

extern "C" void* second_file_add(void*);
extern "C" std::atomic<int> shared_counter;

int main() {
  std::thread other(second_file_add, nullptr);
  second_file_add(nullptr);
  other.join();
  assert(shared_counter == 2);
}
