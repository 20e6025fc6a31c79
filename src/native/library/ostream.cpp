// Output streams: std::cout, cerr and clog, and string streams.
//
// The classes are libstdc++'s own, instantiated here. What they would ask a locale's facets to do, formatting numbers,
// is done as printf does it. Threads may write to the standard streams at the same time, so an insertion writes
// nothing to the stream object that it does not have to change.

#include <new>

#include "failure.h"
#include "format.h"
#include "streams.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::Text;

namespace {

class OutputBuffer final : public std::streambuf {
 public:
  explicit OutputBuffer(int stream) : stream_(stream) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    heddle_check_read(text, static_cast<size_t>(n));
    heddle_output(text, static_cast<size_t>(n), stream_);
    return n;
  }
  int overflow(int c) override {
    const char text = static_cast<char>(c);
    return xsputn(&text, 1), c;
  }

 private:
  int stream_;
};

void send(std::ostream& stream, const char* text, size_t n) {
  const auto size = static_cast<std::streamsize>(n);
  if (size != 0 && stream.rdbuf()->sputn(text, size) != size) stream.setstate(std::ios_base::badbit);
}

void pad(std::ostream& stream, size_t n) {
  const char fill = stream.fill();
  for (; n != 0; --n) send(stream, &fill, 1);
}

// Writes the text at the stream's width; padding goes in after `prefix` characters if it is to be internal.
std::ostream& emit(std::ostream& stream, const char* text, size_t n, size_t prefix) {
  if (!stream.good()) {
    stream.setstate(std::ios_base::failbit);
    return stream;
  }
  const auto width = static_cast<size_t>(stream.width());
  if (width != 0) stream.width(0);
  if (width <= n) {
    send(stream, text, n);
    return stream;
  }
  const auto adjust = stream.flags() & std::ios_base::adjustfield;
  const size_t before = adjust == std::ios_base::left ? n : adjust == std::ios_base::internal ? prefix : 0;
  send(stream, text, before);
  pad(stream, width - n);
  send(stream, text + before, n - before);
  return stream;
}

size_t prefixOf(const Text& text) {
  const char* t = text.data();
  const size_t sign = t[0] == '-' || t[0] == '+' ? 1 : 0;
  return t[sign] == '0' && (t[sign + 1] == 'x' || t[sign + 1] == 'X') ? sign + 2 : sign;
}

std::ostream& print(std::ostream& stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Text text(format, arguments);
  va_end(arguments);
  return emit(stream, text.data(), text.size(), prefixOf(text));
}

// "%+#", a precision if asked for, a length, and the conversion.
class Format {
 public:
  Format(std::ios_base::fmtflags flags, bool isSigned) {
    add('%');
    if (flags & std::ios_base::showpos && isSigned) add('+');
    if (flags & (std::ios_base::showbase | std::ios_base::showpoint)) add('#');
  }
  Format& add(char c) {
    text_[size_++] = c;
    text_[size_] = 0;
    return *this;
  }
  const char* text() const { return text_; }

 private:
  char text_[12];
  size_t size_ = 0;
};

template <class Integer>
std::ostream& printInteger(std::ostream& stream, Integer value) {
  const auto flags = stream.flags();
  const auto base = flags & std::ios_base::basefield;
  const bool decimal = base != std::ios_base::oct && base != std::ios_base::hex;
  constexpr bool kSigned = static_cast<Integer>(-1) < 0;
  Format format(decimal ? flags & ~std::ios_base::showbase & ~std::ios_base::showpoint : flags & ~std::ios_base::showpoint,
                kSigned && decimal);
  format.add('l');
  if (base == std::ios_base::oct) {
    format.add('o');
  } else if (base == std::ios_base::hex) {
    format.add(flags & std::ios_base::uppercase ? 'X' : 'x');
  } else {
    format.add(kSigned ? 'd' : 'u');
  }
  return print(stream, format.text(), value);
}

template <class Real>
std::ostream& printReal(std::ostream& stream, Real value) {
  const auto flags = stream.flags();
  const auto kind = flags & std::ios_base::floatfield;
  const bool hexadecimal = kind == (std::ios_base::fixed | std::ios_base::scientific);
  char conversion = kind == std::ios_base::fixed ? 'f' : kind == std::ios_base::scientific ? 'e' : hexadecimal ? 'a' : 'g';
  if (flags & std::ios_base::uppercase) conversion = static_cast<char>(conversion - 32);
  Format format(flags & ~std::ios_base::showbase, true);
  if (!hexadecimal) format.add('.').add('*');
  if (sizeof(Real) > sizeof(double)) format.add('L');
  format.add(conversion);
  if (hexadecimal) return print(stream, format.text(), value);
  return print(stream, format.text(), static_cast<int>(stream.precision()), value);
}

}  // namespace

ClassicLocale heddle_classic_locale;

