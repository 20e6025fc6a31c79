//! rc20: error=uncaught-exception line=@at text="out_of_range"
//! rc20: verified executions=1 flags="-- -DCAUGHT"
// An exception from inside the compiled library, not caught.
#include <stdexcept>
#include <string>
#include <vector>

int main() {
  const std::vector<int> numbers = {1, 2};
#ifdef CAUGHT
  int caught = 0;
  try {
    (void)numbers.at(2);
  } catch (const std::out_of_range& error) {
    caught += std::string(error.what()).size() > 5;
  }
  try {
    (void)std::stoi("none");
  } catch (const std::invalid_argument&) {
    ++caught;
  }
  return caught == 9;
#else
  return numbers.at(2);  // @at
#endif
}
