// The counts of std::shared_ptr, each an atomic of its own.
//
// To release the last reference libstdc++ reads both counts at once, as one number of twice the size: quicker on
// hardware, but outside of what the standard gives a meaning to. It has a variant without that for tools that watch
// threads.
#include <bits/c++config.h>

#pragma push_macro("_GLIBCXX_TSAN")
#undef _GLIBCXX_TSAN
#define _GLIBCXX_TSAN 1
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("_GLIBCXX_TSAN")
