#include "litmus/condition.h"

#include <utility>

namespace heddle::litmus {

namespace {

std::string valueText(std::int64_t value, const ValueNames& values) {
  const auto found = values.find(value);
  return found == values.end() ? std::to_string(value) : found->second;
}

}  // namespace

std::string Formula::text(const std::vector<std::string>& names, const ValueNames& values) const {
  switch (kind) {
    case FormulaKind::constant: return value != 0 ? "true" : "false";
    case FormulaKind::equal:
      return names[observable] + (differs ? "!=" : "=") + (toObservable ? names[other] : valueText(value, values));
    case FormulaKind::negation: {
      const Formula& part = parts[0];
      const bool atom = part.kind == FormulaKind::constant;
      return atom ? "~" + part.text(names, values) : "~(" + part.text(names, values) + ")";
    }
    case FormulaKind::conjunction:
    case FormulaKind::disjunction: {
      std::string result;
      for (const Formula& part : parts) {
        if (!result.empty()) result += kind == FormulaKind::conjunction ? " /\\ " : " \\/ ";
        const bool looser = kind == FormulaKind::conjunction && part.kind == FormulaKind::disjunction;
        result += looser ? "(" + part.text(names, values) + ")" : part.text(names, values);
      }
      return result;
    }
  }
  return {};
}

Condition::Condition(const Formula& formula) { entry_ = compile(formula, kTrue, kFalse); }

// The parts of a connective are compiled from the last to the first, because each needs to know where the next
// one starts.
std::uint32_t Condition::compile(const Formula& formula, std::uint32_t whenTrue, std::uint32_t whenFalse) {
  switch (formula.kind) {
    case FormulaKind::constant: return formula.value != 0 ? whenTrue : whenFalse;
    case FormulaKind::negation: return compile(formula.parts[0], whenFalse, whenTrue);
    case FormulaKind::conjunction: {
      std::uint32_t next = whenTrue;
      for (auto part = formula.parts.rbegin(); part != formula.parts.rend(); ++part) {
        next = compile(*part, next, whenFalse);
      }
      return next;
    }
    case FormulaKind::disjunction: {
      std::uint32_t next = whenFalse;
      for (auto part = formula.parts.rbegin(); part != formula.parts.rend(); ++part) {
        next = compile(*part, whenTrue, next);
      }
      return next;
    }
    case FormulaKind::equal: {
      if (formula.differs) std::swap(whenTrue, whenFalse);
      tests_.push_back({formula.value, formula.observable, whenTrue, whenFalse, formula.toObservable ? formula.other : kValue});
      return static_cast<std::uint32_t>(tests_.size() - 1);
    }
  }
  return whenFalse;
}

std::string conditionText(Quantifier quantifier, const Formula& formula, const std::vector<std::string>& names,
                          const ValueNames& values) {
  const std::string inner = " (" + formula.text(names, values) + ")";
  switch (quantifier) {
    case Quantifier::exists: return "exists" + inner;
    case Quantifier::notExists: return "~exists" + inner;
    case Quantifier::forall:
    case Quantifier::none: return "forall" + inner;
  }
  return {};
}

}  // namespace heddle::litmus
