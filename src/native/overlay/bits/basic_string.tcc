// std::string is compiled into the program.
//
// libstdc++ declares its strings `extern template`: their code is in the compiled library, where a program's memory
// would be accessed unseen. Without that declaration the members that a program uses are instantiated in it. (Defining
// _GLIBCXX_EXTERN_TEMPLATE for all headers would do the same to streams and locales, which are modelled.)
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
