// A race inside a container is shown where the program calls it, for both accesses.
//! sc: error=data-race line=@find|@insert text="std::map::find" text="std::map::operator[]" text="pair<const int, int>#1" flags="-- -DMAP"
//! sc: error=data-race line=@push1|@push2 text="std::vector::push_back" text="of values and" flags="-- -DVECTOR"
//! sc: error=data-race line=@append|@copy text="std::basic_string::operator+=" flags="-- -DSTRING"
#include <map>
#include <string>
#include <thread>
#include <vector>

#ifdef MAP
std::map<int, int> values = {{0, 1}};
void first() { values[1] = 2; }  // @insert
void second() { (void)values.find(1); }  // @find
#elif defined VECTOR
std::vector<int> values = {1};
void first() { values.push_back(2); }  // @push1
void second() { values.push_back(3); }  // @push2
#else
std::string text = "longer than what fits into the object";
void first() { text += "!"; }  // @append
void second() { std::string copy = text; }  // @copy
#endif

int main() {
  std::thread thread(first);
  second();
  thread.join();
}
