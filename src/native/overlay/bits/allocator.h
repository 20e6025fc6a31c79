// std::allocator<char> is compiled into the program, as std::string is (basic_string.tcc).
#include <bits/c++config.h>

#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/allocator.h>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
