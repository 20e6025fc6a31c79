// Which tests there are: files and folders in, cases out.
//
// A case is one run of heddle with what is expected of it. A C or C++ program has a case for each of its expectations
// (expectation.h). Whether a program consists of several tests is not known before it is compiled; it is then asked for their names,
// and each case becomes one for each of them (withTests). A litmus test has one case, in which it is compared with its own
// expectations. What is in a folder and says nothing about itself is no test; a program that is named, or has tests of its own, and
// says nothing is expected to be verified under the default model.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "suite/expectation.h"

namespace heddle::suite {

struct Case {
  std::string file;
  std::optional<Expectation> expectation;  // none: a litmus test, which heddle compares itself
  std::vector<std::string> options;        // of heddle check, besides those of the expectation
  std::vector<std::string> others;         // source files that belong to the program, too
  std::string test;                        // of a program with several; or empty
  std::string argument;                    // that makes the program run it

  std::string name() const;                  // "queue.cpp:2 push_pop under sc", as reports show it
  std::vector<std::string> command() const;  // the words after `heddle`
};

// A test of a program, as the program lists it (runtime/test_program.h).
struct ListedTest {
  std::string name;
  std::string argument;
};

class SuiteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Search {
  std::vector<std::string> flags;  // for clang, for all programs
  std::vector<std::string> with;   // source files that belong to every program
  bool gtest = false;              // files that include the header of GoogleTest are tests
  bool catch2 = false;             // those that include one of Catch2
};

// In the order of the paths, those of a folder by name. A path may be a compile_commands.json: the tests among its files. Throws
// SuiteError for what cannot be read, holds no test, or has a mistake in an expectation.
std::vector<Case> findCases(const std::vector<std::string>& paths, const Search& search);

// The case of each test of the program that the expectation is about. Throws SuiteError for one that does not exist.
std::vector<Case> withTests(const Case& program, const std::vector<ListedTest>& tests);

// "ARGUMENT<TAB>NAME", a line each.
std::vector<ListedTest> parseListedTests(const std::string& text);

}  // namespace heddle::suite
