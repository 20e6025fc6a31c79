// What each target has: pieces of the language that it reads, for the mutator (token_mutator.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

extern const std::span<const char* const> pieces;
