//! rc20: verified executions=1 blocked=0
// Characters by the facets of the classic locale, from two threads.
#include <cassert>
#include <locale>
#include <stdexcept>
#include <string>
#include <thread>

static std::string upper(std::string text) {
  for (char& c : text) c = std::toupper(c, std::locale::classic());
  return text;
}

int main() {
  std::thread other([] { assert(upper("ab1") == "AB1" && std::isdigit('7', std::locale())); });
  const auto& types = std::use_facet<std::ctype<char>>(std::locale("C"));
  assert(types.is(std::ctype_base::alpha, 'x') && !types.is(std::ctype_base::alpha, '.') && types.tolower('X') == 'x');
  assert(types.widen('a') == 'a' && types.narrow('a', '?') == 'a');
  assert(std::isspace(' ', std::locale()) && !std::isupper('a', std::locale()));
  bool refused = false;
  try {
    std::locale german("de_DE");
  } catch (const std::runtime_error&) {
    refused = true;
  }
  assert(refused && upper("z") == "Z");
  other.join();
}
