#include "runtime/fiber.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace heddle::runtime {

void mapStacks(unsigned threads) {
  static unsigned guarded = 0;
  if (guarded == 0) {
    void* const begin = reinterpret_cast<void*>(memory::kStacks);
    const std::size_t size = memory::kThreads * kStackStride;
    void* const got =
        mmap(begin, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != begin) {
      throw std::system_error(got == MAP_FAILED ? errno : EEXIST, std::generic_category(),
                              "cannot reserve address space for the stacks of the program's threads");
    }
  }
  for (; guarded < threads; ++guarded) {
    if (mprotect(reinterpret_cast<void*>(stackGuard(static_cast<ThreadId>(guarded))), kGuardBytes, PROT_NONE) != 0) {
      throw std::system_error(errno, std::generic_category(), "cannot guard the stacks of the program's threads");
    }
  }
}

// The uppermost word is the private one; with a spare one the rest is aligned.
void* prepareStack(ThreadId thread, void (*entry)()) {
  auto* const top = reinterpret_cast<std::byte*>(stackTop(thread)) - 2 * sizeof(std::uint64_t);
  std::memset(top, 0, 2 * sizeof(std::uint64_t));
  return arch::prepareStack(top, entry);
}

}  // namespace heddle::runtime
