//! rc20: verified executions=1 blocked=0
// The operators of std::atomic return what the standard says.
#include <atomic>
#include <cassert>
#include <cstdint>

enum class Colour : std::uint8_t { red, green };
struct Small {
  std::uint8_t a, b, c;  // three bytes, padded to four
};

int main() {
  std::atomic<int> i{5};
  assert(i++ == 5 && ++i == 7 && i-- == 7 && --i == 5);
  assert((i += 3) == 8 && (i -= 2) == 6 && (i &= 3) == 2 && (i |= 9) == 11 && (i ^= 1) == 10);
  assert((i = 4) == 4 && i == 4);
  std::atomic<Colour> colour{Colour::red};
  assert(colour.exchange(Colour::green) == Colour::red && colour == Colour::green);
  std::atomic<unsigned char> narrow{255};
  assert(++narrow == 0 && narrow-- == 0 && narrow == 255);
  std::atomic<std::int16_t> signedNarrow{-1};
  assert((signedNarrow += 1) == 0);
  std::atomic<std::nullptr_t*> nothing{nullptr};
  assert(nothing.load() == nullptr);
  static_assert(std::atomic<long>::is_always_lock_free);
}
