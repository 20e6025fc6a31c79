//! rc20: error=data-race line=@insert|@find
//! why: Nothing orders the two accesses.
//! why: No stronger memory orders of the atomic accesses, and no fences, would order them
// The race is inside std::map; what is shown is where the program calls it.
#include <map>
#include <thread>

std::map<int, int> table;

void insert() { table[1] = 2; }  // @insert

void find() { table.find(1); }  // @find

int main() {
  std::thread a(insert), b(find);
  a.join();
  b.join();
}
