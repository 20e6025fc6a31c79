// What a program asks the system about itself and its limits, and what it sets. Nothing is limited; what is set is accepted and
// forgotten.

#include <errno.h>
#include <fenv.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "failure.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {

int getrlimit(__rlimit_resource_t, rlimit* limits) {
  WARN_OF_ONE_RESULT("getrlimit gave one fixed answer, that nothing is limited");
  *limits = {RLIM_INFINITY, RLIM_INFINITY};
  return 0;
}
int setrlimit(__rlimit_resource_t, const rlimit*) { return 0; }

int getpriority(__priority_which_t, id_t) {
  WARN_OF_ONE_RESULT("getpriority gave one fixed number, 0");
  return 0;
}
int setpriority(__priority_which_t, id_t, int) { return 0; }

int uname(utsname* names) {
  WARN_OF_ONE_RESULT("uname gave one fixed answer, that of a Linux on x86_64");
  *names = {};
  strcpy(names->sysname, "Linux");
  strcpy(names->nodename, "localhost");
  strcpy(names->release, "6.1.0");
  strcpy(names->version, "#1 SMP");
  strcpy(names->machine, "x86_64");
  return 0;
}

int getloadavg(double*, int) {
  WARN_OF_ONE_RESULT("getloadavg gave one fixed answer, that it is not known");
  return -1;
}

char* getcwd(char* buffer, size_t size) {
  WARN_OF_ONE_RESULT("getcwd gave one fixed folder, /");
  if (buffer && size < 2) {
    errno = ERANGE;
    return nullptr;
  }
  if (!buffer) buffer = static_cast<char*>(malloc(size < 2 ? 2 : size));
  strcpy(buffer, "/");
  return buffer;
}

// Threads can be named in this way, too.
int prctl(int what, ...) {
  if (what != PR_SET_NAME)
    fail(Failure::unsupported, "prctl is not modelled but for PR_SET_NAME: define a stub of it in the program");
  va_list arguments;
  va_start(arguments, what);
  const char* const name = va_arg(arguments, const char*);
  heddle_check_read(name, strnlen(name, 16));
  heddle_name_thread(heddle_self(), name);
  va_end(arguments);
  return 0;
}

// How malloc works is not modelled.
int mallopt(int, int) { return 1; }
int malloc_info(int, FILE*) { return 0; }

// Numbers are always rounded to the nearest.
int fegetround(void) { return FE_TONEAREST; }
int fesetround(int mode) {
  if (mode != FE_TONEAREST) fail(Failure::unsupported, "fesetround is modelled for FE_TONEAREST only");
  return 0;
}

}  // extern "C"
