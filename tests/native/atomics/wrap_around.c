//! rc20: verified executions=1 blocked=0
// Atomics of one, two, four and eight bytes wrap around at their own width, signed and unsigned. One thread: one
// execution.
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

int main(void) {
  _Atomic uint8_t u8 = 255;
  assert(atomic_fetch_add(&u8, 1) == 255 && atomic_load(&u8) == 0);
  assert(atomic_fetch_sub(&u8, 1) == 0 && atomic_load(&u8) == 255);
  _Atomic int8_t i8 = 127;
  assert(atomic_fetch_add(&i8, 1) == 127 && atomic_load(&i8) == -128);
  assert(atomic_fetch_sub(&i8, 1) == -128 && atomic_load(&i8) == 127);
  _Atomic uint16_t u16 = 65535;
  assert(atomic_fetch_add(&u16, 2) == 65535 && atomic_load(&u16) == 1);
  _Atomic int16_t i16 = -32768;
  assert(atomic_fetch_sub(&i16, 1) == -32768 && atomic_load(&i16) == 32767);
  _Atomic uint32_t u32 = UINT32_MAX;
  assert(atomic_fetch_add(&u32, 1) == UINT32_MAX && atomic_load(&u32) == 0);
  _Atomic int32_t i32 = INT32_MAX;
  assert(atomic_fetch_add(&i32, 1) == INT32_MAX && atomic_load(&i32) == INT32_MIN);
  _Atomic uint64_t u64 = UINT64_MAX;
  assert(atomic_fetch_add(&u64, 1) == UINT64_MAX && atomic_load(&u64) == 0);
  _Atomic int64_t i64 = INT64_MIN;
  assert(atomic_fetch_sub(&i64, 1) == INT64_MIN && atomic_load(&i64) == INT64_MAX);
  return 0;
}
