#include <cassert>
#include <thread>

#include "first_queue.h"

int main() {
  Queue<int, 2> queue;
  std::thread producer([&] { queue.push(7); });
  if (const auto value = queue.pop()) assert(*value == 7);
  producer.join();
}
