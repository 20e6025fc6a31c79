// The rest of stdlib.h that programs use: numbers from text, sorting and searching; and what a program asks the system about itself.

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "failure.h"
#include "primitives.h"

namespace {

int digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

struct Number {
  uint64_t magnitude = 0;
  bool negative = false, overflow = false;
};

Number parse(const char* text, char** end, int base) {
  const char* at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  Number number;
  if (*at == '+' || *at == '-') number.negative = *at++ == '-';
  const bool prefix = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digitOf(at[2]) < 16;
  if ((base == 0 || base == 16) && prefix) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  const char* digits = at;
  for (; digitOf(*at) < base; ++at) {
    uint64_t next;
    if (__builtin_mul_overflow(number.magnitude, static_cast<uint64_t>(base), &next) ||
        __builtin_add_overflow(next, static_cast<uint64_t>(digitOf(*at)), &number.magnitude)) {
      number.overflow = true;
    }
  }
  if (end) *end = const_cast<char*>(at == digits ? text : at);
  return number;
}

void swapElements(char* a, char* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    const char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}

// Heap sort: in place, and never slow.
template <class Less>
void sort(char* base, size_t count, size_t size, Less less) {
  const auto sink = [&](size_t root, size_t end) {
    while (2 * root + 1 < end) {
      size_t child = 2 * root + 1;
      if (child + 1 < end && less(base + child * size, base + (child + 1) * size)) ++child;
      if (!less(base + root * size, base + child * size)) return;
      swapElements(base + root * size, base + child * size, size);
      root = child;
    }
  };
  for (size_t i = count / 2; i-- > 0;) sink(i, count);
  for (size_t end = count; end-- > 1;) {
    swapElements(base, base + end * size, size);
    sink(0, end);
  }
}

// Infinity can be written out, and so can 0.
template <class Real>
bool isOutOfRange(const char* text, const char* end, Real result) {
  if (!__builtin_isinf(result) && result != 0) return false;
  while (text != end && !(*text >= '1' && *text <= '9') && (*text | 0x20) != 'e') ++text;
  return text != end && *text >= '1' && *text <= '9';
}

// `read` is the host's, which sees the memory of the program as it is.
template <class Real>
Real real(const char* text, char** end, Real (*read)(const char*, char**, int)) {
  heddle_check_read(text, strlen(text) + 1);
  char* after = nullptr;
  heddle_check_write(&after, sizeof after);
  const Real result = read(text, &after, 0);
  if (end) *end = after;
  if (isOutOfRange(text, after, result)) errno = ERANGE;
  return result;
}

}  // namespace

extern "C" {

unsigned long strtoul(const char* text, char** end, int base) {
  const Number number = parse(text, end, base);
  if (number.overflow) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return number.negative ? -number.magnitude : number.magnitude;
}

long strtol(const char* text, char** end, int base) {
  const Number number = parse(text, end, base);
  const uint64_t limit = static_cast<uint64_t>(LONG_MAX) + number.negative;
  if (number.overflow || number.magnitude > limit) {
    errno = ERANGE;
    return number.negative ? LONG_MIN : LONG_MAX;
  }
  return static_cast<long>(number.negative ? -number.magnitude : number.magnitude);
}

long long strtoll(const char* text, char** end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char* text, char** end, int base) { return strtoul(text, end, base); }
long __isoc23_strtol(const char* text, char** end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char* text, char** end, int base) { return strtoul(text, end, base); }
long long __isoc23_strtoll(const char* text, char** end, int base) { return strtol(text, end, base); }
unsigned long long __isoc23_strtoull(const char* text, char** end, int base) { return strtoul(text, end, base); }
int atoi(const char* text) { return static_cast<int>(strtol(text, nullptr, 10)); }
long atol(const char* text) { return strtol(text, nullptr, 10); }
long long atoll(const char* text) { return strtol(text, nullptr, 10); }

// The host's conversion, once the text has been read here.
double __strtod_internal(const char* text, char** end, int group);
float __strtof_internal(const char* text, char** end, int group);
long double __strtold_internal(const char* text, char** end, int group);

double strtod(const char* text, char** end) { return real(text, end, __strtod_internal); }
long double strtold(const char* text, char** end) { return real(text, end, __strtold_internal); }
float strtof(const char* text, char** end) { return real(text, end, __strtof_internal); }
double atof(const char* text) { return strtod(text, nullptr); }

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  sort(static_cast<char*>(base), count, size, [=](const char* a, const char* b) { return compare(a, b) < 0; });
}

