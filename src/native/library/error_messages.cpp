// Messages of errors: err.h, error.h, and the system's log, which nobody reads.

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

namespace {

constexpr const char* kProgram = "program";

void message(const char* format, va_list arguments, const char* reason) {
  fprintf(stderr, "%s: ", kProgram);
  if (format) vfprintf(stderr, format, arguments);
  if (format && reason) fputs(": ", stderr);
  if (reason) fputs(reason, stderr);
  fputc('\n', stderr);
}

}  // namespace

#define WITH_ARGUMENTS(call)   \
  va_list arguments;           \
  va_start(arguments, format); \
  call;                        \
  va_end(arguments)

extern "C" {

void vwarn(const char* format, va_list arguments) { message(format, arguments, strerror(errno)); }
void vwarnx(const char* format, va_list arguments) { message(format, arguments, nullptr); }
void warn(const char* format, ...) { WITH_ARGUMENTS(vwarn(format, arguments)); }
void warnx(const char* format, ...) { WITH_ARGUMENTS(vwarnx(format, arguments)); }

void verr(int status, const char* format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}
void verrx(int status, const char* format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}
void err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}
void errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}

void error(int status, int code, const char* format, ...) {
  WITH_ARGUMENTS(message(format, arguments, code ? strerror(code) : nullptr));
  if (status) exit(status);
}

void openlog(const char*, int, int) {}
void closelog(void) {}
void vsyslog(int, const char* format, va_list arguments) {
  char text[1];
  vsnprintf(text, sizeof text, format, arguments);  // what it says is read, and checked
}
void syslog(int, const char* format, ...) { WITH_ARGUMENTS(vsyslog(0, format, arguments)); }
int setlogmask(int) { return 0xff; }

}  // extern "C"
