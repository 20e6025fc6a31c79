// Random numbers, which are the same in every run: each thread has a sequence of its own.

#include <stdlib.h>

#include <random>

namespace {

__thread uint64_t state = 1;

unsigned draw(uint64_t& from) {
  from = from * 6364136223846793005 + 1442695040888963407;
  return static_cast<unsigned>(from >> 33);
}

}  // namespace

extern "C" {

int rand(void) { return static_cast<int>(draw(state)); }
void srand(unsigned seed) { state = seed; }
long random(void) { return static_cast<long>(draw(state)); }
void srandom(unsigned seed) { state = seed; }

int rand_r(unsigned* seed) {
  uint64_t from = *seed;
  const unsigned result = draw(from);
  *seed = static_cast<unsigned>(from >> 16);
  return static_cast<int>(result);
}

double drand48(void) { return draw(state) / 2147483648.0; }
long lrand48(void) { return static_cast<long>(draw(state)); }
void srand48(long seed) { state = static_cast<uint64_t>(seed); }

}  // extern "C"

namespace std {

void random_device::_M_init(const string&) {}
void random_device::_M_fini() {}
random_device::result_type random_device::_M_getval() { return draw(state) << 1 ^ draw(state); }
double random_device::_M_getentropy() const noexcept { return 0; }

}  // namespace std
