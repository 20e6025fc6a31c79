//! rc20: error=abort|uncaught-exception line=@terminate
//! rc20: error=abort|uncaught-exception line=@error flags="-- -DJOINABLE"
//! rc20: verified executions=1 flags="-- -DNEITHER"
// std::terminate, called, or by the destructor of a thread that is still joinable.
#include <exception>
#include <thread>

int main() {
#if defined JOINABLE
  std::thread forgotten([] {});
#elif defined NEITHER
  std::thread joined([] {});
  joined.join();
#else
  std::terminate();  // @terminate
#endif
}  // @error
