// Classes of characters, in the C locale: functions, and the tables behind the macros of glibc's <ctype.h>.

#define __NO_CTYPE 1

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

namespace {

constexpr int kFirst = -128, kEntries = 384;

struct Tables {
  uint16_t classes[kEntries];
  int32_t lower[kEntries], upper[kEntries];
};

constexpr uint16_t classesOf(int c) {
  const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
  const bool hex = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  const bool print = c >= ' ' && c <= '~', graph = c > ' ' && c <= '~';
  unsigned result = 0;
  const auto set = [&](bool in, unsigned bit) { result |= in ? bit : 0; };
  set(upper, _ISupper);
  set(lower, _ISlower);
  set(upper || lower, _ISalpha);
  set(digit, _ISdigit);
  set(hex, _ISxdigit);
  set(c == ' ' || (c >= '\t' && c <= '\r'), _ISspace);
  set(print, _ISprint);
  set(graph, _ISgraph);
  set(c == ' ' || c == '\t', _ISblank);
  set((c >= 0 && c < ' ') || c == 127, _IScntrl);
  set(graph && !upper && !lower && !digit, _ISpunct);
  set(upper || lower || digit, _ISalnum);
  return static_cast<uint16_t>(result);
}

constexpr Tables makeTables() {
  Tables tables{};
  for (int i = 0; i < kEntries; ++i) {
    const int c = i + kFirst;
    const uint16_t classes = c >= 0 && c < 128 ? classesOf(c) : uint16_t{0};
    tables.classes[i] = classes;
    tables.lower[i] = classes & _ISupper ? c + 32 : c;
    tables.upper[i] = classes & _ISlower ? c - 32 : c;
  }
  return tables;
}

constexpr Tables kTables = makeTables();
const unsigned short* classes = kTables.classes - kFirst;
const int32_t* lower = kTables.lower - kFirst;
const int32_t* upper = kTables.upper - kFirst;

bool is(int c, unsigned which) { return c >= kFirst && c < kFirst + kEntries && (classes[c] & which) != 0; }

}  // namespace

extern "C" {

const unsigned short** __ctype_b_loc(void) { return &classes; }
const int32_t** __ctype_tolower_loc(void) { return &lower; }
const int32_t** __ctype_toupper_loc(void) { return &upper; }
size_t __ctype_get_mb_cur_max(void) { return 1; }

int isalnum(int c) { return is(c, _ISalnum); }
int isalpha(int c) { return is(c, _ISalpha); }
int isblank(int c) { return is(c, _ISblank); }
int iscntrl(int c) { return is(c, _IScntrl); }
int isdigit(int c) { return is(c, _ISdigit); }
int isgraph(int c) { return is(c, _ISgraph); }
int islower(int c) { return is(c, _ISlower); }
int isprint(int c) { return is(c, _ISprint); }
int ispunct(int c) { return is(c, _ISpunct); }
int isspace(int c) { return is(c, _ISspace); }
int isupper(int c) { return is(c, _ISupper); }
int isxdigit(int c) { return is(c, _ISxdigit); }
int tolower(int c) { return is(c, _ISupper) ? c + 32 : c; }
int toupper(int c) { return is(c, _ISlower) ? c - 32 : c; }

}  // extern "C"
