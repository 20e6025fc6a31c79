// Heddle's Catch2 is one header.
#pragma once
#pragma GCC system_header
#include <catch2/catch_test_macros.hpp>
