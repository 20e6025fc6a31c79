//! armv8,c11-lb,lkmm: incomplete
//! rc20: incomplete flags="--stale 2"
//! rc20: incomplete flags="--fair"
//! rc20: rejected flags="--races off"
//! sc: verified executions=1
// What does not go together with transactions yet says so.
#include <heddle/heddle.h>

int main(void) {
  static int x;
  heddle_transaction_begin();
  ++x;
  heddle_transaction_end();
  return x != 1;
}
