// Input streams: string streams, and std::cin, at whose end the program is from the start.

#include <stdlib.h>

#include <limits>
#include <new>

#include "failure.h"
#include "primitives.h"
#include "streams.h"

namespace {

constexpr int kEnd = std::char_traits<char>::eof();

bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Takes the characters that may belong to a number. As many as there can be in one that is not absurd.
class Token {
 public:
  Token(std::istream& stream, const char* more) {
    std::streambuf& buffer = *stream.rdbuf();
    int c = buffer.sgetc();
    while (c != kEnd && size_ + 1 < sizeof text_ && belongs(static_cast<char>(c), more)) {
      text_[size_++] = static_cast<char>(c);
      c = buffer.snextc();
    }
    text_[size_] = 0;
    if (c == kEnd) stream.setstate(std::ios_base::eofbit);
  }
  const char* text() const { return text_; }
  bool isWhole(const char* end) const { return size_ != 0 && end == text_ + size_; }

 private:
  bool belongs(char c, const char* more) const {
    if (c >= '0' && c <= '9') return true;
    if (c == '-' || c == '+') return size_ == 0 || text_[size_ - 1] == 'e' || text_[size_ - 1] == 'E';
    for (; *more; ++more) {
      if (*more == c) return true;
    }
    return false;
  }

  char text_[64];
  size_t size_ = 0;
};

int baseOf(const std::istream& stream) {
  const auto base = stream.flags() & std::ios_base::basefield;
  return base == std::ios_base::oct ? 8 : base == std::ios_base::hex ? 16 : base == std::ios_base::dec ? 10 : 0;
}

template <class Integer>
std::istream& readInteger(std::istream& stream, Integer& value) {
  const std::istream::sentry sentry(stream, false);
  if (!sentry) return stream;
  const int base = baseOf(stream);
  const Token token(stream, base == 10 || base == 8 ? "" : "abcdefABCDEFxX");
  char* end = nullptr;
  __int128 number;
  if constexpr (static_cast<Integer>(-1) < 0) {
    number = strtol(token.text(), &end, base);
  } else {
    number = strtoul(token.text(), &end, base);
  }
  const bool fits = static_cast<__int128>(static_cast<Integer>(number)) == number;
  if (!token.isWhole(end)) {
    value = 0;
    stream.setstate(std::ios_base::failbit);
  } else if (!fits) {
    value = number < 0 ? std::numeric_limits<Integer>::min() : std::numeric_limits<Integer>::max();
    stream.setstate(std::ios_base::failbit);
  } else {
    value = static_cast<Integer>(number);
  }
  return stream;
}

template <class Real>
std::istream& readReal(std::istream& stream, Real& value) {
  const std::istream::sentry sentry(stream, false);
  if (!sentry) return stream;
  const Token token(stream, ".eE");
  char* end = nullptr;
  value = static_cast<Real>(strtod(token.text(), &end));
  if (!token.isWhole(end)) stream.setstate(std::ios_base::failbit);
  return stream;
}

class NoInput final : public std::streambuf {
 protected:
  int_type underflow() override {
    WARN_OF_ONE_RESULT("std::cin was at its end");
    return traits_type::eof();
  }
};

}  // namespace

