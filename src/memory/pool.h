// Pool: small records of one type, named by number, that come and go.
//
// Numbers fit into shadow cells and log entries, and the records never move. 0 names none. A sanitizer sees records that
// were given back as freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/arena.h"
#include "graph/graph.h"
#include "memory/poison.h"

namespace heddle::memory {

template <typename T>
class Pool {
 public:
  Pool() : records_(kCapacity) {}
  ~Pool() { clear(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  T& operator[](std::uint32_t id) { return records_[id]; }
  const T& operator[](std::uint32_t id) const { return records_[id]; }

  std::uint32_t take() {
    std::uint32_t id;
    if (free_.empty()) {
      if (top_ == kCapacity) throw LimitError("the program's memory is shared in too many small pieces");
      id = top_++;
    } else {
      id = free_.back();
      free_.pop_back();
      unpoison(&records_[id], sizeof(T));
    }
    records_[id] = T{};
    return id;
  }
  void give(std::uint32_t id) {
    free_.push_back(id);
    poison(&records_[id], sizeof(T));
  }

  std::size_t used() const { return top_ - 1 - free_.size(); }
  void clear() {
    unpoison(records_.data(), top_ * sizeof(T));
    top_ = 1;
    free_.clear();
  }

 private:
  static constexpr std::uint32_t kCapacity = 1u << 24;
  Arena<T> records_;
  std::vector<std::uint32_t> free_;
  std::uint32_t top_ = 1;
};

}  // namespace heddle::memory
