// Output of stdio: what is written to stdout and stderr goes to the runtime, which shows it when asked to. Files are those of
// file_streams.cpp, which is part of programs that open some.

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "format.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::formatTo;
using heddle::library::Text;

extern "C" {
[[gnu::weak]] bool heddle_stream_put(FILE* file, const char* text, size_t n);
[[gnu::weak]] int heddle_stream_flush(FILE* file);
[[gnu::weak]] int heddle_stream_descriptor(FILE* file);
[[gnu::weak]] int heddle_stream_has_failed(FILE* file);
[[gnu::weak]] void heddle_stream_set_buffering(FILE* file, int mode);
[[gnu::weak]] ssize_t write(int descriptor, const void* data, size_t n);  // of files.cpp
}

namespace {

FILE standardInput, standardOutput, standardError;

bool isFile(const FILE* file) { return file != stdout && file != stderr && file != stdin; }

bool put(FILE* file, const char* text, size_t n) {
  if (file != stdout && file != stderr) {
    if (!heddle_stream_put) fail(Failure::unsupported, "files other than stdout and stderr are not supported");
    return heddle_stream_put(file, text, n);
  }
  heddle_output(text, n, file == stdout ? 1 : 2);
  return true;
}

int print(FILE* file, const char* format, va_list arguments) {
  const Text text(format, arguments);
  return put(file, text.data(), text.size()) ? static_cast<int>(text.size()) : -1;
}

int printTo(int descriptor, const char* format, va_list arguments) {
  if (descriptor == 1 || descriptor == 2) return print(descriptor == 1 ? stdout : stderr, format, arguments);
  const Text text(format, arguments);
  if (write) return static_cast<int>(write(descriptor, text.data(), text.size()));
  errno = EBADF;  // no file was ever opened
  return -1;
}

int putString(FILE* file, const char* text) { return put(file, text, strlen(text)) ? 1 : EOF; }

int putCharacter(FILE* file, int c) {
  const char text = static_cast<char>(c);
  return put(file, &text, 1) ? static_cast<unsigned char>(c) : EOF;
}

void setBuffering(FILE* file, int mode) {
  if (heddle_stream_set_buffering && isFile(file)) heddle_stream_set_buffering(file, mode);
}

}  // namespace

extern "C" {

#undef stdin
#undef stdout
#undef stderr
FILE* stdin = &standardInput;
FILE* stdout = &standardOutput;
FILE* stderr = &standardError;

int vprintf(const char* format, va_list arguments) { return print(stdout, format, arguments); }
int vfprintf(FILE* file, const char* format, va_list arguments) { return print(file, format, arguments); }
int vsnprintf(char* buffer, size_t n, const char* format, va_list arguments) { return formatTo(buffer, n, format, arguments); }
int vsprintf(char* buffer, const char* format, va_list arguments) { return formatTo(buffer, SIZE_MAX, format, arguments); }

#define WITH_ARGUMENTS(result, call) \
  va_list arguments;                 \
  va_start(arguments, format);       \
  const int result = call;           \
  va_end(arguments);                 \
  return result

int printf(const char* format, ...) { WITH_ARGUMENTS(length, print(stdout, format, arguments)); }
int fprintf(FILE* file, const char* format, ...) { WITH_ARGUMENTS(length, print(file, format, arguments)); }
int snprintf(char* buffer, size_t n, const char* format, ...) {
  WITH_ARGUMENTS(length, formatTo(buffer, n, format, arguments));
}
int sprintf(char* buffer, const char* format, ...) { WITH_ARGUMENTS(length, formatTo(buffer, SIZE_MAX, format, arguments)); }

int vdprintf(int descriptor, const char* format, va_list arguments) { return printTo(descriptor, format, arguments); }
int dprintf(int descriptor, const char* format, ...) { WITH_ARGUMENTS(length, printTo(descriptor, format, arguments)); }

int vasprintf(char** result, const char* format, va_list arguments) {
  const Text text(format, arguments);
  *result = static_cast<char*>(malloc(text.size() + 1));
  memcpy(*result, text.data(), text.size() + 1);
  return static_cast<int>(text.size());
}
int asprintf(char** result, const char* format, ...) { WITH_ARGUMENTS(length, vasprintf(result, format, arguments)); }

int puts(const char* text) {
  putString(stdout, text);
  return putCharacter(stdout, '\n');
}
int fputs(const char* text, FILE* file) { return putString(file, text); }
int fputc(int c, FILE* file) { return putCharacter(file, c); }
int putc(int c, FILE* file) { return putCharacter(file, c); }
int putchar(int c) { return putCharacter(stdout, c); }
int putc_unlocked(int c, FILE* file) { return putCharacter(file, c); }
int putchar_unlocked(int c) { return putCharacter(stdout, c); }

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  heddle_check_read(data, size * count);
  return put(file, static_cast<const char*>(data), size * count) ? count : 0;
}

void perror(const char* text) {
  if (text && *text) {
    putString(stderr, text);
    putString(stderr, ": ");
  }
  putString(stderr, strerror(errno));
  putString(stderr, "\n");
}

int fflush(FILE* file) { return heddle_stream_flush && file != stdout && file != stderr ? heddle_stream_flush(file) : 0; }
int fileno(FILE* file) {
  if (file == stdout) return 1;
  if (file == stderr) return 2;
  return heddle_stream_descriptor && file != stdin ? heddle_stream_descriptor(file) : 0;
}
int setvbuf(FILE* file, char*, int mode, size_t) { return setBuffering(file, mode), 0; }
void setbuf(FILE* file, char* buffer) { setBuffering(file, buffer ? _IOFBF : _IONBF); }
void setlinebuf(FILE* file) { setBuffering(file, _IOLBF); }
int ferror(FILE* file) { return heddle_stream_has_failed && isFile(file) ? heddle_stream_has_failed(file) : 0; }
void flockfile(FILE*) {}
void funlockfile(FILE*) {}
int ftrylockfile(FILE*) { return 0; }
int fputs_unlocked(const char* text, FILE* file) { return fputs(text, file); }
int fputc_unlocked(int c, FILE* file) { return fputc(c, file); }
size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* file) { return fwrite(data, size, count, file); }
int fflush_unlocked(FILE* file) { return fflush(file); }

}  // extern "C"
