// Which tests there are: files and folders in, cases out.
//
// A case is one run of heddle with what is expected of it. A C or C++ program has a case for each of its expectations
// (expectation.h), and if it consists of several tests (include/heddle/test.h), each for every such test. A litmus test has one, in
// which it is compared with its own expectations. What is in a folder and says nothing about itself is no test; a program
// that is named, or has tests of its own, and says nothing is expected to be verified under the default model.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "suite/expectation.h"

namespace heddle::suite {

struct Case {
  std::string file;
  std::string test;                        // of a file with several; or empty
  std::optional<Expectation> expectation;  // none: a litmus test, which heddle compares itself

  std::string name() const;                  // "queue.cpp:2 push_pop under sc", as reports show it
  std::vector<std::string> command() const;  // the words after `heddle`
};

class SuiteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// In the order of the paths, those of a folder by name. Throws SuiteError for what cannot be read, holds no test, or has a mistake in an
// expectation. `flags`: for clang, for all programs.
std::vector<Case> findCases(const std::vector<std::string>& paths, const std::vector<std::string>& flags);

// The names of the tests in the text of a program: HEDDLE_TEST(name).
std::vector<std::string> testNames(const std::string& program);

}  // namespace heddle::suite
