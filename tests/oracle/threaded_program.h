// Random C programs of several threads with what random_program.h does not have: plain data and structs that are copied, under
// mutexes or handed over by atomics; condition variables; loops. They may race, deadlock, or wait for ever: that is an outcome.
//
// There is no oracle for them. They are for comparisons of one way to check a program with another (native_outcomes.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sequential_program.h"

namespace heddle::oracle {

struct ThreadedProgram {
  Lines threads;  // functions, whose names are @T0, @T1, ...
};

ThreadedProgram randomThreaded(std::uint64_t seed);

// As the function of the same name in print_c.h; where the variables are does not change.
std::string toOutcomes(std::span<const ThreadedProgram> programs, Language language, const OutcomeText& text);

ThreadedProgram shrink(const ThreadedProgram& program, const std::function<bool(const ThreadedProgram&)>& stillDiffers);

}  // namespace heddle::oracle
