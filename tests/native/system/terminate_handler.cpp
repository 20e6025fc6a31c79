//! rc20: verified executions=1
//! rc20: error=uncaught-exception line=@throw flags="-- -DTHROWS"
// A handler for std::terminate. That it would be called is an error in itself.
#include <cassert>
#include <cstdlib>
#include <exception>
#include <stdexcept>

static void handler() { std::_Exit(0); }

int main() {
  const auto before = std::set_terminate(handler);
  assert(before != handler && std::get_terminate() == handler);
#ifdef THROWS
  throw std::runtime_error("nobody catches this");  // @throw
#endif
}
