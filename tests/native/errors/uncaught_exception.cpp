//! rc20: error=uncaught-exception line=@throw text="std::runtime_error" text="out of paper"
//! rc20: verified executions=1 flags="-- -DCAUGHT"
// What was thrown, and where.
#include <stdexcept>

void print(int pages) {
  if (pages > 3) throw std::runtime_error("out of paper");  // @throw
}

int main() {
#ifdef CAUGHT
  try {
    print(4);
  } catch (const std::exception&) {
  }
#else
  print(4);
#endif
}
