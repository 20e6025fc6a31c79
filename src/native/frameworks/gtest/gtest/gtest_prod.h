// FRIEND_TEST, of heddle's gtest/gtest.h: what code includes that is tested, too.
#pragma once
#pragma GCC system_header

#define FRIEND_TEST(suite, name) friend class suite##_##name##_Test
