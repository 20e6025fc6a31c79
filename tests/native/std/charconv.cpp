//! rc20: verified executions=1
// Real numbers as text and from text.
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

using std::chars_format;

template <class Real, class... More>
static std::string text(Real value, More... more) {
  char buffer[512];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, more...);
  assert(error == std::errc{});
  return std::string(buffer, end);
}

template <class Real>
static std::string_view rest(std::string_view from, Real& value, chars_format format = chars_format::general) {
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value, format);
  assert(error == std::errc{});
  return from.substr(static_cast<std::size_t>(end - from.data()));
}

static std::errc errorOf(std::string_view from, chars_format format = chars_format::general) {
  double value = 7;
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value, format);
  assert(value == 7);
  return error;
}

int main() {
  assert(text(3.25) == "3.25" && text(0.1f) == "0.1" && text(0.1) == "0.1" && text(-0.0) == "-0" && text(100000.0) == "1e+05");
  assert(text(1e300) == "1e+300" && text(1e-5) == "1e-05" && text(123456789.0) == "123456789");
  assert(text(1.0L / 3).size() > 18 && text(1.0 / 3) == "0.3333333333333333");
  assert(text(std::numeric_limits<double>::infinity()) == "inf" && text(-INFINITY) == "-inf");
  assert(text(1234.5, chars_format::scientific) == "1.2345e+03" && text(0.00001234, chars_format::fixed) == "0.00001234");
  assert(text(1e22, chars_format::fixed) == "10000000000000000000000" && text(1e6, chars_format::general) == "1e+06");
  assert(text(1.5, chars_format::hex) == "1.8p+0" && text(3.14159, chars_format::fixed, 2) == "3.14");
  assert(text(3.14159, chars_format::general, 3) == "3.14" && text(2.0, chars_format::scientific, 1) == "2.0e+00");
  char small[2];
  assert(std::to_chars(small, small + 2, 123.5).ec == std::errc::value_too_large);

  double d = 0;
  float f = 0;
  assert(rest("2.5e3xyz", d) == "xyz" && d == 2500 && rest("-.5", d).empty() && d == -0.5 && rest("1e", d) == "e" && d == 1);
  assert(rest("0.1", f).empty() && f == 0.1f && rest("inf!", d) == "!" && std::isinf(d) && rest("nan(1)", d).empty() && d != d);
  assert(rest("1e5", d, chars_format::fixed) == "e5" && d == 1 && rest("1.8p1", d, chars_format::hex).empty() && d == 3);
  assert(errorOf("x") == std::errc::invalid_argument && errorOf("+1") == std::errc::invalid_argument && errorOf("") != std::errc{});
  assert(errorOf("1.5", chars_format::scientific) == std::errc::invalid_argument);
  assert(errorOf("1e999") == std::errc::result_out_of_range && errorOf("1e-999") == std::errc::result_out_of_range);
}
