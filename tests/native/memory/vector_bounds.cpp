//! rc20: error=out-of-bounds line=@error flags="-- -DINDEX=3"
//! rc20: verified executions=1 flags="-- -DINDEX=2"
// operator[] of a vector does not check, and reserve(3) leaves no room for a fourth element.
#include <vector>

int main() {
  std::vector<int> numbers;
  numbers.reserve(3);
  for (int i = 0; i < 3; ++i) numbers.push_back(i);
  return numbers[INDEX] == 9;  // @error
}
