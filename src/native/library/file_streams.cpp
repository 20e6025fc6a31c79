// Streams of stdio on files: a buffer for each, on top of the calls of files.cpp.
//
// What is written stays in the buffer until the buffer is full, the stream is flushed or closed, or the program ends: so a program that
// syncs the file without a flush has synced nothing. What is read is not read ahead.

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {
bool heddle_stream_put(FILE* file, const char* text, size_t n);
int heddle_stream_flush(FILE* file);
int heddle_stream_descriptor(FILE* file);
int heddle_stream_has_failed(FILE* file);
void heddle_stream_set_buffering(FILE* file, int mode);
int heddle_scan(const char* text, const char* format, va_list* arguments, size_t* consumed);
int heddle_stream_scan(FILE* file, const char* format, va_list* arguments);
}

namespace {

// What stdio.cpp calls if it is there. Only what is referred to is linked, so whoever opens a stream refers to it.
void* volatile forStdio[] = {reinterpret_cast<void*>(heddle_stream_put), reinterpret_cast<void*>(heddle_stream_flush),
                             reinterpret_cast<void*>(heddle_stream_descriptor),
                             reinterpret_cast<void*>(heddle_stream_has_failed),
                             reinterpret_cast<void*>(heddle_stream_set_buffering)};

constexpr size_t kBuffer = 256;
constexpr size_t kMostStreams = 16;

struct Stream {
  bool isOpen;
  uint32_t lock;
  int descriptor;
  bool isAtEnd, hasFailed, isReadOnly;
  bool onlyAppends;  // such a file is opened at its end
  int buffering;     // _IOFBF, _IOLBF or _IONBF
  bool isGivenBack;  // by ungetc: a character to read next
  char givenBack;
  size_t used;
  char buffer[kBuffer];
};

Stream streams[kMostStreams];
uint32_t tableLock;
bool flushesAtExit;

class Locked {
 public:
  explicit Locked(Stream& stream) : lock_(stream.lock) { heddle_lock(&lock_); }
  ~Locked() { heddle_unlock(&lock_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  uint32_t& lock_;
};

FILE* asFile(Stream& stream) { return reinterpret_cast<FILE*>(&stream); }

Stream& streamOf(FILE* file) {
  auto* const stream = reinterpret_cast<Stream*>(file);
  if (stream < streams || stream >= streams + kMostStreams || !stream->isOpen) {
    fail(Failure::misuse, "this is no stream that is open");
  }
  return *stream;
}

int flush(Stream& stream) {
  const size_t used = stream.used;
  stream.used = 0;
  if (used == 0 || write(stream.descriptor, stream.buffer, used) == static_cast<ssize_t>(used)) return 0;
  stream.hasFailed = true;
  return EOF;
}

void flushAll() {
  for (Stream& stream : streams) {
    if (!stream.isOpen) continue;
    const Locked lock(stream);
    flush(stream);
  }
}

int flagsOf(const char* mode) {
  const bool updates = strchr(mode, '+') != nullptr;
  const int exclusive = strchr(mode, 'x') ? O_EXCL : 0;
  switch (mode[0]) {
    case 'r': return updates ? O_RDWR : O_RDONLY;
    case 'w': return (updates ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC | exclusive;
    case 'a': return (updates ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
    default: return -1;
  }
}

FILE* openStream(int descriptor, int flags) {
  static_cast<void>(forStdio[0]);
  heddle_lock(&tableLock);
  Stream* found = nullptr;
  for (Stream& stream : streams) {
    if (!found && !stream.isOpen) found = &stream;
  }
  if (found)
    *found = {.isOpen = true,
              .lock = 0,
              .descriptor = descriptor,
              .isAtEnd = false,
              .hasFailed = false,
              .isReadOnly = (flags & O_ACCMODE) == O_RDONLY,
              .onlyAppends = (flags & O_ACCMODE) == O_WRONLY && (flags & O_APPEND) != 0,
              .buffering = _IOFBF,
              .isGivenBack = false,
              .givenBack = 0,
              .used = 0,
              .buffer = {}};
  if (found && !flushesAtExit && !heddle_recovers()) {
    flushesAtExit = true;
    atexit(flushAll);
  }
  heddle_unlock(&tableLock);
  if (!found) errno = EMFILE;
  return found ? asFile(*found) : nullptr;
}

}  // namespace

extern "C" {

bool heddle_stream_put(FILE* file, const char* text, size_t n) {
  Stream& stream = streamOf(file);
  const Locked lock(stream);
  if (stream.isReadOnly) {
    stream.hasFailed = true;
    errno = EBADF;
    return false;
  }
  bool isWritten = true, endsLine = false;
  for (size_t i = 0; i < n; ++i) {
    if (stream.used == kBuffer) isWritten &= flush(stream) == 0;
    stream.buffer[stream.used++] = text[i];
    endsLine |= text[i] == '\n';
  }
  if (stream.buffering == _IONBF || (stream.buffering == _IOLBF && endsLine)) isWritten &= flush(stream) == 0;
  return isWritten;
}
int heddle_stream_has_failed(FILE* file) { return streamOf(file).hasFailed; }
void heddle_stream_set_buffering(FILE* file, int mode) { streamOf(file).buffering = mode; }
int heddle_stream_flush(FILE* file) {
  if (!file) return flushAll(), 0;
  Stream& stream = streamOf(file);
  const Locked lock(stream);
  return flush(stream);
}
int heddle_stream_descriptor(FILE* file) { return streamOf(file).descriptor; }

FILE* fopen(const char* path, const char* mode) {
  const int flags = flagsOf(mode);
  if (flags < 0) {
    errno = EINVAL;
    return nullptr;
  }
  const int descriptor = open(path, flags, 0666);
  return descriptor < 0 ? nullptr : openStream(descriptor, flags);
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
FILE* fdopen(int descriptor, const char* mode) {
  const int flags = flagsOf(mode);
  if (flags < 0) {
    errno = EINVAL;
    return nullptr;
  }
  return openStream(descriptor, flags);
}

int fclose(FILE* file) {
  Stream& stream = streamOf(file);
  const int flushed = heddle_stream_flush(file);
  const int closed = close(stream.descriptor);
  heddle_lock(&tableLock);
  stream.isOpen = false;
  heddle_unlock(&tableLock);
  return flushed == 0 && closed == 0 ? 0 : EOF;
}

size_t fread(void* data, size_t size, size_t count, FILE* file) {
  Stream& stream = streamOf(file);
  if (size == 0 || count == 0) return 0;
  const Locked lock(stream);
  if (stream.used != 0) flush(stream);
  char* to = static_cast<char*>(data);
  size_t n = size * count, given = 0;
  if (stream.isGivenBack) {
    *to++ = stream.givenBack;
    stream.isGivenBack = false;
    given = 1;
    if (--n == 0) return 1 / size;
  }
  const ssize_t got = read(stream.descriptor, to, n);
  if (got < 0) stream.hasFailed = true;
  if (got < static_cast<ssize_t>(n)) stream.isAtEnd = got >= 0;
  return ((got < 0 ? 0 : static_cast<size_t>(got)) + given) / size;
}
int fgetc(FILE* file) {
  unsigned char c = 0;
  return fread(&c, 1, 1, file) == 1 ? c : EOF;
}
int getc(FILE* file) { return fgetc(file); }
char* fgets(char* text, int n, FILE* file) {
  int used = 0;
  while (used + 1 < n) {
    const int c = fgetc(file);
    if (c == EOF) break;
    text[used++] = static_cast<char>(c);
    if (c == '\n') break;
  }
  if (used == 0) return nullptr;
  text[used] = 0;
  return text;
}

int ungetc(int c, FILE* file) {
  Stream& stream = streamOf(file);
  if (c == EOF) return EOF;
  const Locked lock(stream);
  if (stream.isGivenBack) return EOF;  // one is promised
  stream.isGivenBack = true;
  stream.givenBack = static_cast<char>(c);
  stream.isAtEnd = false;
  return static_cast<unsigned char>(c);
}

ssize_t getdelim(char** line, size_t* room, int delimiter, FILE* file) {
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  size_t used = 0;
  for (int c = 0; c != delimiter;) {
    c = fgetc(file);
    if (c == EOF) break;
    if (!*line || used + 2 > *room) {
      *room = !*line || *room < 8 ? 16 : 2 * *room;
      *line = static_cast<char*>(realloc(*line, *room));
    }
    (*line)[used++] = static_cast<char>(c);
  }
  if (used == 0) return -1;
  (*line)[used] = 0;
  return static_cast<ssize_t>(used);
}
ssize_t __getdelim(char** line, size_t* room, int delimiter, FILE* file) { return getdelim(line, room, delimiter, file); }
ssize_t getline(char** line, size_t* room, FILE* file) { return getdelim(line, room, '\n', file); }

// The text is read as far as the conversions go, which are tried again with each character more; what they have not used is given back.
int heddle_stream_scan(FILE* file, const char* format, va_list* arguments) {
  constexpr size_t kMostText = 255;
  for (const char* at = strchr(format, '%'); at; at = strchr(at + 1, '%')) {
    const size_t digits = strspn(at + 1, "*0123456789");
    if (at[1 + digits] == 'c' && digits > (at[1] == '*' ? 1u : 0u)) {
      fail(Failure::unsupported, "fscanf of a number of characters is not supported: use fread");
    }
    if (at[1] == '%') ++at;
  }
  char text[kMostText + 1];
  size_t n = 0, used = 0;
  int result = 0;
  const bool wasGivenBack = streamOf(file).isGivenBack;
  for (bool isAtEnd = false;;) {
    text[n] = 0;
    result = heddle_scan(text, format, arguments, &used);
    const bool mayGoOn = used == n || (n - used < 3 && strchr("xXeEpP", text[used]));
    if (isAtEnd || !mayGoOn) break;
    if (n == kMostText) fail(Failure::unsupported, "fscanf reads more than 255 characters at once");
    const int c = fgetc(file);
    isAtEnd = c == EOF;
    if (!isAtEnd) text[n++] = static_cast<char>(c);
  }
  Stream& stream = streamOf(file);
  const Locked lock(stream);
  const bool givesBackFirst = wasGivenBack && used == 0 && n != 0;
  const size_t back = n - used - (givesBackFirst ? 1 : 0);
  if (back != 0) lseek(stream.descriptor, -static_cast<off_t>(back), SEEK_CUR);
  if (givesBackFirst) {
    stream.isGivenBack = true;
    stream.givenBack = text[0];
  }
  if (n != used) stream.isAtEnd = false;
  return result;
}
FILE* freopen(const char* path, const char* mode, FILE* file) {
  auto* const opened = reinterpret_cast<Stream*>(file);
  if (opened < streams || opened >= streams + kMostStreams || !path) {
    fail(Failure::unsupported, "freopen is supported with a name, for a stream that fopen has opened");
  }
  Stream& stream = streamOf(file);
  heddle_stream_flush(file);
  close(stream.descriptor);
  const int flags = flagsOf(mode);
  const int descriptor = flags < 0 ? -1 : open(path, flags, 0666);
  if (flags < 0) errno = EINVAL;
  heddle_lock(&tableLock);
  stream.isOpen = descriptor >= 0;
  heddle_unlock(&tableLock);
  if (descriptor < 0) return nullptr;
  stream.descriptor = descriptor;
  stream.isAtEnd = stream.hasFailed = stream.isGivenBack = false;
  stream.isReadOnly = (flags & O_ACCMODE) == O_RDONLY;
  stream.onlyAppends = (flags & O_ACCMODE) == O_WRONLY && (flags & O_APPEND) != 0;
  return file;
}

int fseek(FILE* file, long offset, int whence) {
  Stream& stream = streamOf(file);
  const Locked lock(stream);
  if (flush(stream) != 0) return -1;
  stream.isAtEnd = false;
  if (stream.isGivenBack && whence == SEEK_CUR) --offset;
  stream.isGivenBack = false;
  return lseek(stream.descriptor, offset, whence) < 0 ? -1 : 0;
}
long ftell(FILE* file) {
  Stream& stream = streamOf(file);
  const off_t position = lseek(stream.descriptor, 0, stream.onlyAppends ? SEEK_END : SEEK_CUR);
  return position < 0 ? -1 : static_cast<long>(position) + static_cast<long>(stream.used) - (stream.isGivenBack ? 1 : 0);
}
void rewind(FILE* file) {
  fseek(file, 0, SEEK_SET);
  streamOf(file).hasFailed = false;
}
int feof(FILE* file) { return streamOf(file).isAtEnd; }
void clearerr(FILE* file) { streamOf(file).isAtEnd = streamOf(file).hasFailed = false; }

}  // extern "C"
