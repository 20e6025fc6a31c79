// Locales: there is one, "C". Of its facets there are those for char: ctype, which is behind std::toupper(c, locale) and its like,
// and collate, which regular expressions ask for, numpunct and time_put.

#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <ctype.h>
#include <string.h>
#include <time.h>

#include <locale>
#include <stdexcept>

#include "failure.h"
#include "streams.h"

namespace {

template <class T>
union Immortal {
  Immortal() {}
  ~Immortal() {}
  T object;
};

using Times = std::time_put<char>;

Immortal<std::ctype<char>> classicTypes;
Immortal<std::collate<char>> classicOrder;
Immortal<std::numpunct<char>> classicNumbers;
Immortal<Times> classicTimes;

}  // namespace

namespace std {

locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }

locale::id ctype<char>::id;

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

// In the order of their bytes.
template <>
int collate<char>::_M_compare(const char* a, const char* b) const noexcept {
  const int order = strcmp(a, b);
  return order < 0 ? -1 : order > 0;
}
template <>
size_t collate<char>::_M_transform(char* to, const char* from, size_t n) const noexcept {
  const size_t length = strlen(from);
  if (n != 0) {
    const size_t copied = length < n ? length : n - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

template <>
void numpunct<char>::_M_initialize_numpunct(__c_locale) {
  auto* const data = new __numpunct_cache<char>;
  data->_M_grouping = "";
  data->_M_grouping_size = 0;
  data->_M_use_grouping = false;
  data->_M_decimal_point = '.';
  data->_M_thousands_sep = ',';
  data->_M_truename = "true";
  data->_M_truename_size = strlen(data->_M_truename);
  data->_M_falsename = "false";
  data->_M_falsename_size = strlen(data->_M_falsename);
  _M_data = data;
}
template <>
numpunct<char>::~numpunct() {}

template <>
Times::iter_type Times::do_put(iter_type to, ios_base&, char, const tm* time, char format, char modifier) const {
  char text[128];
  const char pattern[] = {'%', modifier ? modifier : format, modifier ? format : '\0', '\0'};
  for (size_t i = 0, length = strftime(text, sizeof text, pattern, time); i < length; ++i) *to++ = text[i];
  return to;
}

#define CLASSIC(Facet, variable)                  \
  template <>                                     \
  const Facet& use_facet(const locale&) {         \
    return variable.object;                       \
  }                                               \
  template <>                                     \
  bool has_facet<Facet>(const locale&) noexcept { \
    return true;                                  \
  }
CLASSIC(ctype<char>, classicTypes)
CLASSIC(collate<char>, classicOrder)
CLASSIC(numpunct<char>, classicNumbers)
CLASSIC(Times, classicTimes)
#undef CLASSIC

// Facets by number, for code of the headers that looks them up by itself.
size_t locale::id::_M_id() const noexcept {
  const id* const known[] = {&std::ctype<char>::id, &std::collate<char>::id, &std::numpunct<char>::id, &Times::id};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (this == known[i]) return i;
  }
  heddle::library::fail(heddle::library::Failure::unsupported, "this facet of a locale is not modelled");
}

template Times::iter_type Times::put(iter_type, ios_base&, char, const tm*, const char*, const char*) const;

locale::locale(const char* name) : _M_impl(reinterpret_cast<_Impl*>(&heddle_classic_locale)) {
  if (*name != 0 && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
    throw runtime_error("locale::facet::_S_create_c_locale name not valid");
}
locale locale::global(const locale&) { return locale(); }

}  // namespace std

// Before the program's own initialisers.
__attribute__((constructor(101))) static void makeClassicFacets() {
  new (&classicOrder.object) std::collate<char>(1);
  new (&classicNumbers.object) std::numpunct<char>(1);
  new (&classicTimes.object) Times(1);
  auto* const types = new (&classicTypes.object) std::ctype<char>(nullptr, false, 1);
  types->widen('a');
  char narrow;
  types->narrow("a", "a", 0, &narrow);
  static const std::locale::facet* facets[] = {types, &classicOrder.object, &classicNumbers.object, &classicTimes.object};
  heddle_classic_locale.facets = facets;
  heddle_classic_locale.facetCount = sizeof facets / sizeof *facets;
}
