//! rc20: verified executions=1 blocked=0
// Every fetch operation returns the old value and stores the new one, in each width. One thread: one execution.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

#define CHECK(type, start, function, operand, result)    \
  do {                                                   \
    _Atomic type cell = (type)(start);                   \
    type old = function(&cell, (type)(operand));         \
    assert(old == (type)(start));                        \
    assert(atomic_load(&cell) == (type)(result));        \
  } while (0)

#define BOTH(type)                                                                   \
  CHECK(type, 12, atomic_fetch_add, 5, 17);                                          \
  CHECK(type, 12, atomic_fetch_sub, 5, 7);                                           \
  CHECK(type, 12, atomic_fetch_and, 10, 8);                                          \
  CHECK(type, 12, atomic_fetch_or, 10, 14);                                          \
  CHECK(type, 12, atomic_fetch_xor, 10, 6);                                          \
  CHECK(type, 12, atomic_exchange, 10, 10);                                          \
  CHECK(type, -1, atomic_fetch_add, 1, 0);                                           \
  CHECK(type, 0, atomic_fetch_sub, 1, -1);                                           \
  CHECK(type, -1, atomic_fetch_xor, -1, 0)

#define PLAIN(type, start, builtin, operand, result)                 \
  do {                                                               \
    type cell = (type)(start);                                       \
    type old = builtin(&cell, (type)(operand), __ATOMIC_SEQ_CST);    \
    assert(old == (type)(start));                                    \
    assert(__atomic_load_n(&cell, __ATOMIC_SEQ_CST) == (type)(result)); \
  } while (0)

int main(void) {
  BOTH(int8_t);
  BOTH(uint8_t);
  BOTH(int16_t);
  BOTH(uint16_t);
  BOTH(int32_t);
  BOTH(uint32_t);
  BOTH(int64_t);
  BOTH(uint64_t);
  PLAIN(int8_t, -3, __atomic_fetch_max, 2, 2);
  PLAIN(uint8_t, -3, __atomic_fetch_max, 2, -3);
  PLAIN(int8_t, -3, __atomic_fetch_min, 2, -3);
  PLAIN(uint8_t, -3, __atomic_fetch_min, 2, 2);
  PLAIN(int16_t, -3, __atomic_fetch_max, 2, 2);
  PLAIN(int32_t, -3, __atomic_fetch_min, 2, -3);
  PLAIN(uint32_t, -3, __atomic_fetch_min, 2, 2);
  PLAIN(int64_t, -3, __atomic_fetch_max, 2, 2);
  PLAIN(uint64_t, -3, __atomic_fetch_max, 2, -3);
  PLAIN(uint16_t, 0xff0f, __atomic_fetch_nand, 0x00ff, 0xfff0);
  PLAIN(int32_t, 6, __atomic_fetch_nand, 3, ~2);
  return 0;
}
