// wmem* and wcs*, as far as std::wstring and the like need them: as in string.cpp, with wider characters.

#include "primitives.h"

// The loops must not be recognised as the functions that they define.
#define PLAIN_LOOP __attribute__((no_builtin))

extern "C" {

PLAIN_LOOP size_t wcslen(const wchar_t* s) {
  size_t n = 0;
  while (s[n]) ++n;
  return n;
}

wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, size_t n) {
  __builtin_memcpy(to, from, n * sizeof(wchar_t));
  return to;
}
wchar_t* wmemmove(wchar_t* to, const wchar_t* from, size_t n) {
  __builtin_memmove(to, from, n * sizeof(wchar_t));
  return to;
}
PLAIN_LOOP wchar_t* wmemset(wchar_t* to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; ++i) to[i] = c;
  return to;
}

PLAIN_LOOP int wmemcmp(const wchar_t* a, const wchar_t* b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}
PLAIN_LOOP int wcscmp(const wchar_t* a, const wchar_t* b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b ? 0 : *a < *b ? -1 : 1;
}

PLAIN_LOOP wchar_t* wmemchr(const wchar_t* in, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (in[i] == c) return const_cast<wchar_t*>(in + i);
  }
  return nullptr;
}

}  // extern "C"
