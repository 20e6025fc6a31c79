// What the parts of the stream models (ostream.cpp, istream.cpp, cxx_fstream.cpp) share: the real headers, with their templates
// left to be instantiated here instead of being promised by libstdc++'s compiled library.
#pragma once

#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <fstream>
#include <iomanip>
#include <istream>
#include <ostream>
#include <sstream>

namespace heddle::library {

// Room for an object that is constructed before the program's own initialisers run, and never destroyed.
template <class T>
struct Room {
  alignas(T) char bytes[sizeof(T)];
};

}  // namespace heddle::library

// What a locale of libstdc++ points to, up to its facets. All locales are this one. It has facets if somebody may ask for one
// (cxx_locale.cpp).
struct ClassicLocale {
  int references;
  const std::locale::facet** facets;
  std::size_t facetCount;
};
extern "C" ClassicLocale heddle_classic_locale;

namespace std {

// There is one locale, "C", in which characters are what they are; no facet is ever asked.
template <>
void basic_ios<char>::_M_cache_locale(const locale&);
template <>
char basic_ios<char>::widen(char c) const;
template <>
char basic_ios<char>::narrow(char c, char) const;

// Output goes through a few functions; the rest of <ostream> calls them.
template <>
template <>
ostream& ostream::_M_insert(long);
template <>
template <>
ostream& ostream::_M_insert(unsigned long);
template <>
template <>
ostream& ostream::_M_insert(long long);
template <>
template <>
ostream& ostream::_M_insert(unsigned long long);
template <>
template <>
ostream& ostream::_M_insert(bool);
template <>
template <>
ostream& ostream::_M_insert(double);
template <>
template <>
ostream& ostream::_M_insert(long double);
template <>
template <>
ostream& ostream::_M_insert(const void*);
template <>
ostream& ostream::flush();
template <>
ostream& ostream::put(char);
template <>
ostream& ostream::write(const char*, streamsize);
template <>
ostream& __ostream_insert(ostream&, const char*, streamsize);

// Input likewise.
template <>
istream::sentry::sentry(istream&, bool);
template <>
template <>
istream& istream::_M_extract(long&);
template <>
template <>
istream& istream::_M_extract(unsigned long&);
template <>
template <>
istream& istream::_M_extract(long long&);
template <>
template <>
istream& istream::_M_extract(unsigned long long&);
template <>
template <>
istream& istream::_M_extract(unsigned short&);
template <>
template <>
istream& istream::_M_extract(unsigned&);
template <>
template <>
istream& istream::_M_extract(bool&);
template <>
template <>
istream& istream::_M_extract(float&);
template <>
template <>
istream& istream::_M_extract(double&);
template <>
istream& istream::operator>>(short&);
template <>
istream& istream::operator>>(int&);
template <>
istream& operator>>(istream&, string&);
template <>
istream& operator>>(istream&, char&);
template <>
istream& ws(istream&);

}  // namespace std
