//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
//! rc20: error=assertion-failure line=@total flags="-- -DBUG"
//
// A bank without locks: each transfer is a transaction (docs/transactions.md), so transfers between different accounts
// have no order, and an audit finds all of the money. The accounts are plain variables.
//
// Transactions for such data: M. Herlihy and J. E. B. Moss, "Transactional memory: architectural support for lock-free
// data structures" (ISCA 1993).
//
// BUG: the audit looks at each account in a transaction of its own. A transfer in between takes from an account that it
// has not counted yet, and gives to one that it has.
#include <heddle/heddle.h>

#include <cassert>
#include <thread>

int balance[4] = {100, 100, 100, 100};

void transfer(int from, int to, int amount) {
  heddle::transaction([=] {
    if (balance[from] < amount) return;
    balance[from] -= amount;
    balance[to] += amount;
  });
}

void audit() {
  int total = 0;
#ifdef BUG
  for (const int& account : balance) total += heddle::transaction([&] { return account; });
#else
  heddle::transaction([&] {
    for (const int account : balance) total += account;
  });
#endif
  assert(total == 400);  // @total
}

int main() {
  std::thread one(transfer, 0, 1, 30), other(transfer, 3, 2, 50), auditor(audit);
  one.join();
  other.join();
  auditor.join();
}
