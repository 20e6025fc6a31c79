//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// dynamic_cast reads the type of the object, which another thread may have replaced by one of another type.
#include <cassert>
#include <mutex>
#include <new>
#include <thread>
#include <atomic>
struct A { virtual ~A() {} };
struct B : A { }; struct C : A { };
std::mutex m;
alignas(8) static char place[16];
static int isB, isC;
int main() {
  new (place) B;
  std::thread t([] { std::lock_guard<std::mutex> l(m); new (place) C; isC = 1; });
  m.lock();
  isB = dynamic_cast<B *>(reinterpret_cast<A *>(place)) != nullptr;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  assert(isB == !isC);
  m.unlock();
  t.join();
}
