// wmem*, wcs* and isw*: as in string.cpp and ctype.cpp, with wider characters. In the C locale letters are those of ASCII.

#include <ctype.h>

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

PLAIN_LOOP int wcsncmp(const wchar_t* a, const wchar_t* b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    if (!a[i]) return 0;
  }
  return 0;
}

wchar_t* wcscpy(wchar_t* to, const wchar_t* from) { return wmemcpy(to, from, wcslen(from) + 1); }
wchar_t* wcsncpy(wchar_t* to, const wchar_t* from, size_t n) {
  size_t length = 0;
  while (length < n && from[length]) ++length;
  wmemcpy(to, from, length);
  wmemset(to + length, 0, n - length);
  return to;
}
wchar_t* wcscat(wchar_t* to, const wchar_t* from) {
  wcscpy(to + wcslen(to), from);
  return to;
}
PLAIN_LOOP wchar_t* wcschr(const wchar_t* s, wchar_t c) {
  for (;; ++s) {
    if (*s == c) return const_cast<wchar_t*>(s);
    if (!*s) return nullptr;
  }
}
PLAIN_LOOP wchar_t* wcsrchr(const wchar_t* s, wchar_t c) {
  const wchar_t* found = nullptr;
  for (;; ++s) {
    if (*s == c) found = s;
    if (!*s) return const_cast<wchar_t*>(found);
  }
}
PLAIN_LOOP wchar_t* wcsstr(const wchar_t* in, const wchar_t* what) {
  const size_t length = wcslen(what);
  for (;; ++in) {
    if (wcsncmp(in, what, length) == 0) return const_cast<wchar_t*>(in);
    if (!*in) return nullptr;
  }
}

#define WIDE_CLASS(name) \
  int isw##name(unsigned c) { return c < 128 && is##name(static_cast<int>(c)); }
WIDE_CLASS(alnum)
WIDE_CLASS(alpha)
WIDE_CLASS(blank)
WIDE_CLASS(cntrl)
WIDE_CLASS(digit)
WIDE_CLASS(graph)
WIDE_CLASS(lower)
WIDE_CLASS(print)
WIDE_CLASS(punct)
WIDE_CLASS(space)
WIDE_CLASS(upper)
WIDE_CLASS(xdigit)
#undef WIDE_CLASS
unsigned towlower(unsigned c) { return c < 128 ? static_cast<unsigned>(tolower(static_cast<int>(c))) : c; }
unsigned towupper(unsigned c) { return c < 128 ? static_cast<unsigned>(toupper(static_cast<int>(c))) : c; }

PLAIN_LOOP wchar_t* wmemchr(const wchar_t* in, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (in[i] == c) return const_cast<wchar_t*>(in + i);
  }
  return nullptr;
}

}  // extern "C"