namespace std {

template <>
istream::sentry::sentry(istream& stream, bool keepSpace) : _M_ok(false) {
  if (stream.good()) {
    if (stream.tie()) stream.tie()->flush();
    if (!keepSpace && stream.flags() & ios_base::skipws) ws(stream);
  }
  _M_ok = stream.good();
  if (!_M_ok) stream.setstate(ios_base::failbit);
}

template <>
istream& ws(istream& stream) {
  int c = stream.rdbuf()->sgetc();
  while (c != kEnd && isSpace(c)) c = stream.rdbuf()->snextc();
  if (c == kEnd) stream.setstate(ios_base::eofbit);
  return stream;
}

template <>
template <>
istream& istream::_M_extract(long& value) {
  return readInteger(*this, value);
}
template <>
template <>
istream& istream::_M_extract(unsigned long& value) {
  return readInteger(*this, value);
}
template <>
template <>
istream& istream::_M_extract(long long& value) {
  return readInteger(*this, value);
}
template <>
template <>
istream& istream::_M_extract(unsigned long long& value) {
  return readInteger(*this, value);
}
template <>
template <>
istream& istream::_M_extract(unsigned short& value) {
  return readInteger(*this, value);
}
template <>
template <>
istream& istream::_M_extract(unsigned& value) {
  return readInteger(*this, value);
}
template <>
template <>
istream& istream::_M_extract(bool& value) {
  long number = 0;
  readInteger(*this, number);
  value = number != 0;
  if (number != 0 && number != 1) setstate(failbit);
  return *this;
}
template <>
template <>
istream& istream::_M_extract(float& value) {
  return readReal(*this, value);
}
template <>
template <>
istream& istream::_M_extract(double& value) {
  return readReal(*this, value);
}
template <>
istream& istream::operator>>(short& value) {
  return readInteger(*this, value);
}
template <>
istream& istream::operator>>(int& value) {
  return readInteger(*this, value);
}

template <>
istream& operator>>(istream& stream, char& value) {
  const istream::sentry sentry(stream, false);
  if (!sentry) return stream;
  const int c = stream.rdbuf()->sbumpc();
  if (c == kEnd) {
    stream.setstate(ios_base::eofbit | ios_base::failbit);
  } else {
    value = static_cast<char>(c);
  }
  return stream;
}

template <>
istream& operator>>(istream& stream, string& value) {
  const istream::sentry sentry(stream, false);
  if (!sentry) return stream;
  value.clear();
  const auto limit = stream.width() > 0 ? static_cast<size_t>(stream.width()) : value.max_size();
  stream.width(0);
  int c = stream.rdbuf()->sgetc();
  for (; c != kEnd && !isSpace(c) && value.size() < limit; c = stream.rdbuf()->snextc()) value += static_cast<char>(c);
  if (c == kEnd) stream.setstate(ios_base::eofbit);
  if (value.empty()) stream.setstate(ios_base::failbit);
  return stream;
}

template <>
istream& getline(istream& stream, string& line, char delimiter) {
  const istream::sentry sentry(stream, true);
  if (!sentry) return stream;
  line.clear();
  int c = stream.rdbuf()->sbumpc();
  bool any = c != kEnd;
  for (; c != kEnd && c != static_cast<unsigned char>(delimiter); c = stream.rdbuf()->sbumpc()) line += static_cast<char>(c);
  if (c == kEnd) stream.setstate(any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit);
  return stream;
}

template <>
istream& istream::getline(char* line, streamsize n, char delimiter) {
  _M_gcount = 0;
  const sentry ready(*this, true);
  streamsize size = 0;
  int c = ready ? rdbuf()->sgetc() : kEnd;
  for (; c != kEnd && c != static_cast<unsigned char>(delimiter) && size + 1 < n; c = rdbuf()->snextc()) {
    line[size++] = static_cast<char>(c);
  }
  if (n > 0) line[size] = 0;
  _M_gcount = size;
  if (c == kEnd) {
    setstate(size == 0 ? eofbit | failbit : eofbit);
  } else if (c == static_cast<unsigned char>(delimiter)) {
    rdbuf()->sbumpc();
    ++_M_gcount;
  } else {
    setstate(failbit);
  }
  return *this;
}

template <>
istream& istream::ignore(streamsize n, int delimiter) {
  _M_gcount = 0;
  const sentry ready(*this, true);
  const bool unlimited = n == numeric_limits<streamsize>::max();
  for (int c = 0; ready && (unlimited || _M_gcount < n);) {
    c = rdbuf()->sbumpc();
    if (c == kEnd) {
      setstate(eofbit);
      break;
    }
    ++_M_gcount;
    if (c == delimiter) break;
  }
  return *this;
}
template <>
istream& istream::ignore(streamsize n) {
  return ignore(n, kEnd);
}

template class basic_istream<char>;
template class basic_iostream<char>;
template class basic_istringstream<char>;
template class basic_stringstream<char>;
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);
template istream& operator>>(istream&, _Setw);
template istream& operator>>(istream&, _Setbase);

}  // namespace std

namespace {

heddle::library::Room<NoInput> inputBuffer;

}  // namespace

extern heddle::library::Room<std::istream> cinRoom __asm__("_ZSt3cin");
heddle::library::Room<std::istream> cinRoom;

__attribute__((constructor(101))) static void openStandardInput() {
  auto* const input = new (&inputBuffer) NoInput;
  new (&cinRoom) std::istream(input);
}
