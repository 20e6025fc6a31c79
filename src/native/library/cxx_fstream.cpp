// Streams of C++ on files: std::ofstream, std::ifstream, std::fstream, on top of the calls of files.cpp.
//
// The classes are libstdc++'s own, instantiated here. What they do with a file, in __basic_file, and what they would ask a locale's
// facet to convert, is done here without it. What is written stays in the buffer until the buffer is full, the stream is
// flushed or closed; so a program that syncs the file without a flush has synced nothing. What is read is not
// read ahead, so that recovery finds what it looks at, and no more.

#include <fcntl.h>
#include <unistd.h>

#include "primitives.h"
#include "streams.h"

namespace {

constexpr int kEnd = std::char_traits<char>::eof();
constexpr std::size_t kBuffer = 512;  // more than a file has

// The flags of open for a mode, as the table of the standard has them; -1: there is no such mode. Where to begin, and whether
// lines end in one character, makes no difference here.
int flagsOf(std::ios_base::openmode mode) {
  using std::ios_base;
  const bool truncates = (mode & ios_base::trunc) != 0, appends = (mode & ios_base::app) != 0;
  const bool reads = (mode & ios_base::in) != 0, writes = (mode & ios_base::out) != 0 || appends;
  if (truncates && (appends || !writes)) return -1;
  if (!reads && !writes) return -1;
  if (!writes) return O_RDONLY;
  if (appends) return (reads ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
  if (reads) return truncates ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR;
  return O_WRONLY | O_CREAT | O_TRUNC;
}

int whenceOf(std::ios_base::seekdir way) {
  return way == std::ios_base::beg ? SEEK_SET : way == std::ios_base::cur ? SEEK_CUR : SEEK_END;
}

}  // namespace

namespace std {

// ---- The file: `_M_cfile` is the number of its descriptor, which is never 0.

__basic_file<char>::__basic_file(__c_lock*) noexcept : _M_cfile(nullptr), _M_cfile_created(false) {}
__basic_file<char>::~__basic_file() { close(); }

int __basic_file<char>::fd() noexcept { return static_cast<int>(reinterpret_cast<intptr_t>(_M_cfile)); }
bool __basic_file<char>::is_open() const noexcept { return _M_cfile != nullptr; }

__basic_file<char>* __basic_file<char>::open(const char* name, ios_base::openmode mode, int) {
  const int flags = flagsOf(mode);
  const int descriptor = is_open() || flags < 0 ? -1 : ::open(name, flags, 0664);
  if (descriptor < 0) return nullptr;
  _M_cfile = reinterpret_cast<__c_file*>(static_cast<intptr_t>(descriptor));
  return this;
}
__basic_file<char>* __basic_file<char>::close() {
  if (!is_open()) return nullptr;
  const int closed = ::close(fd());
  _M_cfile = nullptr;
  return closed == 0 ? this : nullptr;
}

streamsize __basic_file<char>::xsputn(const char* text, streamsize n) { return ::write(fd(), text, static_cast<size_t>(n)); }
streamsize __basic_file<char>::xsgetn(char* text, streamsize n) { return ::read(fd(), text, static_cast<size_t>(n)); }
streamoff __basic_file<char>::seekoff(streamoff offset, ios_base::seekdir way) noexcept {
  return ::lseek(fd(), offset, whenceOf(way));
}
int __basic_file<char>::sync() { return 0; }

// ---- The buffer. It is of what is read or of what is written, never both: `_M_reading`, `_M_writing`.

template <>
int filebuf::overflow(int);
template <>
int filebuf::underflow();

template <>
filebuf::basic_filebuf()
    : _M_lock(),
      _M_file(&_M_lock),
      _M_mode(),
      _M_state_beg(),
      _M_state_cur(),
      _M_state_last(),
      _M_buf(nullptr),
      _M_buf_size(kBuffer),
      _M_buf_allocated(false),
      _M_reading(false),
      _M_writing(false),
      _M_pback(),
      _M_pback_cur_save(nullptr),
      _M_pback_end_save(nullptr),
      _M_pback_init(false),
      _M_codecvt(nullptr),
      _M_ext_buf(nullptr),
      _M_ext_buf_size(0),
      _M_ext_next(nullptr),
      _M_ext_end(nullptr) {}

template <>
void filebuf::imbue(const locale&) {}

template <>
bool filebuf::_M_convert_to_external(char* text, streamsize n) {
  return n == 0 || _M_file.xsputn(text, n) == n;
}
template <>
bool filebuf::_M_terminate_output() {
  return pbase() == pptr() || overflow() != kEnd;
}
template <>
int filebuf::_M_get_ext_pos(__state_type&) {
  return static_cast<int>(gptr() - egptr());
}

// What was read but not taken is read again.
template <>
filebuf::pos_type filebuf::_M_seek(off_type offset, ios_base::seekdir way, __state_type) {
  if (!_M_terminate_output()) return pos_type(off_type(-1));
  const off_type position = _M_file.seekoff(offset, way);
  if (position < 0) return pos_type(off_type(-1));
  _M_reading = _M_writing = false;
  _M_set_buffer(-1);
  return pos_type(position);
}
template <>
filebuf::pos_type filebuf::seekoff(off_type offset, ios_base::seekdir way, ios_base::openmode) {
  if (!is_open()) return pos_type(off_type(-1));
  _M_destroy_pback();
  const off_type unread = _M_reading ? egptr() - gptr() : 0;
  if (way == ios_base::cur && offset == 0) {                                          // where it is, which changes nothing
    const bool onlyAppends = (_M_mode & ios_base::app) && !(_M_mode & ios_base::in);  // such a file is opened at its end
    const off_type position = _M_file.seekoff(0, onlyAppends ? ios_base::end : ios_base::cur);
    return pos_type(position < 0 ? off_type(-1) : position - unread + (_M_writing ? pptr() - pbase() : 0));
  }
  return _M_seek(way == ios_base::cur ? offset - unread : offset, way, _M_state_beg);
}
template <>
filebuf::pos_type filebuf::seekpos(pos_type position, ios_base::openmode mode) {
  return seekoff(off_type(position), ios_base::beg, mode);
}

// ---- Reading.

template <>
streamsize filebuf::showmanyc() {
  return (_M_mode & ios_base::in) && is_open() ? egptr() - gptr() : -1;
}
template <>
int filebuf::underflow() {
  if (!(_M_mode & ios_base::in) || (_M_writing && !_M_terminate_output())) return kEnd;
  _M_writing = false;
  _M_destroy_pback();
  if (gptr() < egptr()) return char_traits<char>::to_int_type(*gptr());
  const streamsize got = _M_file.xsgetn(_M_buf, 1);
  _M_reading = got == 1;
  _M_set_buffer(got == 1 ? 1 : -1);
  return got == 1 ? char_traits<char>::to_int_type(*gptr()) : kEnd;
}
template <>
streamsize filebuf::xsgetn(char* text, streamsize n) {
  if (!(_M_mode & ios_base::in) || (_M_writing && !_M_terminate_output())) return 0;
  _M_writing = false;
  streamsize got = 0;
  while (got < n && gptr() < egptr()) text[got++] = static_cast<char>(sbumpc());
  _M_destroy_pback();
  if (got == n) return got;
  const streamsize more = _M_file.xsgetn(text + got, n - got);
  _M_reading = false;
  _M_set_buffer(-1);
  return more < 0 ? got : got + more;
}
template <>
int filebuf::pbackfail(int c) {
  if (!(_M_mode & ios_base::in) || (_M_writing && !_M_terminate_output())) return kEnd;
  _M_writing = false;
  const bool wasPutBack = _M_pback_init;
  int before = kEnd;
  if (eback() < gptr()) {
    gbump(-1);
    before = char_traits<char>::to_int_type(*gptr());
  } else if (seekoff(-1, ios_base::cur, _M_mode) != pos_type(off_type(-1))) {
    before = underflow();
  }
  if (before == kEnd) return kEnd;
  if (c == kEnd || c == before) return char_traits<char>::not_eof(before);
  if (wasPutBack) return kEnd;
  _M_create_pback();
  _M_reading = true;
  *gptr() = static_cast<char>(c);
  return c;
}

// ---- Writing.

template <>
int filebuf::overflow(int c) {
  if (!(_M_mode & (ios_base::out | ios_base::app))) return kEnd;
  if (_M_reading) {
    _M_destroy_pback();
    if (_M_seek(gptr() - egptr(), ios_base::cur, _M_state_beg) == pos_type(off_type(-1))) return kEnd;
  }
  const bool isWritten = _M_convert_to_external(pbase(), pptr() - pbase());
  _M_set_buffer(0);
  _M_writing = true;
  if (!isWritten) return kEnd;
  if (c == kEnd) return char_traits<char>::not_eof(c);
  *pptr() = static_cast<char>(c);
  pbump(1);
  return c;
}
template <>
streamsize filebuf::xsputn(const char* text, streamsize n) {
  return __streambuf_type::xsputn(text, n);
}

template class basic_filebuf<char>;
template class basic_ifstream<char>;
template class basic_ofstream<char>;
template class basic_fstream<char>;

}  // namespace std
