// std::set_terminate. The handler is never called: that the program calls std::terminate is an error in itself.

#include <atomic>
#include <exception>

namespace {

std::atomic<std::terminate_handler> handler;

}  // namespace

namespace std {

terminate_handler set_terminate(terminate_handler next) noexcept { return handler.exchange(next); }
terminate_handler get_terminate() noexcept { return handler.load(); }

}  // namespace std
