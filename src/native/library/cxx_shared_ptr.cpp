// The lock behind std::atomic_load and its relatives on shared_ptr: one of a few mutexes, by the pointer's address.
// libstdc++ does the same.

#include <memory>

#include "primitives.h"

namespace std {

namespace {

constexpr unsigned kLocks = 32;
constexpr unsigned char kNone = 255;
uint32_t locks[kLocks];

unsigned char lockOf(const void* address) {
  return static_cast<unsigned char>(reinterpret_cast<uintptr_t>(address) / sizeof(shared_ptr<void>) % kLocks);
}

}  // namespace

_Sp_locker::_Sp_locker(const void* pointer) noexcept : _M_key1(lockOf(pointer)), _M_key2(kNone) {
  heddle_lock(&locks[_M_key1]);
}

// In the order of their numbers, so that two threads never wait for each other.
_Sp_locker::_Sp_locker(const void* one, const void* other) noexcept
    : _M_key1(min(lockOf(one), lockOf(other))), _M_key2(max(lockOf(one), lockOf(other))) {
  if (_M_key2 == _M_key1) _M_key2 = kNone;
  heddle_lock(&locks[_M_key1]);
  if (_M_key2 != kNone) heddle_lock(&locks[_M_key2]);
}

_Sp_locker::~_Sp_locker() {
  if (_M_key2 != kNone) heddle_unlock(&locks[_M_key2]);
  heddle_unlock(&locks[_M_key1]);
}

}  // namespace std
