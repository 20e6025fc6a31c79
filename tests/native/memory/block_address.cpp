//! rc20: verified executions=1 flags="-- -std=c++20"
//! sc: verified executions=1 flags="--equivalence rf -- -std=c++20"
//! rc20: verified executions=1 flags="--races off -- -std=c++20"
// What is computed from the address of a variable of an inner block may be computed before the block begins, when functions
// are inlined; it is the address in the life in which it is used.
#include <cassert>
#include <string>
#include <variant>

struct Counter {
  int n = 0;
  Counter() { n = 3; }
  ~Counter() { n = 0; }
};

static Counter& shared() {
  static Counter counter;
  return counter;
}

int main(int argc, char**) {
  assert(shared().n++ == 3);
  for (int i = 0; i < 2; ++i) {
    std::variant<unsigned, std::string, const char*> v = unsigned(2);
    v.emplace<1>(std::string(argc % 23 + 20, 'a') + std::to_string(argc));
    if (auto* p = std::get_if<1>(&v)) assert(p->size() > 3);
    v.emplace<2>("text");
    assert(std::get_if<1>(&v) == nullptr && *std::get_if<2>(&v) != nullptr);
  }
}
