//! rc20: verified executions=1
// A static local whose constructor throws is made at the next try.
#include <cassert>

int tries = 0;

struct Stubborn {
  int number;
  Stubborn() : number(++tries) {
    if (tries < 3) throw tries;
  }
};

int use() {
  static Stubborn stubborn;
  return stubborn.number;
}

int main() {
  int thrown = 0;
  for (int i = 0; i < 2; ++i) {
    try {
      use();
    } catch (int number) {
      thrown += number;
    }
  }
  assert(thrown == 3 && use() == 3 && use() == 3);
}
