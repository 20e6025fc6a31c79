//! rc20: error=unsupported line=@print text="print a copy of it" flags="--equivalence rf"
//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--races=off"
//! sc: verified executions=1 blocked=0
// Library functions that write to memory with atomics in it, and read it. Under rf printf of such a string is not supported.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static std::atomic<char> text[16];
static char* bytes() { return reinterpret_cast<char*>(text); }

int main() {
  for (auto& c : text) c = 'z';
  assert(std::snprintf(bytes(), sizeof text, "%d-%s", 42, "hello") == 8);
  assert(text[0] == '4' && text[2] == '-' && text[7] == 'o' && text[8] == 0 && text[9] == 'z');
  assert(std::strlen(bytes()) == 8);
  char out[32];
  std::snprintf(out, sizeof out, "<%s|%.2s>", bytes(), bytes());  // @print
  assert(std::strcmp(out, "<42-hello|42>") == 0);
  std::strcpy(bytes(), "abc");
  assert(text[2] == 'c' && text[3] == 0 && text[4] == 'e');
  std::strcat(bytes(), "def");
  assert(text[5] == 'f' && text[6] == 0 && std::memcmp(bytes(), "abcdef", 7) == 0);
  std::strcpy(bytes(), "12.5x");
  char* end = nullptr;
  assert(std::strtod(bytes(), &end) == 12.5 && end == bytes() + 4);
  std::memcpy(bytes(), "dacb", 4);
  std::qsort(bytes(), 4, 1, [](const void* a, const void* b) {
    return *static_cast<const char*>(a) - *static_cast<const char*>(b);
  });
  assert(text[0] == 'a' && text[1] == 'b' && text[2] == 'c' && text[3] == 'd');
}
