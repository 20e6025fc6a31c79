#include "litmus/spin_loop.h"

#include <algorithm>

#include "litmus/loop_bound.h"

namespace heddle::litmus {

bool mayAffect(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::store:
    case ExprKind::rmw:
    case ExprKind::update:
    case ExprKind::cas:
    case ExprKind::lock:
    case ExprKind::unlock:
    case ExprKind::barrier:
    case ExprKind::trylock:
    case ExprKind::spawn: return true;
    default: return false;
  }
}

namespace {

// Does every evaluation change something?
bool mustAffect(const Expr& expr) {
  const bool certain = mayAffect(expr) && expr.kind != ExprKind::cas && expr.kind != ExprKind::trylock;
  if (certain || (expr.place.index != nullptr && mustAffect(*expr.place.index))) return true;
  if (expr.left != nullptr && mustAffect(*expr.left)) return true;
  if (expr.kind == ExprKind::logicalAnd || expr.kind == ExprKind::logicalOr) return false;
  if (expr.kind == ExprKind::conditional) return mustAffect(*expr.right) && mustAffect(*expr.third);
  return (expr.right != nullptr && mustAffect(*expr.right)) || (expr.third != nullptr && mustAffect(*expr.third));
}

bool hasContinue(const Stmt& stmt) {
  if (stmt.kind == StmtKind::continueLoop) return true;
  if (stmt.kind == StmtKind::loop) return false;
  return std::any_of(stmt.body.begin(), stmt.body.end(), [](const Stmt* part) { return hasContinue(*part); });
}

// Does every way through the statement that stays in the loop around it change something?
bool mustAffect(const Stmt& stmt) {
  const auto expression = [](const Expr* expr) { return expr != nullptr && mustAffect(*expr); };
  switch (stmt.kind) {
    case StmtKind::expression: return mustAffect(*stmt.expr);
    case StmtKind::block:
      for (const Stmt* part : stmt.body) {
        if (mustAffect(*part)) return true;
        if (hasContinue(*part)) return false;
      }
      return false;
    case StmtKind::choice:
      return mustAffect(*stmt.expr) || (stmt.body.size() > 1 && mustAffect(*stmt.body[0]) && mustAffect(*stmt.body[1]));
    case StmtKind::loop:
      if (std::any_of(stmt.init.begin(), stmt.init.end(), [](const Stmt* part) { return mustAffect(*part); })) return true;
      return !stmt.testAtEnd && expression(stmt.expr);
    case StmtKind::breakLoop:
    case StmtKind::returnThread: return true;
    case StmtKind::continueLoop: return false;
  }
  return false;
}

bool everyRoundAffects(const Stmt& loop) {
  const auto expression = [](const Expr* expr) { return expr != nullptr && mustAffect(*expr); };
  return expression(loop.expr) || expression(loop.step) || mustAffect(*loop.body[0]);
}

// The variables that are live where a round of the loop begins, among those that the loop assigns, and what else there is
// to know of a round. Walks the loop with the set of variables that have certainly been assigned since the round began.
class Round {
 public:
  Round(const Thread& thread, const Stmt& loop)
      : live_(thread.locals.size()), assigned_(thread.locals.size()), now_(thread.locals.size()) {
    if (!loop.testAtEnd) test(loop);
    walk(*loop.body[0], 0);
    meet(now_, next_);
    if (loop.testAtEnd) test(loop);
    if (loop.step != nullptr) walk(*loop.step);
  }

  bool reads() const { return reads_; }

  SpinLoop result() const {
    SpinLoop found;
    found.mayAffect = affects_;
    for (std::size_t slot = 0; slot < assigned_.size(); ++slot) {
      const bool behind = std::any_of(exits_.begin(), exits_.end(), [&](const Set& exit) { return !exit[slot]; });
      if (assigned_[slot] && (live_[slot] || behind)) found.carried.push_back(static_cast<std::uint16_t>(slot));
    }
    return found;
  }

 private:
  using Set = std::vector<bool>;  // of slots

  static void meet(Set& into, const Set& other) {
    for (std::size_t i = 0; i < other.size(); ++i) into[i] = into[i] && other[i];
  }

  // Code behind a jump is not reached.
  void jump() { now_.assign(now_.size(), true); }

