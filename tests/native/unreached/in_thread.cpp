//! rc20,sc: error=unsupported line=@call thread=2 text="rmdir is not modelled"
//! rc20: verified executions=2 flags="-- -DSTUB"
// Only one of two orders comes to the call. A stub in the program takes the place of the function.
#include <unistd.h>

#include <atomic>
#include <thread>

std::atomic<int> seen, first;

#ifdef STUB
extern "C" int rmdir(const char*) noexcept { return 0; }
#endif

int main() {
  std::thread one([] { seen.store(1, std::memory_order_relaxed); });
  std::thread two([] {
    if (seen.load(std::memory_order_relaxed) == 1 && rmdir("log") != 0)  // @call
      first = 1;
  });
  one.join();
  two.join();
}
