//! rc20: error=dead-frame line=@use
//! rc20: verified executions=1 flags="-- -DCOPY"
// A reference to a temporary that is gone with the call that made it.
#include <string>

struct Holder {
  const int& reference;
};

Holder hold(int number) {
  return Holder{number};
}

#ifdef COPY
struct Owner {
  int copy;
};
Owner own(int number) {
  return Owner{number};
}
#endif

int main() {
#ifdef COPY
  return own(5).copy == 9;
#else
  const Holder holder = hold(5);
  return holder.reference == 9;  // @use
#endif
}
