//! rc20: verified executions=1
// The order of constructors, static objects, handlers and destructors, as a compiled program has it.
#include <cassert>
#include <cstdlib>
#include <cstring>

char order[128];
void note(const char* what) { std::strcat(std::strcat(order, what), " "); }

struct S {
  int number;
  explicit S(int n) : number(n) { note(n == 1 ? "S1" : n == 2 ? "S2" : "S3"); }
  ~S() { note(number == 1 ? "~S1" : number == 2 ? "~S2" : "~S3"); }
};

S one(1);
__attribute__((init_priority(200))) S two(2);
__attribute__((constructor)) void c() { note("c"); }
__attribute__((constructor(150))) void c150() { note("c150"); }
__attribute__((destructor)) void d() { note("d"); }
__attribute__((destructor)) void d0() { note("d0"); }
__attribute__((destructor(101))) void d101() { assert(!std::strcmp(order, "c150 S2 c S1 S3 main on_exit atexit ~S3 ~S1 ~S2 d0 d ")); }

int main() {
  static S three(3);
  std::atexit([] { note("atexit"); });
  on_exit([](int code, void* pointer) { if (code == 7 && !pointer) note("on_exit"); }, nullptr);
  note("main");
  return 7;
}
