// Locales: there is one, "C", and of its facets ctype<char>, which is behind std::toupper(c, locale) and its like.

#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <ctype.h>
#include <string.h>

#include <locale>
#include <stdexcept>

namespace {

template <class T>
union Immortal {
  Immortal() {}
  ~Immortal() {}
  T object;
};

Immortal<std::ctype<char>> classicTypes;

}  // namespace

namespace std {

locale::facet::~facet() {}

ctype<char>::ctype(const mask* table, bool owns, size_t references)
    : facet(references),
      _M_c_locale_ctype(nullptr),
      _M_del(table && owns),
      _M_toupper(*__ctype_toupper_loc()),
      _M_tolower(*__ctype_tolower_loc()),
      _M_table(table ? table : classic_table()),
      _M_widen_ok(0),
      _M_narrow_ok(0) {
  memset(_M_widen, 0, sizeof _M_widen);
  memset(_M_narrow, 0, sizeof _M_narrow);
}
ctype<char>::~ctype() {
  if (_M_del) delete[] _M_table;
}

const ctype_base::mask* ctype<char>::classic_table() noexcept { return *__ctype_b_loc(); }

char ctype<char>::do_toupper(char c) const { return static_cast<char>(::toupper(static_cast<unsigned char>(c))); }
const char* ctype<char>::do_toupper(char* first, const char* last) const {
  for (; first != last; ++first) *first = do_toupper(*first);
  return last;
}
char ctype<char>::do_tolower(char c) const { return static_cast<char>(::tolower(static_cast<unsigned char>(c))); }
const char* ctype<char>::do_tolower(char* first, const char* last) const {
  for (; first != last; ++first) *first = do_tolower(*first);
  return last;
}

// What characters are is the same in all of them. The tables are full from the start, so that threads only read them.
void ctype<char>::_M_widen_init() const {
  for (unsigned i = 0; i < sizeof _M_widen; ++i) _M_widen[i] = static_cast<char>(i);
  _M_widen_ok = 1;
}
void ctype<char>::_M_narrow_init() const {
  for (unsigned i = 0; i < sizeof _M_narrow; ++i) _M_narrow[i] = static_cast<char>(i);
  _M_narrow_ok = 1;
}

template <>
const ctype<char>& use_facet(const locale&) {
  return classicTypes.object;
}
template <>
bool has_facet<ctype<char>>(const locale&) noexcept {
  return true;
}

locale::locale(const char* name) : _M_impl(nullptr) {
  if (*name != 0 && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
    throw runtime_error("locale::facet::_S_create_c_locale name not valid");
}
locale locale::global(const locale&) { return locale(); }

}  // namespace std

// Before the program's own initialisers.
__attribute__((constructor(101))) static void makeClassicTypes() {
  auto* const types = new (&classicTypes.object) std::ctype<char>(nullptr, false, 1);
  types->widen('a');
  char narrow;
  types->narrow("a", "a", 0, &narrow);
}
