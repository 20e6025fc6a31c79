//! rc20: error=undefined-behaviour line=@bool flags="--ub -- -DBOOL"
//! rc20: error=undefined-behaviour line=@enum flags="--ub -- -DENUM"
//! rc20: error=undefined-behaviour line=@float flags="--ub -- -DFLOAT"
//! rc20: error=undefined-behaviour|out-of-bounds line=@index flags="--ub -- -DINDEX"
//! rc20: error=undefined-behaviour line=@misaligned flags="--ub -- -DMISALIGNED"
//! rc20: verified executions=1 flags="--ub"
// Other checks of --ub: a bool that is neither, an enumerator that is none, a float that does not fit, an index beyond
// an inner array, a misaligned pointer.
#include <cstring>

enum Colour { red, green, blue };

volatile unsigned char byte = 7;
volatile int where = 3;
volatile double large = 1e20;

struct Matrix {
  int row[3];
  int next[3];
};

int main() {
  Matrix matrix = {{1, 2, 3}, {4, 5, 6}};
  char memory[16] = {};
  int result = matrix.row[0];
#if defined BOOL
  bool flag;
  const unsigned char copy = byte;
  std::memcpy(&flag, &copy, 1);
  const volatile bool* const escaped = &flag;
  result = *escaped;  // @bool
#elif defined ENUM
  Colour colour;
  const int copy = byte;
  std::memcpy(&colour, &copy, sizeof colour);
  const volatile Colour* const escaped = &colour;
  result = *escaped;  // @enum
#elif defined FLOAT
  result = static_cast<int>(large);  // @float
#elif defined INDEX
  result = matrix.row[where];  // @index
#elif defined MISALIGNED
  result = *reinterpret_cast<int*>(memory + (where & 1));  // @misaligned
#else
  result += memory[where] + byte;
#endif
  return result == 99;
}
