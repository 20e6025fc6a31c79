// The final condition of a litmus test.
//
// A condition is asked about every execution, so it is compiled: each atom `observable = value` becomes one test
// with two successors, and evaluating the condition walks from test to test until it reaches a verdict. That
// short-circuits by itself and visits each atom at most once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::litmus {

// Names of values that are shown by name: addresses of locations.
using ValueNames = std::map<std::int64_t, std::string>;

enum class Quantifier : std::uint8_t { exists, notExists, forall, none };

enum class FormulaKind : std::uint8_t { constant, equal, conjunction, disjunction, negation };

// The condition as written, over numbered observables.
struct Formula {
  FormulaKind kind = FormulaKind::constant;
  bool differs = false;          // equal: written with `!=`
  std::uint32_t observable = 0;  // equal
  std::int64_t value = 1;        // equal; constant: 0 is false
  bool toObservable = false;     // equal: compared with the observable `other`, not with the value
  std::uint32_t other = 0;
  std::vector<Formula> parts;  // conjunction and disjunction: two or more; negation: one

  // In the simulators' notation, with the names of the observables.
  std::string text(const std::vector<std::string>& names, const ValueNames& values = {}) const;
};

class Condition {
 public:
  Condition() = default;  // true
  explicit Condition(const Formula& formula);

  bool holds(const std::int64_t* observed) const {
    std::uint32_t next = entry_;
    while (next < kFalse) {
      const Test& test = tests_[next];
      const std::int64_t value = test.other == kValue ? test.value : observed[test.other];
      next = observed[test.observable] == value ? test.whenEqual : test.whenDifferent;
    }
    return next == kTrue;
  }

 private:
  struct Test {
    std::int64_t value;
    std::uint32_t observable, whenEqual, whenDifferent;
    std::uint32_t other;  // an observable to compare with, or kValue
  };
  static constexpr std::uint32_t kValue = 0xffffffff;
  static constexpr std::uint32_t kFalse = 0xfffffffe;
  static constexpr std::uint32_t kTrue = 0xffffffff;

  std::uint32_t compile(const Formula& formula, std::uint32_t whenTrue, std::uint32_t whenFalse);

  std::vector<Test> tests_;
  std::uint32_t entry_ = kTrue;
};

// "exists (...)", "~exists (...)", "forall (...)".
std::string conditionText(Quantifier quantifier, const Formula& formula, const std::vector<std::string>& names,
                          const ValueNames& values = {});

}  // namespace heddle::litmus