  void test(const Stmt& loop) {
    if (loop.expr == nullptr) return;
    walk(*loop.expr);
    exits_.push_back(now_);
  }

  void walk(const Expr& expr) {
    affects_ = affects_ || mayAffect(expr);
    reads_ = reads_ || expr.readsMemory;
    if (expr.place.index != nullptr) walk(*expr.place.index);
    const bool uses = expr.kind == ExprKind::local || expr.kind == ExprKind::cas ||
                      (expr.kind == ExprKind::assign && (expr.op != Operator::none || expr.postfix));
    if (uses && !now_[expr.slot]) live_[expr.slot] = true;
    if (expr.left != nullptr) walk(*expr.left);
    if (expr.kind == ExprKind::logicalAnd || expr.kind == ExprKind::logicalOr || expr.kind == ExprKind::conditional) {
      Set before = now_;
      walk(*expr.right);
      if (expr.third != nullptr) {
        std::swap(before, now_);
        walk(*expr.third);
      }
      meet(now_, before);
    } else {
      if (expr.right != nullptr) walk(*expr.right);
      if (expr.third != nullptr) walk(*expr.third);
    }
    if (expr.kind == ExprKind::cas) assigned_[expr.slot] = true;
    if (expr.kind == ExprKind::assign) assigned_[expr.slot] = now_[expr.slot] = true;
  }

  // `loops`: how many loops inside the one in question are around the statement.
  void walk(const Stmt& stmt, unsigned loops) {
    switch (stmt.kind) {
      case StmtKind::expression: walk(*stmt.expr); return;
      case StmtKind::block:
        for (const Stmt* part : stmt.body) walk(*part, loops);
        return;
      case StmtKind::choice: {
        walk(*stmt.expr);
        Set before = now_;
        walk(*stmt.body[0], loops);
        std::swap(before, now_);
        if (stmt.body.size() > 1) walk(*stmt.body[1], loops);
        meet(now_, before);
        return;
      }
      case StmtKind::loop: {  // may be left after its first test
        for (const Stmt* part : stmt.init) walk(*part, loops);
        if (!stmt.testAtEnd && stmt.expr != nullptr) walk(*stmt.expr);
        const Set before = now_;
        walk(*stmt.body[0], loops + 1);
        now_ = before;
        if (stmt.testAtEnd) walk(*stmt.expr);
        if (stmt.step != nullptr) walk(*stmt.step);
        now_ = before;
        return;
      }
      case StmtKind::breakLoop:
        if (loops == 0) exits_.push_back(now_);
        jump();
        return;
      case StmtKind::continueLoop:
        if (loops == 0) {
          if (next_.empty()) next_.assign(now_.size(), true);
          meet(next_, now_);
        }
        jump();
        return;
      case StmtKind::returnThread:
        exits_.push_back(now_);
        jump();
        return;
    }
  }

  Set live_, assigned_;
  Set now_;                 // certainly assigned in this round
  Set next_;                // the same where the loop is continued; empty if it is not
  std::vector<Set> exits_;  // and where it is left
  bool affects_ = false;
  bool reads_ = false;
};

void find(const SourceFile& file, const Thread& thread, const Stmt& stmt, std::map<const Stmt*, SpinLoop>& found) {
  if (stmt.kind == StmtKind::loop && !isBounded(thread, stmt)) {
    if (everyRoundAffects(stmt)) {
      file.fail(stmt.offset, "unbounded loop; every round of it writes, and what it reads could keep it going for ever",
                "give it a bound, e.g. for (int i = 0; i < 3 && ...; i++)");
    }
    const Round round(thread, stmt);
    if (!round.reads()) {
      file.fail(stmt.offset, "unbounded loop; it reads nothing that could end it",
                "give it a bound, e.g. for (int i = 0; i < 3 && ...; i++)");
    }
    found.emplace(&stmt, round.result());
  }
  for (const Stmt* part : stmt.body) find(file, thread, *part, found);
}

}  // namespace

std::map<const Stmt*, SpinLoop> findSpinLoops(const SourceFile& file, const Thread& thread) {
  std::map<const Stmt*, SpinLoop> found;
  find(file, thread, *thread.body, found);
  return found;
}

}  // namespace heddle::litmus
