//! rc20: verified executions=1
// Regular expressions, by two threads at the same time, and the facets of the classic locale.
#include <cassert>
#include <ctime>
#include <iomanip>
#include <locale>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

static void match() {
  const std::string text = "key=12";
  std::smatch found;
  assert(std::regex_match(text, found, std::regex("([a-z]+)=([0-9]+)")) && found[1] == "key" && found[2] == "12");
}

int main() {
  std::thread other(match);
  match();
  other.join();
  const std::locale classic = std::locale::classic();
  assert(std::use_facet<std::numpunct<char>>(classic).decimal_point() == '.');
  const std::string a = "a", b = "b";
  assert(std::use_facet<std::collate<char>>(classic).compare(&a[0], &a[1], &b[0], &b[1]) < 0 && classic(a, b));
  const std::time_t start = 0;
  std::ostringstream out;
  out << std::put_time(std::gmtime(&start), "%Y-%m-%d %H:%M");
  assert(out.str() == "1970-01-01 00:00");
}
