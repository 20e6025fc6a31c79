// The outcomes of a test (HEDDLE_OUTCOMES of heddle/test.h): which values were seen, in how many executions, and what the test says
// of them. The idea is that of jcstress, where runs are random; here all executions are looked at.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::run {

struct TestOutcome {
  std::string names;   // "r1, r2"
  std::string values;  // "0, 1"
  std::string grade;   // "allowed", "interesting" or "forbidden"
  std::string note;
  std::uint64_t executions = 0;  // 0: the test lists it, and it was not seen
};

// A test tells its outcomes by lines of output that begin with kOutcomeWord: whether this one was seen or is only listed, the expressions,
// the values, the grade, a note, with a tab before each.
inline constexpr const char* kOutcomeWord = "heddle outcome";

// Those lines of what a program printed; and the others.
std::string outcomesIn(const std::string& output);
std::string withoutOutcomes(const std::string& output);

// From those lines, and how many executions had the same. Those that were seen come first, the
// most frequent one before the others.
std::vector<TestOutcome> testOutcomes(const std::map<std::string, std::uint64_t>& told);

}  // namespace heddle::run
