// Small programs of mixed sizes: the examples of the paper (Marmanis, Kokologiannakis and Vafeiadis 2025) and those
// whose executions were counted by hand, in a notation like the paper's.
#pragma once

#include <string>
#include <vector>

#include "litmus/test.h"

namespace heddle::oracle {

// Of each thread its statements: "x0:1 = 0x101" writes two bytes of x, "a = x2" reads one, "x0:3 += 1" is a fetch_add.
// They are relaxed unless an order follows. x and y are words of eight bytes, at 16 and at 32.
using Threads = std::vector<std::vector<std::string>>;

std::string toLitmus(const Threads& threads);

// All examples that tests have a count or an outcome for.
const std::vector<Threads>& mixedExamples();

}  // namespace heddle::oracle
