// The source files that a command line means, with a compilation database: files, or targets of the project.
#pragma once

#include <string>
#include <vector>

namespace heddle::native {

// Each name that is neither a file nor looks like one is a target, and stands for all its source files. Throws InputError.
std::vector<std::string> projectSources(const std::string& database, const std::vector<std::string>& names);

// Flags for clang with which a program sees heddle's own version of a test framework, "gtest" or "catch2" (frameworks/), also if it names
// a folder with the framework itself.
std::vector<std::string> frameworkFlags(const std::string& framework);

}  // namespace heddle::native
