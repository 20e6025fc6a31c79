// Real numbers from text and as text, in <charconv>. (Integers are templates of the header.)
//
// The host's printf and strtod do the work. The shortest text that gives the number back is found by trying: the digits of
// printf, one more each time, until strtod reads the same number.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <charconv>

namespace {

using std::chars_format;

float parse(const char* text, float) { return strtof(text, nullptr); }
double parse(const char* text, double) { return strtod(text, nullptr); }
long double parse(const char* text, long double) { return strtold(text, nullptr); }

// printf takes no float, and the digits of a float are those of the double.
double promoted(float value) { return value; }
double promoted(double value) { return value; }
long double promoted(long double value) { return value; }

constexpr const char* formatOf(char kind, double) {
  return kind == 'f' ? "%.*f" : kind == 'e' ? "%.*e" : kind == 'g' ? "%.*g" : "%.*a";
}
constexpr const char* formatOf(char kind, long double) {
  return kind == 'f' ? "%.*Lf" : kind == 'e' ? "%.*Le" : kind == 'g' ? "%.*Lg" : "%.*La";
}

char kindOf(chars_format format) {
  switch (format) {
    case chars_format::fixed: return 'f';
    case chars_format::scientific: return 'e';
    case chars_format::hex: return 'a';
    default: return 'g';
  }
}

// A text that is long enough for any number.
class Buffer {
 public:
  template <class Real>
  void print(char kind, int precision, Real value) {
    const auto number = promoted(value);
    int length = snprintf(few_, sizeof few_, formatOf(kind, number), precision, number);
    if (static_cast<size_t>(length) >= sizeof few_) {
      data_ = static_cast<char*>(malloc(static_cast<size_t>(length) + 1));
      length = snprintf(data_, static_cast<size_t>(length) + 1, formatOf(kind, number), precision, number);
    }
    size_ = static_cast<size_t>(length);
    if (kind == 'a') dropPrefix();
  }
  Buffer() = default;
  ~Buffer() {
    if (data_ != few_) free(data_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  char* data() { return data_; }
  size_t size() const { return size_; }
  void resize(size_t size) { size_ = size; }

  std::to_chars_result to(char* first, char* last) const {
    if (static_cast<size_t>(last - first) < size_) return {last, std::errc::value_too_large};
    memcpy(first, data_, size_);
    return {first + size_, std::errc{}};
  }

 private:
  // Hexadecimal numbers have no 0x here.
  void dropPrefix() {
    char* const at = data_ + (*data_ == '-');
    if (at[0] != '0' || at[1] != 'x') return;
    memmove(at, at + 2, size_ - static_cast<size_t>(at - data_) - 1);
    size_ -= 2;
  }

  char few_[160];
  char* data_ = few_;
  size_t size_ = 0;
};

constexpr int kMostDigits = 36;

template <class Real>
std::to_chars_result infinite(char* first, char* last, Real value) {
  Buffer text;
  text.print('f', 0, value);
  return text.to(first, last);
}

// The shortest text of the number: one digit, a point and more of them, and an exponent.
template <class Real>
int shortest(Buffer& text, Real value) {
  int precision = 0;
  for (; precision < kMostDigits; ++precision) {
    text.print('e', precision, value);
    if (parse(text.data(), value) == value) break;
  }
  return precision;
}

// The same number without an exponent.
template <class Real>
void fixed(Buffer& text, Real value, int precision, int exponent) {
  text.print('f', precision > exponent ? precision - exponent : 0, value);
}

template <class Real>
std::to_chars_result convert(char* first, char* last, Real value, chars_format format) {
  if (!isfinite(value)) return infinite(first, last, value);
  Buffer scientific;
  if (format == chars_format::hex) {
    scientific.print('a', -1, value);
    return scientific.to(first, last);
  }
  const int precision = shortest(scientific, value);
  if (format == chars_format::scientific) return scientific.to(first, last);
  const int exponent = atoi(strchr(scientific.data(), 'e') + 1);
  if (format == chars_format::general && (exponent < -4 || exponent >= 6)) return scientific.to(first, last);
  Buffer whole;
  fixed(whole, value, precision, exponent);
  const bool isShorter = format == chars_format{} && scientific.size() < whole.size();
  return (isShorter ? scientific : whole).to(first, last);
}

template <class Real>
std::to_chars_result convert(char* first, char* last, Real value, chars_format format, int precision) {
  if (!isfinite(value)) return infinite(first, last, value);
  Buffer text;
  text.print(kindOf(format), precision < 0 ? 6 : precision, value);
  return text.to(first, last);
}

bool isDigit(char c, bool hex) { return (c >= '0' && c <= '9') || (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))); }
bool isSame(const char* at, const char* last, const char* word) {
  for (; *word; ++at, ++word) {
    if (at == last || (*at | 0x20) != *word) return false;
  }
  return true;
}

// Where the number that begins here ends, and whether a digit of it is not 0.
const char* endOfNumber(const char* at, const char* last, chars_format format, bool& isZero) {
  const bool hex = format == chars_format::hex;
  if (isSame(at, last, "infinity")) return at + 8;
  if (isSame(at, last, "inf")) return at + 3;
  if (isSame(at, last, "nan")) {
    const char* end = at + 3;
    if (end == last || *end != '(') return end;
    const char* close = end + 1;
    while (close != last && (isDigit(*close, false) || *close == '_' || ((*close | 0x20) >= 'a' && (*close | 0x20) <= 'z')))
      ++close;
    return close != last && *close == ')' ? close + 1 : end;
  }
  bool digits = false, point = false;
  const char* const first = at;
  for (; at != last && (isDigit(*at, hex) || (*at == '.' && !point)); ++at) {
    point |= *at == '.';
    digits |= *at != '.';
    isZero &= *at == '.' || *at == '0';
  }
  if (!digits) return first;
  const bool mayHaveExponent = format != chars_format::fixed;
  const char* end = at;
  bool exponent = false;
  if (mayHaveExponent && at != last && (*at | 0x20) == (hex ? 'p' : 'e')) {
    ++at;
    if (at != last && (*at == '+' || *at == '-')) ++at;
    for (; at != last && isDigit(*at, false); ++at) exponent = true;
    if (exponent) end = at;
  }
  return format == chars_format::scientific && !exponent ? first : end;
}

template <class Real>
std::from_chars_result convert(const char* first, const char* last, Real& value, chars_format format) {
  const bool negative = first != last && *first == '-';
  const char* const begin = first + negative;
  bool isZero = true;
  const char* const end = endOfNumber(begin, last, format, isZero);
  if (end == begin) return {first, std::errc::invalid_argument};
  const auto size = static_cast<size_t>(end - begin);
  char* const text = static_cast<char*>(malloc(size + 4));
  char* at = text;
  if (negative) *at++ = '-';
  const bool isNumber = isDigit(*begin, true) || *begin == '.';
  if (format == chars_format::hex && isNumber && !isSame(begin, last, "inf") && !isSame(begin, last, "nan")) {
    *at++ = '0';
    *at++ = 'x';
  }
  memcpy(at, begin, size);
  at[size] = 0;
  const Real result = parse(text, Real{});
  free(text);
  const bool isWord = !isDigit(*begin, format == chars_format::hex) && *begin != '.';
  if (!isWord && (isinf(result) || (result == 0 && !isZero))) return {end, std::errc::result_out_of_range};
  value = result;
  return {end, std::errc{}};
}

}  // namespace

namespace std {

#define REAL(Real)                                                                                               \
  to_chars_result to_chars(char* first, char* last, Real value) noexcept {                                       \
    return convert(first, last, value, chars_format{});                                                          \
  }                                                                                                              \
  to_chars_result to_chars(char* first, char* last, Real value, chars_format format) noexcept {                  \
    return convert(first, last, value, format);                                                                  \
  }                                                                                                              \
  to_chars_result to_chars(char* first, char* last, Real value, chars_format format, int precision) noexcept {   \
    return convert(first, last, value, format, precision);                                                       \
  }                                                                                                              \
  from_chars_result from_chars(const char* first, const char* last, Real& value, chars_format format) noexcept { \
    return convert(first, last, value, format);                                                                  \
  }
REAL(float)
REAL(double)
REAL(long double)
#undef REAL

}  // namespace std
