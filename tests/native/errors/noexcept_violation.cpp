//! rc20: error=uncaught-exception|abort
//! rc20: verified executions=1 flags="-- -DQUIET"
// An exception that leaves a noexcept function ends the program, although there is a handler further up.
volatile int answer = 42;

void promise() noexcept {
#ifndef QUIET
  if (answer == 42) throw 1;
#endif
}

int main() {
  try {
    promise();
  } catch (int) {
  }
}
