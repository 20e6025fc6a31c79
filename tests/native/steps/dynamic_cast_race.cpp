//! rc20: error=data-race line=@error
//! sc: error=data-race line=@error
// dynamic_cast reads the type of the object while another thread constructs a new one in its place.
#include <new>
#include <thread>
struct A { virtual ~A() {} };
struct B : A { }; struct C : A { };
alignas(8) static char place[16];
static int isB;
int main() {
  new (place) B;
  std::thread t([] { new (place) C; });
  isB = dynamic_cast<B *>(reinterpret_cast<A *>(place)) != nullptr;  // @error
  t.join();
}
