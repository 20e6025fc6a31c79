//! rc20: verified executions=1 text="std::cin was at its end; no other was explored"

#include <cassert>
#include <iostream>

int main() {
  int number = 3;
  std::cin >> number;
  assert(!std::cin);
}
