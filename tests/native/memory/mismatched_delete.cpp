//! rc20: error=invalid-free line=@delete flags="-- -DARRAY"
//! rc20: error=invalid-free line=@delete flags="-- -DMALLOC"
//! rc20: verified executions=1
// new[] goes with delete[], new with delete, malloc with free.
#include <cstdlib>

int main() {
#if defined ARRAY
  int* const numbers = new int[3];
#elif defined MALLOC
  int* const numbers = static_cast<int*>(std::malloc(sizeof(int)));
#else
  int* const numbers = new int;
#endif
  delete numbers;  // @delete
}
