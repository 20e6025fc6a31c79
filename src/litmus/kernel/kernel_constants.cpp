#include "litmus/kernel/kernel_constants.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "litmus/kernel/kernel_threads.h"

namespace heddle::litmus {

namespace {

// The numbers in a program, and has it branches?
class Constants {
 public:
  explicit Constants(const KernelProgram& program) {
    for (const KernelThread& thread : program.threads) add(thread.body);
    if (!branches_) values_.clear();
  }

  std::vector<Value> values() && { return std::move(values_); }

 private:
  void add(const KernelStmt& stmt) {
    branches_ |= stmt.decides();
    add(stmt.expr);
    for (const KernelCase& label : stmt.cases) note(static_cast<Value>(label.value));
    for (const KernelStmt& part : stmt.parts) add(part);
  }
  void add(const KernelExpr& expr) {
    using enum KernelExprKind;
    branches_ |= expr.kind == conditional || expr.kind == logicalAnd || expr.kind == logicalOr;
    if (expr.kind == constant) note(static_cast<Value>(expr.value));
    for (const KernelExpr& part : expr.parts) add(part);
  }
  void note(Value value) {
    if (std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
  }

  bool branches_ = false;
  std::vector<Value> values_ = {1};  // `if (r)` compares with none
};

// Which locations are counters: no thread writes through a pointer that it computes, or what is not a sum.
class Counters {
 public:
  explicit Counters(const KernelProgram& program) {
    for (thread_ = 0; thread_ < program.threads.size(); ++thread_) {
      add(program.threads[thread_].body, 1);
      for (auto& [address, counter] : counters_) counter.ofThread.resize(program.threads.size());
    }
    if (anywhere_) counters_.clear();
    std::erase_if(counters_, [&](const auto& entry) { return others_.contains(entry.first); });
  }

  std::vector<Counter> counters() const {
    std::vector<Counter> result;
    for (const auto& [address, counter] : counters_) result.push_back(counter);
    return result;
  }

 private:
  static constexpr std::int64_t kMost = 1'000'000'000;  // so that sums do not overflow

  void add(const KernelStmt& stmt, std::int64_t times) {
    if (stmt.kind == KernelStmtKind::loop) times *= kKernelLoopRounds + 1;
    if (stmt.kind == KernelStmtKind::jump && stmt.isBackward) anywhere_ = true;  // how often is not looked at
    if (times > kMost) anywhere_ = true;
    if (anywhere_) return;
    add(stmt.expr, times);
    for (const KernelStmt& part : stmt.parts) add(part, times);
  }

  void add(const KernelExpr& expr, std::int64_t times) {
    for (const KernelExpr& part : expr.parts) add(part, times);
    if (expr.kind == KernelExprKind::plainStore) note(expr.parts[0], std::nullopt, times);
    if (expr.kind != KernelExprKind::call) return;
    const Primitive& primitive = expr.primitive;
    switch (primitive.kind) {
      case PrimitiveKind::load:
      case PrimitiveKind::loadFrom:
      case PrimitiveKind::fence:
      case PrimitiveKind::isLocked:
      case PrimitiveKind::waitUnlocked:
      case PrimitiveKind::syncSrcu: break;
      case PrimitiveKind::update:
      case PrimitiveKind::updateReturn:
      case PrimitiveKind::fetchUpdate:
      case PrimitiveKind::updateTest:
      case PrimitiveKind::updateNegative:
        note(expr.parts[primitive.operandFirst ? 1 : 0], change(primitive, expr), times);
        break;
      case PrimitiveKind::addUnless: note(expr.parts[0], primitive.byOne ? 1 : constantOf(expr.parts[1]), times); break;
      default: note(expr.parts[0], std::nullopt, times);
    }
  }

  // What an update adds, if that is known.
  static std::optional<std::int64_t> change(const Primitive& primitive, const KernelExpr& expr) {
    if (primitive.op != Operator::add && primitive.op != Operator::sub) return std::nullopt;
    const std::optional<std::int64_t> operand = primitive.byOne ? 1 : constantOf(expr.parts[0]);
    if (!operand || *operand > kMost || *operand < -kMost) return std::nullopt;
    return primitive.op == Operator::add ? *operand : -*operand;
  }

  static std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }

  // A number, an address, or the sum of these: p->next of a location's name.
  static std::optional<std::int64_t> constantOf(const KernelExpr& expr) {
    if (expr.kind == KernelExprKind::constant) return expr.value;
    if (expr.kind != KernelExprKind::binary || expr.op != Operator::add) return std::nullopt;
    const auto left = constantOf(expr.parts[0]), right = constantOf(expr.parts[1]);
    return left && right ? std::optional(sum(*left, *right)) : std::nullopt;
  }

  void note(const KernelExpr& pointer, std::optional<std::int64_t> change, std::int64_t times) {
    const std::optional<std::int64_t> place = constantOf(pointer);
    if (!place) {
      anywhere_ = true;
      return;
    }
    const auto address = static_cast<Address>(*place);
    if (!change || *change == 0 || *change > kMost || *change < -kMost) {  // with 0, values would not be different
      others_.insert(address);
      return;
    }
    Counter& counter = counters_[address];
    counter.address = address;
    if (counter.ofThread.size() <= thread_) counter.ofThread.resize(thread_ + 1);
    (*change > 0 ? counter.ofThread[thread_].added : counter.ofThread[thread_].subtracted) += std::abs(*change) * times;
  }

  std::size_t thread_ = 0;
  bool anywhere_ = false;     // something is written through a pointer
  std::set<Address> others_;  // what is written in another way
  std::map<Address, Counter> counters_;
};

}  // namespace

std::vector<Value> constantsOfBranches(const KernelProgram& program) { return Constants(program).values(); }

std::vector<Counter> countersOf(const KernelProgram& program) { return Counters(program).counters(); }

}  // namespace heddle::litmus
