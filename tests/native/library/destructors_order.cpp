//! rc20: verified text="c150 S2 c S1 S3 main on_exit atexit ~S3 ~S1 ~S2 d0 d d101" flags="--output"
// The order of constructors, static objects, handlers and destructors, as a compiled program has it.
#include <cstdio>
#include <cstdlib>

struct S {
  int number;
  explicit S(int n) : number(n) { std::printf("S%d ", n); }
  ~S() { std::printf("~S%d ", number); }
};

S one(1);
__attribute__((init_priority(200))) S two(2);
__attribute__((constructor)) void c() { std::printf("c "); }
__attribute__((constructor(150))) void c150() { std::printf("c150 "); }
__attribute__((destructor)) void d() { std::printf("d "); }
__attribute__((destructor)) void d0() { std::printf("d0 "); }
__attribute__((destructor(101))) void d101() { std::printf("d101\n"); }

int main() {
  static S three(3);
  std::atexit([] { std::printf("atexit "); });
  on_exit([](int code, void* pointer) { if (code == 7 && !pointer) std::printf("on_exit "); }, nullptr);
  std::printf("main ");
  return 7;
}
