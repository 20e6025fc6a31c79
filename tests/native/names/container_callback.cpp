// After a comparison by the program's own code, which calls the library in its turn, the library's accesses are again at the
// call that it is in.
//! sc: error=data-race line=@sort|@writer text="std::sort(items, items + 3, isBefore);"
#include <algorithm>
#include <map>
#include <thread>

std::map<int, int> order = {{1, 3}, {2, 1}, {3, 2}};

int items[3] = {1, 2, 3};

__attribute__((noinline)) bool isBefore(int a, int b) {
  return order.at(a) < order.at(b);
}

void writer() { items[2] = 4; }  // @writer

int main() {
  std::thread thread(writer);
  std::sort(items, items + 3, isBefore);  // @sort
  thread.join();
}