void qsort_r(void* base, size_t count, size_t size, int (*compare)(const void*, const void*, void*), void* context) {
  sort(static_cast<char*>(base), count, size, [=](const char* a, const char* b) { return compare(a, b, context) < 0; });
}

void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  auto* first = static_cast<const char*>(base);
  while (count != 0) {
    const char* middle = first + count / 2 * size;
    const int order = compare(key, middle);
    if (order == 0) return const_cast<char*>(middle);
    if (order > 0) {
      first = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return nullptr;
}

void* lfind(const void* key, const void* base, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  auto* first = static_cast<const char*>(base);
  for (size_t i = 0; i < *count; ++i) {
    if (compare(key, first + i * size) == 0) return const_cast<char*>(first + i * size);
  }
  return nullptr;
}

void* lsearch(const void* key, void* base, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  if (void* found = lfind(key, base, count, size, compare)) return found;
  return memcpy(static_cast<char*>(base) + (*count)++ * size, key, size);
}

intmax_t strtoimax(const char* text, char** end, int base) { return strtol(text, end, base); }
uintmax_t strtoumax(const char* text, char** end, int base) { return strtoul(text, end, base); }
intmax_t __isoc23_strtoimax(const char* text, char** end, int base) { return strtol(text, end, base); }
uintmax_t __isoc23_strtoumax(const char* text, char** end, int base) { return strtoul(text, end, base); }

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return {a / b, a % b}; }
div_t div(int a, int b) { return {a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return {a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return {a / b, a % b}; }

char* setlocale(int, const char*) { return const_cast<char*>("C"); }
pid_t getpid(void) {
  WARN_OF_ONE_RESULT("getpid gave one fixed number, 1000");
  return 1000;
}
pid_t getppid(void) {
  WARN_OF_ONE_RESULT("getppid gave one fixed number, 1");
  return 1;
}
pid_t gettid(void) {
  WARN_OF_ONE_RESULT("gettid gave one fixed number for each thread, from 1000 up");
  return 1000 + static_cast<pid_t>(heddle_self());
}
uid_t getuid(void) {
  WARN_OF_ONE_RESULT("getuid gave one fixed number, 1000");
  return 1000;
}
uid_t geteuid(void) { return getuid(); }
gid_t getgid(void) {
  WARN_OF_ONE_RESULT("getgid gave one fixed number, 1000");
  return 1000;
}
gid_t getegid(void) { return getgid(); }
int gethostname(char* name, size_t size) {
  WARN_OF_ONE_RESULT("gethostname gave one fixed name, localhost");
  strncpy(name, "localhost", size);
  if (size > strlen("localhost")) return 0;
  errno = ENAMETOOLONG;
  return -1;
}
// Nothing has been used up, and nothing is limited or known of the machine.
int getrusage(__rusage_who_t, rusage* usage) {
  WARN_OF_ONE_RESULT("getrusage gave one fixed answer, that nothing was used");
  memset(usage, 0, sizeof *usage);
  return 0;
}
unsigned long getauxval(unsigned long) {
  WARN_OF_ONE_RESULT("getauxval gave one fixed number, 0");
  errno = ENOENT;
  return 0;
}
int isatty(int) {
  WARN_OF_ONE_RESULT("isatty gave one fixed answer, no");
  return 0;
}
int getpagesize(void) { return 4096; }
int get_nprocs(void) {
  WARN_OF_ONE_RESULT("get_nprocs gave one fixed number, 4");
  return 4;
}
int get_nprocs_conf(void) {
  WARN_OF_ONE_RESULT("get_nprocs_conf gave one fixed number, 4");
  return 4;
}

long sysconf(int name) {
  switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: WARN_OF_ONE_RESULT("sysconf gave one fixed number of processors, 4"); return 4;
    case _SC_PAGESIZE: return 4096;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
    default: return -1;
  }
}

// shared_ptr asks whether it may do without atomics. It may not.
char __libc_single_threaded = 0;

}  // extern "C"
