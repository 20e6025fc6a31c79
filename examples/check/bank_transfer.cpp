//! rc20: verified executions=2
//! sc: verified executions=2
//! rc20: error=deadlock line=@sleeps flags="-- -DBUG"
//! why: They wait for each other: thread 1 (transfer) -> thread 2 (transfer) -> thread 1 (transfer).
//
// Transfers between accounts, each with a mutex of its own. The mutexes are taken in the order of the account numbers,
// whatever the direction of the transfer: J. W. Havender, "Avoiding deadlock in multitasking systems" (IBM Systems
// Journal, 1968).
//
// BUG: they are taken in the order of the arguments: E. W. Dijkstra's deadly embrace ("Cooperating sequential
// processes", 1965) when two transfers go in opposite directions.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  int number;
  int balance;
  std::mutex mutex;
};

void transfer(Account& from, Account& to, int amount) {
#ifdef BUG
  const bool fromFirst = true;
#else
  const bool fromFirst = from.number < to.number;
#endif
  std::lock_guard first(fromFirst ? from.mutex : to.mutex);
  std::lock_guard second(fromFirst ? to.mutex : from.mutex);  // @sleeps
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account alice{1, 100, {}}, bob{2, 100, {}};
  std::thread one([&] { transfer(alice, bob, 30); });
  std::thread other([&] { transfer(bob, alice, 50); });
  one.join();
  other.join();
  assert(alice.balance == 120 && bob.balance == 80);
}
