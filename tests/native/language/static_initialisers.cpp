//! rc20: verified executions=2 blocked=0
//! rc20: error=assertion-failure line=@order flags="-- -DWRONG"
// Constructors of globals run before main, in order; they may start threads. Destructors run after it, in reverse.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>

std::vector<int> order;
std::atomic<int> counter{0};

struct Member {
  int number;
  explicit Member(int n) : number(n) { order.push_back(n); }
  ~Member() {
#ifdef WRONG
    assert(order.back() == number + 1);  // @order
#else
    assert(order.back() == number);
    order.pop_back();
#endif
  }
};

int compute() {
  return 40 + static_cast<int>(order.size());
}

Member first(1);
const int dynamic = compute();
Member second(2);
const std::string text = std::string("a long string that does not fit inside ") + std::to_string(dynamic);

struct Background {
  std::thread thread{[] { counter.fetch_add(1); }};
  ~Background() { thread.join(); }
} background;

int main() {
  assert(dynamic == 41 && order.size() == 2 && text.size() == 41);
  counter.fetch_add(1);
}
