// The exception classes of <stdexcept>, whose messages libstdc++ would keep in memory of its own: here they are in the
// program's heap, so that they are rewound, and freed, with everything else.

#include <stdexcept>
#include <system_error>

#include "primitives.h"

namespace {

// A copy of the text. Exceptions that are copied get a copy each.
const char* keep(const char* text, size_t n) {
  auto* copy = static_cast<char*>(heddle_allocate(n + 1, 1, heddle_heap_malloc));
  __builtin_memcpy(copy, text, n);
  copy[n] = 0;
  return copy;
}

const char* keep(const char* text) { return text ? keep(text, __builtin_strlen(text)) : nullptr; }

}  // namespace

namespace std {

__cow_string::__cow_string() : _M_p(nullptr) {}
__cow_string::__cow_string(const string& text) : _M_p(keep(text.data(), text.size())) {}
__cow_string::__cow_string(const char* text, size_t n) : _M_p(keep(text, n)) {}
__cow_string::__cow_string(const __cow_string& other) noexcept : _M_p(keep(other._M_p)) {}
__cow_string::__cow_string(__cow_string&& other) noexcept : _M_p(other._M_p) { other._M_p = nullptr; }
__cow_string::~__cow_string() { heddle_free(const_cast<char*>(_M_p), heddle_heap_malloc); }

__cow_string& __cow_string::operator=(const __cow_string& other) noexcept {
  if (this == &other) return *this;
  heddle_free(const_cast<char*>(_M_p), heddle_heap_malloc);
  _M_p = keep(other._M_p);
  return *this;
}

__cow_string& __cow_string::operator=(__cow_string&& other) noexcept {
  std::swap(_M_p, other._M_p);
  return *this;
}

logic_error::logic_error(const string& text) : _M_msg(text) {}
logic_error::logic_error(const char* text) : _M_msg(text, __builtin_strlen(text)) {}
logic_error::logic_error(const logic_error&) noexcept = default;
logic_error::logic_error(logic_error&&) noexcept = default;
logic_error& logic_error::operator=(const logic_error&) noexcept = default;
logic_error& logic_error::operator=(logic_error&&) noexcept = default;
logic_error::~logic_error() noexcept = default;
const char* logic_error::what() const noexcept { return _M_msg._M_p ? _M_msg._M_p : ""; }

runtime_error::runtime_error(const string& text) : _M_msg(text) {}
runtime_error::runtime_error(const char* text) : _M_msg(text, __builtin_strlen(text)) {}
runtime_error::runtime_error(const runtime_error&) noexcept = default;
runtime_error::runtime_error(runtime_error&&) noexcept = default;
runtime_error& runtime_error::operator=(const runtime_error&) noexcept = default;
runtime_error& runtime_error::operator=(runtime_error&&) noexcept = default;
runtime_error::~runtime_error() noexcept = default;
const char* runtime_error::what() const noexcept { return _M_msg._M_p ? _M_msg._M_p : ""; }

domain_error::domain_error(const string& text) : logic_error(text) {}
domain_error::domain_error(const char* text) : logic_error(text) {}
domain_error::~domain_error() noexcept = default;
invalid_argument::invalid_argument(const string& text) : logic_error(text) {}
invalid_argument::invalid_argument(const char* text) : logic_error(text) {}
invalid_argument::~invalid_argument() noexcept = default;
length_error::length_error(const string& text) : logic_error(text) {}
length_error::length_error(const char* text) : logic_error(text) {}
length_error::~length_error() noexcept = default;
out_of_range::out_of_range(const string& text) : logic_error(text) {}
out_of_range::out_of_range(const char* text) : logic_error(text) {}
out_of_range::~out_of_range() noexcept = default;
range_error::range_error(const string& text) : runtime_error(text) {}
range_error::range_error(const char* text) : runtime_error(text) {}
range_error::~range_error() noexcept = default;
overflow_error::overflow_error(const string& text) : runtime_error(text) {}
overflow_error::overflow_error(const char* text) : runtime_error(text) {}
overflow_error::~overflow_error() noexcept = default;
underflow_error::underflow_error(const string& text) : runtime_error(text) {}
underflow_error::underflow_error(const char* text) : runtime_error(text) {}
underflow_error::~underflow_error() noexcept = default;

system_error::~system_error() noexcept = default;

}  // namespace std
