//! rc20: verified executions=0 blocked=1 flags="-- -std=c++20"
//! rc20: error=assertion-failure line=@assert flags="-- -std=c++20 -DBUG"
// exit in any thread ends the program, though main waits for another one for ever. BUG: a handler that fails.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> never{0};

int main() {
#ifdef BUG
  std::atexit([] { assert(false); });  // @assert
#endif
  std::thread([] { std::exit(0); }).detach();
  never.wait(0);
}
