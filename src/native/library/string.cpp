// mem* and str*: loops over bytes, each byte a checked access. What copies is a memcpy, memmove or memset, which the
// instrumentation turns into one checked access of the whole range.
//
// The functions are declared here as C declares them; the system's header has overloads for C++ that are in the way.

#include "primitives.h"

// The loops must not be recognised as the functions that they define.
#define PLAIN_LOOP __attribute__((no_builtin))

namespace {

using Byte = unsigned char;

Byte lower(Byte c) { return static_cast<Byte>(c - 'A' < 26u ? c + 32 : c); }

PLAIN_LOOP int difference(const char* a, const char* b, size_t n, bool fold) {
  for (size_t i = 0; i < n; ++i) {
    Byte x = static_cast<Byte>(a[i]), y = static_cast<Byte>(b[i]);
    if (fold) {
      x = lower(x);
      y = lower(y);
    }
    if (x != y) return x < y ? -1 : 1;
    if (x == 0) return 0;
  }
  return 0;
}

PLAIN_LOOP bool contains(const char* set, char c) {
  for (; *set; ++set) {
    if (*set == c) return true;
  }
  return false;
}

char* rest;  // of strtok: one for all threads, which may not use it at the same time

}  // namespace

extern "C" {

void* malloc(size_t size);

// For calls through a pointer; direct calls are handled where they are.
void* memcpy(void* to, const void* from, size_t n) {
  __builtin_memcpy(to, from, n);
  return to;
}
void* memmove(void* to, const void* from, size_t n) {
  __builtin_memmove(to, from, n);
  return to;
}
void* memset(void* to, int byte, size_t n) {
  __builtin_memset(to, byte, n);
  return to;
}
void bcopy(const void* from, void* to, size_t n) { __builtin_memmove(to, from, n); }
void bzero(void* to, size_t n) { __builtin_memset(to, 0, n); }
void explicit_bzero(void* to, size_t n) { __builtin_memset(to, 0, n); }
void* mempcpy(void* to, const void* from, size_t n) {
  __builtin_memcpy(to, from, n);
  return static_cast<Byte*>(to) + n;
}

PLAIN_LOOP int memcmp(const void* a, const void* b, size_t n) {
  auto *x = static_cast<const Byte*>(a), *y = static_cast<const Byte*>(b);
  for (size_t i = 0; i < n; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}
PLAIN_LOOP int bcmp(const void* a, const void* b, size_t n) { return memcmp(a, b, n); }

PLAIN_LOOP void* memchr(const void* in, int c, size_t n) {
  auto* p = static_cast<const Byte*>(in);
  for (size_t i = 0; i < n; ++i) {
    if (p[i] == static_cast<Byte>(c)) return const_cast<Byte*>(p + i);
  }
  return nullptr;
}
PLAIN_LOOP void* memrchr(const void* in, int c, size_t n) {
  auto* p = static_cast<const Byte*>(in);
  while (n-- > 0) {
    if (p[n] == static_cast<Byte>(c)) return const_cast<Byte*>(p + n);
  }
  return nullptr;
}

PLAIN_LOOP size_t strlen(const char* s) {
  size_t n = 0;
  while (s[n]) ++n;
  return n;
}
PLAIN_LOOP size_t strnlen(const char* s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n]) ++n;
  return n;
}

PLAIN_LOOP int strcmp(const char* a, const char* b) { return difference(a, b, SIZE_MAX, false); }
PLAIN_LOOP int strncmp(const char* a, const char* b, size_t n) { return difference(a, b, n, false); }
PLAIN_LOOP int strcasecmp(const char* a, const char* b) { return difference(a, b, SIZE_MAX, true); }
PLAIN_LOOP int strncasecmp(const char* a, const char* b, size_t n) { return difference(a, b, n, true); }
PLAIN_LOOP int strcoll(const char* a, const char* b) { return difference(a, b, SIZE_MAX, false); }

PLAIN_LOOP char* strchr(const char* s, int c) {
  for (;; ++s) {
    if (*s == static_cast<char>(c)) return const_cast<char*>(s);
    if (!*s) return nullptr;
  }
}
PLAIN_LOOP char* strchrnul(const char* s, int c) {
  while (*s && *s != static_cast<char>(c)) ++s;
  return const_cast<char*>(s);
}
PLAIN_LOOP char* strrchr(const char* s, int c) {
  const char* last = nullptr;
  for (;; ++s) {
    if (*s == static_cast<char>(c)) last = s;
    if (!*s) return const_cast<char*>(last);
  }
}
PLAIN_LOOP char* strstr(const char* s, const char* part) {
  const size_t n = strlen(part);
  for (;; ++s) {
    if (strncmp(s, part, n) == 0) return const_cast<char*>(s);
    if (!*s) return nullptr;
  }
}
PLAIN_LOOP size_t strspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && contains(set, s[n])) ++n;
  return n;
}
PLAIN_LOOP size_t strcspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && !contains(set, s[n])) ++n;
  return n;
}
PLAIN_LOOP char* strpbrk(const char* s, const char* set) {
  s += strcspn(s, set);
  return *s ? const_cast<char*>(s) : nullptr;
}

