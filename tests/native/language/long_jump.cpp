//! rc20: verified executions=2 blocked=0 flags="--leaks"
// A C++ program that calls a C library with errors by longjmp, and throws exceptions: before, after and around jumps.
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

struct Image {
  std::jmp_buf failed;
  int rows = 0;
};

static void readRow(Image& image, int row) {
  int pixels[8] = {row};
  int* volatile first = pixels;
  if (*first == 3) std::longjmp(image.failed, row);
  image.rows++;
}

// No object with a destructor lives where the jump passes.
static int decode(Image& image) {
  if (const int row = setjmp(image.failed)) return row;
  for (int row = 0; row < 5; row++) readRow(image, row);
  return 0;
}

static std::string load() {
  Image image;
  try {
    const int row = decode(image);
    if (row != 0) throw std::runtime_error("row " + std::to_string(row) + " of " + std::to_string(image.rows));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// A handler is around the jump, which does not leave it.
static int throwInside() {
  std::jmp_buf again;
  volatile int tries = 0;
  if (setjmp(again) < 2) {
    tries = tries + 1;
    try {
      if (tries == 1) throw 5;
    } catch (int) {
    }
    std::longjmp(again, tries);
  }
  return tries;
}

static std::atomic<int> flag;

int main() {
  std::thread thread([] {
    assert(load() == "row 3 of 3");
    flag.store(1, std::memory_order_relaxed);
    assert(throwInside() == 2);
  });
  assert(throwInside() == 2);
  const std::function<std::string()> reader = load;
  if (flag.load(std::memory_order_relaxed) == 1) assert(reader() == "row 3 of 3");
  thread.join();
}
