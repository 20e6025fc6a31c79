//! rc20: verified executions=2
//! rc20: error=data-race line=@error flags="-- -DUNLOCKED"
// A map and an unordered_map behind one mutex, filled by two threads.
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

std::mutex mutex;
std::map<int, std::string> names;
std::unordered_map<std::string, int> numbers;

void add(int number, const std::string& name) {
#ifndef UNLOCKED
  std::lock_guard<std::mutex> lock(mutex);
#endif
  names[number] = name;  // @error
  numbers[name] = number;
}

int main() {
  std::thread other(add, 1, "one");
  add(2, "a name that is much longer than the others");
  other.join();
  assert(names.size() == 2 && names[1] == "one" && numbers[names[2]] == 2);
}
