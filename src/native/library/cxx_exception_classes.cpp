// The exception classes that have nothing but a name. With these here, no object of the program has a table of virtual
// functions outside the program.

#include <any>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <typeinfo>

namespace std {

exception::~exception() noexcept = default;
const char* exception::what() const noexcept { return "std::exception"; }
bad_exception::~bad_exception() noexcept = default;
const char* bad_exception::what() const noexcept { return "std::bad_exception"; }
bad_alloc::~bad_alloc() noexcept = default;
const char* bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept = default;
const char* bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
bad_cast::~bad_cast() noexcept = default;
const char* bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::~bad_typeid() noexcept = default;
const char* bad_typeid::what() const noexcept { return "std::bad_typeid"; }
bad_function_call::~bad_function_call() noexcept = default;
const char* bad_function_call::what() const noexcept { return "bad_function_call"; }
bad_weak_ptr::~bad_weak_ptr() noexcept = default;
const char* bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }
nested_exception::~nested_exception() noexcept = default;

}  // namespace std
