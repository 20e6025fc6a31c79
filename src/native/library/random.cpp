// Random numbers. They are the same in every run, and each thread has a sequence of its own; unless they are explored.

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <random>

#include "explored_inputs.h"
#include "failure.h"

// Random numbers have to be good for something, so they are not all explored, unless --explore rand=N says so.
#define WARN_OF_SEQUENCE(function)                                                                                             \
  if (heddle_inputs.random == 0) {                                                                                             \
    ::heddle::library::warn(function                                                                                           \
                            " gave one fixed sequence of numbers; no other was explored. To explore others, take values from " \
                            "heddle_choose(n), or use --explore rand=N, for numbers below N");                                 \
  }

// Whole buffers of random bytes are not explored.
#define WARN_OF_BYTES(function) \
  ::heddle::library::warn(      \
      function                  \
      " gave one fixed sequence of bytes; no other was explored. To explore others, take values from heddle_choose(n)")

namespace {

__thread uint64_t state = 1;

unsigned draw(uint64_t& from) {
  from = from * 6364136223846793005 + 1442695040888963407;
  return static_cast<unsigned>(from >> 33);
}

void fill(void* buffer, size_t size) {
  for (size_t i = 0; i < size; ++i) static_cast<unsigned char*>(buffer)[i] = static_cast<unsigned char>(draw(state) >> 8);
}

unsigned drawOrChoose(uint64_t& from) {
  return heddle_inputs.random == 0 ? draw(from) : static_cast<unsigned>(heddle_choose_hook(heddle_inputs.random));
}

uint32_t anyWord() { return heddle_inputs.random == 0 ? draw(state) << 1 ^ draw(state) : drawOrChoose(state); }

}  // namespace

extern "C" {

int rand(void) {
  WARN_OF_SEQUENCE("rand");
  return static_cast<int>(drawOrChoose(state));
}
void srand(unsigned seed) { state = seed; }
long random(void) {
  WARN_OF_SEQUENCE("random");
  return static_cast<long>(drawOrChoose(state));
}
void srandom(unsigned seed) { state = seed; }

int rand_r(unsigned* seed) {
  WARN_OF_SEQUENCE("rand_r");
  uint64_t from = *seed;
  const unsigned result = drawOrChoose(from);
  *seed = static_cast<unsigned>(from >> 16);
  return static_cast<int>(result);
}

double drand48(void) {
  WARN_OF_SEQUENCE("drand48");
  return heddle_inputs.random == 0 ? draw(state) / 2147483648.0
                                   : drawOrChoose(state) / static_cast<double>(heddle_inputs.random);
}
long lrand48(void) {
  WARN_OF_SEQUENCE("lrand48");
  return static_cast<long>(drawOrChoose(state));
}
long mrand48(void) {
  WARN_OF_SEQUENCE("mrand48");
  return static_cast<int>(anyWord());
}
void srand48(long seed) { state = static_cast<uint64_t>(seed); }

ssize_t getrandom(void* buffer, size_t size, unsigned) {
  WARN_OF_BYTES("getrandom");
  fill(buffer, size);
  return static_cast<ssize_t>(size);
}
int getentropy(void* buffer, size_t size) {
  WARN_OF_BYTES("getentropy");
  fill(buffer, size);
  return 0;
}
uint32_t arc4random(void) {
  WARN_OF_SEQUENCE("arc4random");
  return anyWord();
}
uint32_t arc4random_uniform(uint32_t limit) {
  WARN_OF_SEQUENCE("arc4random_uniform");
  return limit == 0 ? 0 : drawOrChoose(state) % limit;
}
void arc4random_buf(void* buffer, size_t size) {
  WARN_OF_BYTES("arc4random_buf");
  fill(buffer, size);
}

}  // extern "C"

namespace std {

void random_device::_M_init(const string&) {}
void random_device::_M_fini() {}
random_device::result_type random_device::_M_getval() {
  WARN_OF_SEQUENCE("random_device");
  return anyWord();
}
double random_device::_M_getentropy() const noexcept { return 0; }

}  // namespace std
