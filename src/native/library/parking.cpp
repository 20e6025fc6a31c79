// The words of parking.h.

#include "parking.h"

namespace heddle::library {
namespace {

constexpr Parked allParked() {
  Parked parked{};
  for (uint32_t& word : parked.words) word = 1;
  return parked;
}

}  // namespace

constinit Parked parked = allParked();

}  // namespace heddle::library
