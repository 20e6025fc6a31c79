//! tso: verified executions=2 flags="--persistency px86"
//! tso: verified flags="--persistency px86 --recovery-writes"
//! tso: error=recovery text="cba" flags="--persistency px86 -- -DWRONG"
//! tso: error=unsupported text="when the program starts again after the crash" flags="--persistency px86 -- -DDURABLE"
//! tso: error=unsupported text="when the program starts again after the crash" flags="--persistency px86 --recovery-writes -- -DDURABLE"
//! tso: verified executions=2 flags="--persistency px86 -- -DCONSTANT"
//! tso: verified flags="--persistency px86 -- -DREADS"
// After the crash the program starts again, so the constructors of its globals run before recovery.
#include <heddle/heddle.h>

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <atomic>
#include <cstring>

HEDDLE_PERSISTENT int x;

std::string name = "abc";
std::map<int, std::string> words{{1, "one"}};
std::vector<int>* const numbers = new std::vector<int>{1, 2};
int computed = [] { return static_cast<int>(name.size()) + 39; }();

#ifdef DURABLE
struct Counter {
  int value;
  Counter() : value(static_cast<int>(name.size())) {}
};
HEDDLE_PERSISTENT Counter counter;
#elif defined CONSTANT
HEDDLE_PERSISTENT std::atomic<int> counter{7};
#elif defined READS
int found = x;
#endif

int main() {
  heddle_assert(computed == 42 && name == "abc");
  computed = 0;
  name += "def";
  words.clear();
  numbers->push_back(3);
  x = 1;
}

extern "C" void heddle_recovery() {
  const int seen = x;
  heddle_assert(computed == 42);
#ifdef WRONG
  heddle_assert(name == "cba");
#endif
  heddle_assert(name == "abc");
  heddle_assert(words.size() == 1 && words.at(1) == "one");
  words[seen] = "seen";
  heddle_assert(words.size() == (seen == 1 ? 1u : 2u));
  heddle_assert(numbers->size() == 2);
  std::cout << "x " << seen << '\n';
#ifdef CONSTANT
  heddle_assert(counter == 7);
#elif defined READS
  heddle_assert(found == seen);
#endif
}