namespace std {

// ---- The base of streams, and the locale that there is.

locale::locale() noexcept : _M_impl(reinterpret_cast<_Impl*>(&heddle_classic_locale)) {}
locale::locale(const locale&) noexcept : _M_impl(reinterpret_cast<_Impl*>(&heddle_classic_locale)) {}
locale::~locale() noexcept {}
const locale& locale::operator=(const locale&) noexcept { return *this; }
const locale& locale::classic() {
  static constinit ClassicLocale* object = &heddle_classic_locale;
  return reinterpret_cast<const locale&>(object);
}
string locale::name() const { return "C"; }
bool locale::operator==(const locale&) const noexcept { return true; }

ios_base::ios_base() noexcept
    : _M_precision(6),
      _M_width(0),
      _M_flags(skipws | dec),
      _M_exception(goodbit),
      _M_streambuf_state(goodbit),
      _M_callbacks(nullptr),
      _M_word_size(_S_local_word_size),
      _M_word(_M_local_word) {}
ios_base::~ios_base() {}
void ios_base::_M_init() noexcept {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
}
void ios_base::_M_move(ios_base& other) noexcept {
  _M_precision = other._M_precision;
  _M_width = other._M_width;
  _M_flags = other._M_flags;
  _M_exception = other._M_exception;
  _M_streambuf_state = other._M_streambuf_state;
}
void ios_base::_M_swap(ios_base& other) noexcept {
  std::swap(_M_precision, other._M_precision);
  std::swap(_M_width, other._M_width);
  std::swap(_M_flags, other._M_flags);
  std::swap(_M_exception, other._M_exception);
  std::swap(_M_streambuf_state, other._M_streambuf_state);
}
void ios_base::_M_call_callbacks(event) noexcept {}
void ios_base::_M_dispose_callbacks() noexcept {}
bool ios_base::sync_with_stdio(bool) { return true; }
locale ios_base::imbue(const locale&) noexcept { return locale(); }

template <>
void basic_ios<char>::_M_cache_locale(const locale&) {}
template <>
char basic_ios<char>::widen(char c) const {
  return c;
}
template <>
char basic_ios<char>::narrow(char c, char) const {
  return c;
}

void __throw_ios_failure(const char* text) { throw ios_base::failure(text); }
void __throw_ios_failure(const char* text, int) { throw ios_base::failure(text); }
ios_base::failure::failure(const string& text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string& text, const error_code& code) : system_error(code, text) {}
ios_base::failure::failure(const char* text, const error_code& code) : system_error(code, text) {}
ios_base::failure::~failure() noexcept {}
const char* ios_base::failure::what() const noexcept { return runtime_error::what(); }

// ---- Insertion.

template <>
template <>
ostream& ostream::_M_insert(long value) {
  return printInteger(*this, value);
}
template <>
template <>
ostream& ostream::_M_insert(unsigned long value) {
  return printInteger(*this, value);
}
template <>
template <>
ostream& ostream::_M_insert(long long value) {
  return printInteger(*this, static_cast<long>(value));
}
template <>
template <>
ostream& ostream::_M_insert(unsigned long long value) {
  return printInteger(*this, static_cast<unsigned long>(value));
}
template <>
template <>
ostream& ostream::_M_insert(bool value) {
  if (!(flags() & boolalpha)) return printInteger(*this, static_cast<long>(value));
  return value ? emit(*this, "true", 4, 0) : emit(*this, "false", 5, 0);
}
template <>
template <>
ostream& ostream::_M_insert(double value) {
  return printReal(*this, value);
}
template <>
template <>
ostream& ostream::_M_insert(long double value) {
  return printReal(*this, value);
}
template <>
template <>
ostream& ostream::_M_insert(const void* value) {
  return value ? print(*this, "%p", value) : emit(*this, "0", 1, 0);
}

template <>
ostream& ostream::put(char c) {
  if (good()) send(*this, &c, 1);
  return *this;
}
template <>
ostream& ostream::write(const char* text, streamsize n) {
  if (good()) send(*this, text, static_cast<size_t>(n));
  return *this;
}
template <>
ostream& ostream::flush() {
  if (rdbuf() && rdbuf()->pubsync() == -1) setstate(badbit);
  return *this;
}
template <>
ostream& __ostream_insert(ostream& stream, const char* text, streamsize n) {
  return emit(stream, text, static_cast<size_t>(n), 0);
}

template <>
streamsize __copy_streambufs_eof(streambuf* from, streambuf* to, bool& end) {
  streamsize count = 0;
  for (int c = from->sgetc(); !(end = c == char_traits<char>::eof()); c = from->snextc(), ++count) {
    if (to->sputc(static_cast<char>(c)) == char_traits<char>::eof()) break;
  }
  return count;
}

template class basic_streambuf<char>;
template class basic_ios<char>;
template class basic_ostream<char>;
template class basic_stringbuf<char>;
template class basic_ostringstream<char>;
template ostream& endl(ostream&);
template ostream& ends(ostream&);
template ostream& flush(ostream&);
template ostream& operator<<(ostream&, char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, const char*);
template ostream& operator<<(ostream&, const signed char*);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const string&);
template ostream& operator<<(ostream&, _Setfill<char>);
template ostream& operator<<(ostream&, _Setiosflags);
template ostream& operator<<(ostream&, _Resetiosflags);
template ostream& operator<<(ostream&, _Setbase);
template ostream& operator<<(ostream&, _Setprecision);
template ostream& operator<<(ostream&, _Setw);

}  // namespace std

// ---- The standard streams, by their symbols: what the header calls an ostream is room for one here.

namespace {

heddle::library::Room<OutputBuffer> outputBuffer, errorBuffer;

}  // namespace

extern heddle::library::Room<std::ostream> coutRoom __asm__("_ZSt4cout");
extern heddle::library::Room<std::ostream> cerrRoom __asm__("_ZSt4cerr");
extern heddle::library::Room<std::ostream> clogRoom __asm__("_ZSt4clog");
heddle::library::Room<std::ostream> coutRoom, cerrRoom, clogRoom;

// Before the program's own initialisers, some of which may print.
__attribute__((constructor(101))) static void openStandardStreams() {
  auto* const output = new (&outputBuffer) OutputBuffer(1);
  auto* const errors = new (&errorBuffer) OutputBuffer(2);
  (new (&coutRoom) std::ostream(output))->fill(' ');
  (new (&clogRoom) std::ostream(errors))->fill(' ');
  auto* const cerr = new (&cerrRoom) std::ostream(errors);
  cerr->fill(' ');
  cerr->setf(std::ios_base::unitbuf);
}

namespace std {

ios_base::Init::Init() {}
ios_base::Init::~Init() {}

}  // namespace std
