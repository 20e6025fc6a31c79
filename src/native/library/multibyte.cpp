// Wide characters and bytes, in the "C" locale: both are ASCII, and nothing else is a character. No conversion has a state.

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

namespace {

constexpr size_t kInvalid = static_cast<size_t>(-1), kTooShort = static_cast<size_t>(-2);

bool isCharacter(wchar_t c) { return static_cast<unsigned>(c) < 0x80; }

size_t invalid() {
  errno = EILSEQ;
  return kInvalid;
}

// The beginning of a wide text as bytes, up to what cannot be part of a number.
class Narrow {
 public:
  explicit Narrow(const wchar_t* text) {
    while (size_ + 1 < sizeof bytes_ && text[size_] != 0 && isCharacter(text[size_])) {
      bytes_[size_] = static_cast<char>(text[size_]);
      ++size_;
    }
    bytes_[size_] = 0;
  }
  const char* bytes() const { return bytes_; }

 private:
  char bytes_[256];
  size_t size_ = 0;
};

template <class Read>
auto number(const wchar_t* text, wchar_t** end, Read read) {
  const Narrow narrow(text);
  char* after = nullptr;
  const auto result = read(narrow.bytes(), &after);
  if (end) *end = const_cast<wchar_t*>(text + (after - narrow.bytes()));
  return result;
}

}  // namespace

extern "C" {

size_t mbrtowc(wchar_t* to, const char* from, size_t n, mbstate_t*) {
  if (!from) return 0;
  if (n == 0) return kTooShort;
  const wchar_t c = static_cast<unsigned char>(*from);
  if (!isCharacter(c)) return invalid();
  if (to) *to = c;
  return c != 0;
}
size_t mbrlen(const char* from, size_t n, mbstate_t* state) { return mbrtowc(nullptr, from, n, state); }
int mbtowc(wchar_t* to, const char* from, size_t n) {
  const size_t length = mbrtowc(to, from, n, nullptr);
  return length == kTooShort ? -1 : static_cast<int>(length);
}
int mblen(const char* from, size_t n) { return mbtowc(nullptr, from, n); }
int mbsinit(const mbstate_t*) { return 1; }

size_t wcrtomb(char* to, wchar_t c, mbstate_t*) {
  if (!to) return 1;
  if (!isCharacter(c)) return invalid();
  *to = static_cast<char>(c);
  return 1;
}
int wctomb(char* to, wchar_t c) { return to ? static_cast<int>(wcrtomb(to, c, nullptr)) : 0; }

wint_t btowc(int c) { return c >= 0 && c < 0x80 ? static_cast<wint_t>(c) : WEOF; }
int wctob(wint_t c) { return c < 0x80 ? static_cast<int>(c) : EOF; }

size_t mbsrtowcs(wchar_t* to, const char** from, size_t n, mbstate_t* state) {
  size_t length = 0;
  for (const char* at = *from;; ++at, ++length) {
    if (to && length == n) {
      *from = at;
      return length;
    }
    wchar_t c = 0;
    if (mbrtowc(&c, at, 1, state) == kInvalid) return kInvalid;
    if (to) to[length] = c;
    if (c != 0) continue;
    if (to) *from = nullptr;
    return length;
  }
}
size_t mbstowcs(wchar_t* to, const char* from, size_t n) { return mbsrtowcs(to, &from, n, nullptr); }

size_t wcsrtombs(char* to, const wchar_t** from, size_t n, mbstate_t* state) {
  size_t length = 0;
  for (const wchar_t* at = *from;; ++at, ++length) {
    if (to && length == n) {
      *from = at;
      return length;
    }
    char c = 0;
    if (wcrtomb(&c, *at, state) == kInvalid) return kInvalid;
    if (to) to[length] = c;
    if (c != 0) continue;
    if (to) *from = nullptr;
    return length;
  }
}
size_t wcstombs(char* to, const wchar_t* from, size_t n) { return wcsrtombs(to, &from, n, nullptr); }

#define WIDE_NUMBER(result, name, narrow)                                                                  \
  result name(const wchar_t* text, wchar_t** end, int base) {                                              \
    return number(text, end, [=](const char* bytes, char** after) { return narrow(bytes, after, base); }); \
  }
WIDE_NUMBER(long, wcstol, strtol)
WIDE_NUMBER(unsigned long, wcstoul, strtoul)
WIDE_NUMBER(long long, wcstoll, strtoll)
WIDE_NUMBER(unsigned long long, wcstoull, strtoull)
#undef WIDE_NUMBER

double wcstod(const wchar_t* text, wchar_t** end) { return number(text, end, strtod); }
float wcstof(const wchar_t* text, wchar_t** end) { return number(text, end, strtof); }
long double wcstold(const wchar_t* text, wchar_t** end) { return number(text, end, strtold); }

// The format as bytes is that of printf, which says if it cannot do something.
int vswprintf(wchar_t* to, size_t n, const wchar_t* format, va_list arguments) {
  const Narrow narrow(format);
  char* text = nullptr;
  const int length = vasprintf(&text, narrow.bytes(), arguments);
  const bool fits = static_cast<size_t>(length) < n;
  for (size_t i = 0; fits && i <= static_cast<size_t>(length); ++i) to[i] = static_cast<unsigned char>(text[i]);
  free(text);
  return fits ? length : -1;
}
int swprintf(wchar_t* to, size_t n, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vswprintf(to, n, format, arguments);
  va_end(arguments);
  return length;
}

}  // extern "C"
