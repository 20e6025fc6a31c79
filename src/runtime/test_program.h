// How a program that consists of several tests, by one of the headers that heddle has for that (heddle/test.h, gtest/gtest.h,
// catch2/catch_test_macros.hpp), lets its tests be told apart.
//
// The header defines kTestMain, which is what main does if the program has no main of its own. Started with the argument kListTests
// the program prints a line for each test, "ARGUMENT<TAB>NAME", and started with that argument it runs this test alone.
#pragma once

namespace heddle::runtime {

inline constexpr const char* kTestMain = "heddle_test_main";
inline constexpr const char* kListTests = "--heddle-list-tests";

}  // namespace heddle::runtime
