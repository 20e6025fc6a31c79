//! rc20,sc: verified executions=1840 blocked=2657 flags="--leaks"
//! rc20: error=data-race line=@use flags="-- -DBUG"
// A pool that hands out objects and takes them back. The free ones are a stack of indices; a version number next to the
// first index keeps a late compare-exchange from succeeding. BUG: an object is put back without release order, so its next
// user does not see what its last user did.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>

#ifdef BUG
constexpr auto giveBack = std::memory_order_relaxed;
#else
constexpr auto giveBack = std::memory_order_release;
#endif

template <class T, std::uint32_t Capacity>
class ObjectPool {
 public:
  ObjectPool() {
    for (std::uint32_t i = 0; i < Capacity; ++i) cells_[i].next.store(i + 1, std::memory_order_relaxed);
  }

  // None if all are in use.
  T* acquire() {
    Head head = head_.load(std::memory_order_acquire);
    while (head.first != Capacity) {
      const Head rest{cells_[head.first].next.load(std::memory_order_relaxed), head.version + 1};
      if (head_.compare_exchange_weak(head, rest, std::memory_order_acquire)) return &cells_[head.first].object;
    }
    return nullptr;
  }

  void release(T* object) {
    const std::uint32_t index = indexOf(object);
    Head head = head_.load(std::memory_order_relaxed);
    Head mine;
    do {
      cells_[index].next.store(head.first, std::memory_order_relaxed);
      mine = {index, head.version + 1};
    } while (!head_.compare_exchange_weak(head, mine, giveBack, std::memory_order_relaxed));
  }

 private:
  struct Cell {
    T object{};
    std::atomic<std::uint32_t> next{0};
  };

  struct Head {
    std::uint32_t first, version;
  };

  std::uint32_t indexOf(const T* object) const {
    std::uint32_t index = 0;
    while (&cells_[index].object != object) ++index;
    return index;
  }

  std::array<Cell, Capacity> cells_;
  std::atomic<Head> head_{Head{0, 0}};
};

struct Connection {
  int id = 0;
  int requests = 0;
};

int main() {
  ObjectPool<Connection, 2> pool;
  auto client = [&pool] {
    Connection* const connection = pool.acquire();
    assert(connection != nullptr);
    ++connection->requests;  // @use
    pool.release(connection);
  };
  std::thread first(client), second(client);
  first.join();
  second.join();
  Connection* const one = pool.acquire();
  Connection* const other = pool.acquire();
  assert(one != nullptr && other != nullptr && one != other);
  assert(pool.acquire() == nullptr);
  assert(one->requests + other->requests == 2);
  pool.release(one);
  pool.release(other);
}
