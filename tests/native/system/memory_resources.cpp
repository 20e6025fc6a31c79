//! rc20: verified executions=3 blocked=0
//! rc20: error=use-after-free line=@released flags="-- -DRELEASED"
//! rc20: error=data-race line=@error flags="-- -DUNSYNCHRONISED"
// std::pmr: the default resource, buffers, and pools that threads share.
#include <array>
#include <cassert>
#include <list>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

#ifdef UNSYNCHRONISED
using Pool = std::pmr::unsynchronized_pool_resource;
#else
using Pool = std::pmr::synchronized_pool_resource;
#endif

int main() {
  std::array<std::byte, 64> buffer;
  std::pmr::monotonic_buffer_resource monotonic(buffer.data(), buffer.size());
  std::pmr::vector<int> numbers(&monotonic);
  for (int i = 0; i < 20; ++i) numbers.push_back(i);
  assert(numbers[19] == 19);

  std::pmr::unsynchronized_pool_resource strings;
  std::pmr::list<std::pmr::string> list(&strings);
  list.emplace_back("a string that is too long to be kept in place");
  list.emplace_back("b");
  assert(list.back() == "b" && list.front().get_allocator().resource() == &strings);
  list.clear();
#ifdef RELEASED
  auto* kept = static_cast<int*>(strings.allocate(sizeof(int)));
  *kept = 1;
  strings.release();
  assert(*kept == 1);  // @released
#endif
  assert(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
  assert(std::pmr::set_default_resource(&strings) == std::pmr::new_delete_resource());
  assert(std::pmr::get_default_resource() == &strings && std::pmr::set_default_resource(nullptr) == &strings);

  Pool pool;
  std::thread other([&] {
    void* const block = pool.allocate(10);
    pool.deallocate(block, 10);
  });
  (void)pool.allocate(20);  // @error
  other.join();
}
