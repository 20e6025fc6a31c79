#include "native/instrument/host_functions.h"

#include <algorithm>
#include <array>

namespace heddle::native {
namespace {

// Each for double, float (f) and long double (l).
// clang-format off
constexpr std::string_view kMaths[] = {
    "acos",   "acosh",  "asin",   "asinh",   "atan",    "atan2",     "atanh",     "cbrt",    "ceil",      "copysign",
    "cos",    "cosh",   "drem",   "erf",     "erfc",    "exp",       "exp10",     "exp2",    "expm1",     "fabs",
    "fdim",   "floor",  "j0",     "j1",      "jn",      "lgamma",    "significand", "y0",    "y1",        "yn",
    "fma",    "fmax",   "fmin",   "fmod",    "hypot",   "ilogb",     "ldexp",     "llrint",  "llround",   "log",
    "log10",  "log1p",  "log2",   "logb",    "lrint",   "lround",    "nearbyint", "nextafter", "nexttoward", "pow",
    "remainder", "rint", "round", "roundeven", "scalbln", "scalbn",  "sin",       "sinh",    "sqrt",      "tan",
    "tanh",   "tgamma", "trunc",
};
// clang-format on

// clang-format off
constexpr std::string_view kOthers[] = {
    // The unwinder and the C++ run-time, whose objects live beside the fiber's stack.
    "__gxx_personality_v0", "_Unwind_Resume", "_Unwind_ForcedUnwind", "__cxa_begin_catch", "__cxa_end_catch", "__cxa_throw", "__cxa_rethrow",
    "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_get_exception_ptr", "__cxa_call_unexpected",
    "__cxa_call_terminate", "__cxa_init_primary_exception", "__cxa_bad_cast", "__cxa_bad_typeid",
    "__cxa_throw_bad_array_new_length", "__dynamic_cast", "_ZSt9terminatev", "_ZSt18uncaught_exceptionv",
    "_ZSt19uncaught_exceptionsv",
    // Classification of floating-point numbers.
    "__fpclassify", "__fpclassifyf", "__fpclassifyl", "__finite", "__finitef", "__finitel", "__isinf", "__isinff",
    "__isinfl", "__isnan", "__isnanf", "__isnanl", "__signbit", "__signbitf", "__signbitl",
    // Integers.
    "abs", "labs", "llabs", "imaxabs", "ffs", "ffsl", "ffsll",
    // Complex numbers, which are passed in registers.
    "cabs", "cabsf", "carg", "cargf", "ccos", "ccosf", "cexp", "cexpf", "clog", "clogf", "cpow", "cpowf", "csin", "csinf",
    "csqrt", "csqrtf", "__muldc3", "__mulsc3", "__divdc3", "__divsc3",
    // Numbers from text that the model of strtod has read.
    "__strtof_internal", "__strtod_internal", "__strtold_internal",
};
// clang-format on

const auto& table() {
  static const auto kTable = [] {
    std::array<std::string_view, std::size(kMaths) + std::size(kOthers)> names;
    std::copy(std::begin(kMaths), std::end(kMaths), names.begin());
    std::copy(std::begin(kOthers), std::end(kOthers), names.begin() + std::size(kMaths));
    std::sort(names.begin(), names.end());
    return names;
  }();
  return kTable;
}

bool isListed(std::string_view name) { return std::binary_search(table().begin(), table().end(), name); }

// Type information of the fundamental types and of std's classes, and virtual tables of std's exceptions.
bool isTypeInformation(std::string_view name) {
  if (name.starts_with("_ZTVN10__cxxabiv1") || name.starts_with("_ZTIN10__cxxabiv1")) return true;
  if (!name.starts_with("_ZTI") && !name.starts_with("_ZTV") && !name.starts_with("_ZTS")) return false;
  const std::string_view type = name.substr(4);
  if (!name.starts_with("_ZTV") && (type.starts_with("St") || type.starts_with("NSt"))) return true;
  constexpr std::string_view kFundamental = "vwbcahstijlxymnofdegz";
  const std::size_t scalar = type.find_first_not_of("PK");
  if (scalar != std::string_view::npos && scalar + 1 == type.size())
    return kFundamental.find(type[scalar]) != std::string_view::npos;
  return type.starts_with("St") &&
         (type.ends_with("error") || type.ends_with("exception") || type.find("bad_") != std::string_view::npos);
}

}  // namespace

bool isPureHostFunction(std::string_view name) {
  const auto isMaths = [](std::string_view root) {
    return std::find(std::begin(kMaths), std::end(kMaths), root) != std::end(kMaths);
  };
  if (isMaths(name)) return true;
  return (name.ends_with('f') || name.ends_with('l')) && isMaths(name.substr(0, name.size() - 1));
}

bool isHostSymbol(std::string_view name) { return isListed(name) || isTypeInformation(name) || isPureHostFunction(name); }

}  // namespace heddle::native
