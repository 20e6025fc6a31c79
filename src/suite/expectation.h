// What a C or C++ test program says about itself, in comments:
//
//     //! rc20: verified executions=2 blocked=0
//     //! sc,tso: error=data-race line=@write|@read flags="--no-spurious -- -DBUG"
//
// (`;!` in LLVM's assembly language.)
//
// Models, then the verdict, then any of
//
//     executions=N blocked=N   exact numbers
//     line=L|L                 the line of the error is one of these: a number, or @name for the line with "// @name"
//     thread=N                 the thread of the error
//     text="..."               stands somewhere in the output; may come several times
//     flags="..."              of `heddle check`; what follows `--` goes to clang
//     test=NAME|NAME           of a file with several tests (heddle/test.h): of these only
//
// A line `//! why: ...` says more of the expectation before it: these words stand in the explanation of the error. There may
// be several.
//
// Verdicts are verified, bounded, incomplete, error=KIND, and rejected, for a program that cannot be checked at all.
// Where it is a matter of taste what an error is called, as when one thread frees what another one reads,
// error=KIND|KIND.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::suite {

struct Expectation {
  unsigned line = 0;  // of the comment
  std::string model;
  std::string verdict;  // "verified", "bounded", "incomplete", "error", "rejected"
  std::vector<std::string> errorKinds;
  std::optional<unsigned long> executions, blocked, thread;
  std::vector<unsigned> errorLines;  // empty: any
  std::vector<std::string> texts;
  std::vector<std::string> whys;   // in the explanation of the error
  std::vector<std::string> tests;  // empty: all of the file
  std::vector<std::string> flags, compilerFlags;
};

class ExpectationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Of the text of a program, in the order of the comments, one for each model. Throws ExpectationError with the line.
std::vector<Expectation> parseExpectations(const std::string& program);

}  // namespace heddle::suite
