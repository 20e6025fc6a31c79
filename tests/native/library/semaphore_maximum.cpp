//! rc20: verified executions=1 blocked=0 flags="-- -std=c++20"
//! rc20: error=misuse line=@two text="above its maximum" flags="-- -std=c++20 -DTWO"
//! rc20: error=misuse line=@initial flags="-- -std=c++20 -DINITIAL"
//! rc20: error=misuse line=@binary flags="-- -std=c++20 -DBINARY"
//! sc: error=misuse line=@binary flags="--equivalence rf -- -std=c++20 -DBINARY"
// A counting semaphore must not count above its maximum.
#include <semaphore>
#include <thread>

int main() {
#if defined(INITIAL)
  std::counting_semaphore<2> semaphore(3);  // @initial
#elif defined(BINARY)
  std::binary_semaphore semaphore(0);
  const auto release = [&] { semaphore.release(); };  // @binary
  std::thread other(release);
  release();
  other.join();
#else
  std::counting_semaphore<2> semaphore(1);
  semaphore.release();
  semaphore.acquire();
#ifdef TWO
  semaphore.release(2);  // @two
#endif
#endif
}
