// The loops of a program and what becomes of them, as text and as JSON (`heddle check --list-loops`).
#pragma once

#include <string>
#include <vector>

#include "native/list_loops.h"

namespace heddle::report {

// A line each: place, function, treatment.
std::string loopsText(const std::vector<native::ListedLoop>& loops);

// One object. docs/manual.md lists the fields.
std::string loopsJson(const std::vector<std::string>& files, const std::vector<native::ListedLoop>& loops);

}  // namespace heddle::report
