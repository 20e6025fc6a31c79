// std::call_once's part that libstdc++ keeps in its compiled library: the callable travels through two thread_locals to
// pthread_once's function.

#include <mutex>

namespace std {

__thread void* __once_callable;
__thread void (*__once_call)();

extern "C" void __once_proxy() { __once_call(); }

}  // namespace std