PLAIN_LOOP char* stpcpy(char* to, const char* from) {
  const size_t n = strlen(from);
  __builtin_memcpy(to, from, n + 1);
  return to + n;
}
PLAIN_LOOP char* strcpy(char* to, const char* from) {
  stpcpy(to, from);
  return to;
}
PLAIN_LOOP char* strncpy(char* to, const char* from, size_t n) {
  const size_t length = strnlen(from, n);
  __builtin_memcpy(to, from, length);
  __builtin_memset(to + length, 0, n - length);
  return to;
}
PLAIN_LOOP char* strcat(char* to, const char* from) {
  stpcpy(to + strlen(to), from);
  return to;
}
PLAIN_LOOP char* strncat(char* to, const char* from, size_t n) {
  char* end = to + strlen(to);
  const size_t length = strnlen(from, n);
  __builtin_memcpy(end, from, length);
  end[length] = 0;
  return to;
}

PLAIN_LOOP char* strndup(const char* s, size_t limit) {
  const size_t n = strnlen(s, limit);
  auto* copy = static_cast<char*>(malloc(n + 1));
  if (!copy) return nullptr;
  __builtin_memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}
PLAIN_LOOP char* strdup(const char* s) { return strndup(s, SIZE_MAX); }

PLAIN_LOOP char* strtok_r(char* s, const char* separators, char** after) {
  if (!s) s = *after;
  s += strspn(s, separators);
  if (!*s) {
    *after = s;
    return nullptr;
  }
  char* end = s + strcspn(s, separators);
  *after = *end ? end + 1 : end;
  *end = 0;
  return s;
}
char* strtok(char* s, const char* separators) { return strtok_r(s, separators, &rest); }

PLAIN_LOOP char* strsep(char** text, const char* separators) {
  char* const s = *text;
  if (!s) return nullptr;
  char* end = s + strcspn(s, separators);
  *text = *end ? end + 1 : nullptr;
  if (*end) *end = 0;
  return s;
}

PLAIN_LOOP void* memmem(const void* in, size_t n, const void* what, size_t length) {
  auto* p = static_cast<const Byte*>(in);
  for (size_t i = 0; i + length <= n; ++i) {
    if (memcmp(p + i, what, length) == 0) return const_cast<Byte*>(p + i);
  }
  return nullptr;
}

// In the C locale a string is its own key.
PLAIN_LOOP size_t strxfrm(char* to, const char* from, size_t n) {
  const size_t length = strlen(from);
  if (n != 0) strncpy(to, from, n);
  return length;
}

PLAIN_LOOP char* strcasestr(const char* s, const char* part) {
  const size_t n = strlen(part);
  for (;; ++s) {
    if (difference(s, part, n, true) == 0) return const_cast<char*>(s);
    if (!*s) return nullptr;
  }
}

PLAIN_LOOP char* stpncpy(char* to, const char* from, size_t n) {
  strncpy(to, from, n);
  size_t length = 0;
  while (length < n && to[length]) ++length;
  return to + length;
}

PLAIN_LOOP void* memccpy(void* to, const void* from, int c, size_t n) {
  auto* out = static_cast<Byte*>(to);
  auto* in = static_cast<const Byte*>(from);
  for (size_t i = 0; i < n; ++i) {
    out[i] = in[i];
    if (in[i] == static_cast<Byte>(c)) return out + i + 1;
  }
  return nullptr;
}

PLAIN_LOOP void* rawmemchr(const void* in, int c) {
  auto* p = static_cast<const Byte*>(in);
  while (*p != static_cast<Byte>(c)) ++p;
  return const_cast<Byte*>(p);
}

char* index(const char* s, int c) { return strchr(s, c); }
char* rindex(const char* s, int c) { return strrchr(s, c); }

// That of POSIX is __xpg_basename, which may change its argument; this one does not.
char* basename(const char* path) {
  char* const slash = strrchr(path, '/');
  return slash ? slash + 1 : const_cast<char*>(path);
}

}  // extern "C"
