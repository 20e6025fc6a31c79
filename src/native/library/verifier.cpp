// Assertions, and the names that verification benchmarks use. heddle_assume, heddle_choose and the annotations
// (include/heddle/heddle.h) are hooks, which need no model. overlay/genmc.h has the annotations that are macros.

#include <assert.h>
#include <stdarg.h>

#include "explored_inputs.h"
#include "failure.h"

using heddle::library::fail;
using heddle::library::Failure;

namespace {

[[noreturn]] void unbounded() {
  fail(Failure::unsupported, "an arbitrary value of this type has too many possibilities: say with --explore nondet=A..B which "
                             "ones to explore, or use "
                             "heddle_choose(n), a value below n, instead");
}

// Each value of the range that --explore nondet=A..B gives, as far as the type has it.
template <typename T>
T explored() {
  if (!heddle_inputs.nondet) unbounded();
  constexpr long long kLeast = T(-1) < T(0) ? (sizeof(T) == 8 ? INT64_MIN : -(1LL << (8 * sizeof(T) - 1))) : 0;
  constexpr long long kMost = sizeof(T) == 8 ? INT64_MAX
                              : T(-1) < T(0) ? (1LL << (8 * sizeof(T) - 1)) - 1
                                             : (1LL << (8 * sizeof(T))) - 1;
  const long long least = heddle_inputs.least < kLeast ? kLeast : heddle_inputs.least;
  const long long most = heddle_inputs.most > kMost ? kMost : heddle_inputs.most;
  heddle_assume_hook(least <= most);
  return static_cast<T>(least + static_cast<long long>(heddle_choose_hook(static_cast<uint64_t>(most - least) + 1)));
}

// "assertion 'x == 1' failed", in memory that outlives the call. Nothing is checked, as it would be in a printf of the
// program's: half of the programs have assertions, and the checks are more code than most of them.
[[noreturn]] void failedAssertion(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t size = static_cast<size_t>(heddle_format(nullptr, 0, format, arguments)) + 1;
  va_end(arguments);
  char* const text = static_cast<char*>(heddle_allocate(size, 1, heddle_heap_malloc));
  va_start(arguments, format);
  heddle_format(text, size, format, arguments);
  va_end(arguments);
  fail(Failure::assertion, text);
}

}  // namespace

extern "C" {

void __assert_fail(const char* condition, const char*, unsigned, const char*) noexcept {
  failedAssertion("assertion '%s' failed", condition);
}
void __assert(const char* condition, const char*, int) noexcept { failedAssertion("assertion '%s' failed", condition); }
void __assert_perror_fail(int error, const char*, unsigned, const char*) noexcept {
  failedAssertion("assert_perror failed with error %d", error);
}

// std::__glibcxx_assert_fail, of -D_GLIBCXX_ASSERTIONS. Without a condition it stands for unreachable code.
[[noreturn]] void failedLibraryAssertion(const char* file, int line, const char* function, const char* condition) noexcept
    __asm__("_ZSt21__glibcxx_assert_failPKciS0_S0_");
void failedLibraryAssertion(const char*, int, const char*, const char* condition) noexcept {
  if (!condition) fail(Failure::unreachable, "unreachable code of the library is reached");
  failedAssertion("assertion '%s' failed", condition);
}

void __VERIFIER_assume(int condition) { heddle_assume_hook(condition != 0); }
void __VERIFIER_assert(int condition) {
  if (!condition) fail(Failure::assertion, "__VERIFIER_assert failed");
}
void __VERIFIER_error(void) { fail(Failure::assertion, "__VERIFIER_error is reached"); }
void reach_error(void) { fail(Failure::assertion, "reach_error is reached"); }

// So is the body of each function of the program with such a name (native/instrument/atomic_functions.h).
void __VERIFIER_atomic_begin(void) { heddle_begin_transaction(); }
void __VERIFIER_atomic_end(void) { heddle_end_transaction(); }

bool __VERIFIER_nondet_bool(void) { return heddle_choose_hook(2) != 0; }
bool __VERIFIER_nondet__Bool(void) { return heddle_choose_hook(2) != 0; }
char __VERIFIER_nondet_char(void) { return static_cast<char>(heddle_choose_hook(256)); }
unsigned char __VERIFIER_nondet_uchar(void) { return static_cast<unsigned char>(heddle_choose_hook(256)); }
short __VERIFIER_nondet_short(void) { return explored<short>(); }
unsigned short __VERIFIER_nondet_ushort(void) { return explored<unsigned short>(); }
int __VERIFIER_nondet_int(void) { return explored<int>(); }
unsigned __VERIFIER_nondet_uint(void) { return explored<unsigned>(); }
unsigned __VERIFIER_nondet_unsigned(void) { return explored<unsigned>(); }
long __VERIFIER_nondet_long(void) { return explored<long>(); }
unsigned long __VERIFIER_nondet_ulong(void) { return explored<unsigned long>(); }
long long __VERIFIER_nondet_longlong(void) { return explored<long long>(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return explored<unsigned long long>(); }
size_t __VERIFIER_nondet_size_t(void) { return explored<size_t>(); }
float __VERIFIER_nondet_float(void) { unbounded(); }
double __VERIFIER_nondet_double(void) { unbounded(); }
void* __VERIFIER_nondet_pointer(void) { unbounded(); }

// A loop that these are in knows them by name (native/loops/annotation_calls.h).
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_spin_start(void) { heddle_spin_start_hook(); }
void __VERIFIER_spin_end(int goes_on) { heddle_spin_end_hook(goes_on); }

// Annotations of GenMC. Other bits than these say what an access is for: it is explored as any other.
void __VERIFIER_annotate_begin(int marks) {
  heddle_begin_marking(static_cast<uint32_t>(marks) & (heddle_mark_local | heddle_mark_final));
}
void __VERIFIER_annotate_end(int marks) {
  heddle_end_marking(static_cast<uint32_t>(marks) & (heddle_mark_local | heddle_mark_final));
}

void __cxa_pure_virtual(void) { fail(Failure::pureVirtual, "a pure virtual function is called"); }
void __cxa_deleted_virtual(void) { fail(Failure::pureVirtual, "a deleted virtual function is called"); }

}  // extern "C"
