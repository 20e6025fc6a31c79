// Random numbers, which are the same in every run: each thread has a sequence of its own.

#include <stdlib.h>

#include <random>

#include "failure.h"

// Random numbers have to be good for something, so they are not all explored: a program that cares says heddle_choose.
#define WARN_OF_SEQUENCE(function) WARN_OF_ONE_RESULT(function " gave one fixed sequence of numbers")

namespace {

__thread uint64_t state = 1;

unsigned draw(uint64_t& from) {
  from = from * 6364136223846793005 + 1442695040888963407;
  return static_cast<unsigned>(from >> 33);
}

}  // namespace

extern "C" {

int rand(void) {
  WARN_OF_SEQUENCE("rand");
  return static_cast<int>(draw(state));
}
void srand(unsigned seed) { state = seed; }
long random(void) {
  WARN_OF_SEQUENCE("random");
  return static_cast<long>(draw(state));
}
void srandom(unsigned seed) { state = seed; }

int rand_r(unsigned* seed) {
  WARN_OF_SEQUENCE("rand_r");
  uint64_t from = *seed;
  const unsigned result = draw(from);
  *seed = static_cast<unsigned>(from >> 16);
  return static_cast<int>(result);
}

double drand48(void) {
  WARN_OF_SEQUENCE("drand48");
  return draw(state) / 2147483648.0;
}
long lrand48(void) {
  WARN_OF_SEQUENCE("lrand48");
  return static_cast<long>(draw(state));
}
void srand48(long seed) { state = static_cast<uint64_t>(seed); }

}  // extern "C"

namespace std {

void random_device::_M_init(const string&) {}
void random_device::_M_fini() {}
random_device::result_type random_device::_M_getval() {
  WARN_OF_SEQUENCE("random_device");
  return draw(state) << 1 ^ draw(state);
}
double random_device::_M_getentropy() const noexcept { return 0; }

}  // namespace std
