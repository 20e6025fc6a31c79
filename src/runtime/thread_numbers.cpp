#include "runtime/thread_numbers.h"

#include <sys/mman.h>

#include <new>
#include <sstream>
#include <stdexcept>

namespace heddle::runtime {

ThreadNumbers::ThreadNumbers() {
  void* const shared = mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  table_ = new (shared) Table{};
}

ThreadNumbers::~ThreadNumbers() { munmap(table_, sizeof(Table)); }

ThreadId ThreadNumbers::of(ThreadId parent, std::uint32_t child) {
  const std::uint64_t key = (std::uint64_t{parent} << 32 | child) + 1;
  if (settler_) {  // what is known may have gaps
    for (ThreadId number = 1; number < kMost; ++number) {
      if ((*table_)[number] == key) return number;
    }
    const ThreadId number = settler_(parent, child);
    if (number < kMost) (*table_)[number] = key;
    return number;
  }
  for (ThreadId number = 1; number < kMost; ++number) {
    std::uint64_t known = 0;
    if ((*table_)[number].compare_exchange_strong(known, key) || known == key) return number;
  }
  return kMost;
}

std::string ThreadNumbers::toText() const {
  std::string text;
  for (unsigned number = 1; number < kMost && (*table_)[number] != 0; ++number) {
    text += (text.empty() ? "" : " ") + std::to_string((*table_)[number].load());
  }
  return text;
}

void ThreadNumbers::set(const std::string& text) {
  std::istringstream in(text);
  std::uint64_t key = 0;
  unsigned number = 1;
  for (; number < kMost && in >> key; ++number) (*table_)[number] = key;
  if (!in.eof()) throw std::invalid_argument("these are no thread numbers");
  for (; number < kMost; ++number) (*table_)[number] = 0;
}

}  // namespace heddle::runtime
