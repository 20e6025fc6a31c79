#include "litmus/loop_bound.h"

#include <algorithm>
#include <vector>

namespace heddle::litmus {

namespace {

// What one loop does to the local variables. Values flow along the edges of a graph whose nodes are the variables,
// one node for "memory", and one for each place where control flow splits; whatever memory reaches is tainted.
// The graph has one edge per mention of a variable, so the check is linear in the size of the loop.
class LoopAnalysis {
 public:
  LoopAnalysis(const Thread& thread, const Stmt& loop) : loop_(loop), facts_(thread.locals.size()) {
    edges_.resize(thread.locals.size() + kFirstControl);
    memory_ = newNode(thread.locals.size());
    root_ = newNode(thread.locals.size() + 1);
    body_ = newNode(thread.locals.size() + 2);
    link(root_, body_);
  }

  bool bounded() {
    const Node ignored = newControl(root_);
    if (loop_.expr != nullptr) flow(*loop_.expr, ignored, root_);
    if (loop_.step != nullptr) flow(*loop_.step, newControl(root_), root_);
    for (const Stmt* stmt : loop_.body) walk(*stmt, body_, body_, 0);
    if (alwaysLeaves_) return true;
    spreadTaint();
    if (loop_.expr != nullptr && bounds(*loop_.expr, true)) return true;
    for (const Exit& exit : exits_) {
      if (bounds(*exit.test, exit.continuesWhen)) return true;
    }
    return false;
  }

 private:
  using Node = std::uint32_t;
  static constexpr std::size_t kFirstControl = 3;

  struct Facts {
    bool changes = false;
    bool changesOtherwise = false;  // not only by constant steps
    bool stepsUp = false;
    bool stepsDown = false;
    bool stepsEachRound = false;
  };
  struct Exit {
    const Expr* test;
    bool continuesWhen;
  };

  static Node newNode(std::size_t index) { return static_cast<Node>(index); }

  void link(Node from, Node to) { edges_[from].push_back(to); }

  Node newControl(Node parent) {
    const Node node = newNode(edges_.size());
    edges_.emplace_back();
    link(parent, node);
    return node;
  }

  static int signOf(std::int64_t value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

  // 1 or -1 for `i++`, `i -= 2`, `i = i + 1` and the like; 0 for any other change.
  static int stepDirection(const Expr& expr) {
    if (expr.kind != ExprKind::assign) return 0;
    Operator op = expr.op;
    const Expr* amount = expr.right;
    if (op == Operator::none && amount->kind == ExprKind::binary && amount->left->kind == ExprKind::local &&
        amount->left->slot == expr.slot) {
      op = amount->op;
      amount = amount->right;
    }
    if (!amount->isConstant()) return 0;
    return op == Operator::add ? signOf(amount->value) : op == Operator::sub ? -signOf(amount->value) : 0;
  }

  // A variable gets a value, under the given control.
  void change(const Expr& expr, Node control) {
    Facts& facts = facts_[expr.slot];
    facts.changes = true;
    link(control, expr.slot);
    const int step = stepDirection(expr);
    facts.changesOtherwise = facts.changesOtherwise || step == 0;
    facts.stepsUp = facts.stepsUp || step > 0;
    facts.stepsDown = facts.stepsDown || step < 0;
    const bool eachRound = control == root_ || (control == body_ && !continueSeen_);
    facts.stepsEachRound = facts.stepsEachRound || (step != 0 && eachRound);
  }

  // The value of `expr` reaches `to`; what it does happens under `control`.
  void flow(const Expr& expr, Node to, Node control) {
    if (expr.place.index != nullptr) flow(*expr.place.index, to, control);
    switch (expr.kind) {
      case ExprKind::local: link(expr.slot, to); return;
      case ExprKind::assign:
        flow(*expr.right, expr.slot, control);
        change(expr, control);
        link(expr.slot, to);
        return;
      case ExprKind::cas:
        flow(*expr.right, to, control);
        link(memory_, expr.slot);
        change(expr, control);
        link(memory_, to);
        return;
      case ExprKind::load:
      case ExprKind::rmw:
      case ExprKind::update:
      case ExprKind::trylock:
      case ExprKind::choose: link(memory_, to); break;
      case ExprKind::logicalAnd:
      case ExprKind::logicalOr:
      case ExprKind::conditional: {
        const Node split = newControl(control);
        flow(*expr.left, split, control);
        link(split, to);
        flow(*expr.right, to, split);
        if (expr.third != nullptr) flow(*expr.third, to, split);
        return;
      }
      default: break;
    }
    for (const Expr* part : {expr.left, expr.right, expr.third}) {
      if (part != nullptr) flow(*part, to, control);
    }
  }

  static bool mayContinue(const Stmt& stmt) {
    if (stmt.kind == StmtKind::continueLoop) return true;
    if (stmt.kind == StmtKind::loop) return false;  // its own business
    return std::any_of(stmt.body.begin(), stmt.body.end(), [](const Stmt* part) { return mayContinue(*part); });
  }

  static bool endsInExit(const Stmt& stmt) {
    if (stmt.kind == StmtKind::breakLoop || stmt.kind == StmtKind::returnThread) return true;
    return stmt.kind == StmtKind::block && !stmt.body.empty() && endsInExit(*stmt.body.back());
  }

  static bool leaves(const Stmt& stmt) { return endsInExit(stmt) && !mayContinue(stmt); }

  // `innerLoop` is the control node of the loop that break and continue belong to, body_ for the loop in question.
  void walk(const Stmt& stmt, Node control, Node innerLoop, unsigned loops) {
    const bool eachRound = control == body_ && !continueSeen_;
    switch (stmt.kind) {
      case StmtKind::expression: flow(*stmt.expr, newControl(control), control); return;
      case StmtKind::block:
        for (const Stmt* part : stmt.body) walk(*part, control, innerLoop, loops);
        return;
      case StmtKind::choice: {
        if (eachRound && loops == 0) {
          if (leaves(*stmt.body[0])) exits_.push_back({stmt.expr, false});
          if (stmt.body.size() > 1 && leaves(*stmt.body[1])) exits_.push_back({stmt.expr, true});
        }
        const Node split = newControl(control);
        flow(*stmt.expr, split, control);
        for (const Stmt* part : stmt.body) walk(*part, split, innerLoop, loops);
        return;
      }
      case StmtKind::loop: {
        for (const Stmt* part : stmt.init) walk(*part, control, innerLoop, loops);
        const Node inner = newControl(control);
        if (stmt.expr != nullptr) flow(*stmt.expr, inner, inner);
        if (stmt.step != nullptr) flow(*stmt.step, newControl(inner), inner);
        for (const Stmt* part : stmt.body) walk(*part, inner, inner, loops + 1);
        return;
      }
      case StmtKind::breakLoop:
        if (loops > 0)
          link(control, innerLoop);  // decides how often the inner loop runs
        else if (eachRound)
          alwaysLeaves_ = true;
        return;
      case StmtKind::continueLoop:
        link(control, innerLoop);
        if (loops == 0) continueSeen_ = true;
        return;
      case StmtKind::returnThread:
        if (eachRound) alwaysLeaves_ = true;
        return;
    }
  }

  void spreadTaint() {
    tainted_.assign(edges_.size(), false);
    tainted_[memory_] = true;
    std::vector<Node> work = {memory_};
    while (!work.empty()) {
      const Node node = work.back();
      work.pop_back();
      for (const Node next : edges_[node]) {
        if (tainted_[next]) continue;
        tainted_[next] = true;
        work.push_back(next);
      }
    }
  }

  struct Mentioned {
    bool changing = false;
    bool tainted = false;
  };

  void collect(const Expr& expr, Mentioned& found) const {
    if (expr.kind == ExprKind::local || expr.kind == ExprKind::assign || expr.kind == ExprKind::cas) {
      found.changing = found.changing || facts_[expr.slot].changes;
      found.tainted = found.tainted || tainted_[expr.slot];
    }
    for (const Expr* part : {expr.left, expr.right, expr.third, expr.place.index}) {
      if (part != nullptr) collect(*part, found);
    }
  }

  // Does the loop go round a fixed number of times if each round needs `expr` to be `wanted`?
  bool bounds(const Expr& expr, bool wanted) const {
    if (expr.isConstant()) return (expr.value != 0) != wanted;
    if (expr.kind == ExprKind::logicalNot) return bounds(*expr.left, !wanted);
    if (expr.kind == (wanted ? ExprKind::logicalAnd : ExprKind::logicalOr)) {
      return bounds(*expr.left, wanted) || bounds(*expr.right, wanted);
    }
    if (expr.kind == ExprKind::binary && comparisonBounds(expr, wanted)) return true;
    if (expr.readsMemory) return false;
    Mentioned found;
    collect(expr, found);
    return found.changing && !found.tainted;
  }

  bool comparisonBounds(const Expr& expr, bool wanted) const {
    const bool less = expr.op == Operator::less || expr.op == Operator::lessEqual;
    const bool greater = expr.op == Operator::greater || expr.op == Operator::greaterEqual;
    if (!less && !greater) return false;
    const bool leftStaysBelow = less == wanted;
    return approaches(*expr.left, *expr.right, leftStaysBelow) || approaches(*expr.right, *expr.left, !leftStaysBelow);
  }

  // `variable` moves by constants, each round at least once, towards `limit`, which stays.
  bool approaches(const Expr& variable, const Expr& limit, bool upwards) const {
    if (variable.kind != ExprKind::local || limit.readsMemory) return false;
    Mentioned found;
    collect(limit, found);
    const Facts& facts = facts_[variable.slot];
    return !found.changing && facts.stepsEachRound && !facts.changesOtherwise && (upwards ? !facts.stepsDown : !facts.stepsUp);
  }

  const Stmt& loop_;
  std::vector<Facts> facts_;
  std::vector<std::vector<Node>> edges_;
  std::vector<bool> tainted_;
  std::vector<Exit> exits_;
  Node memory_ = 0, root_ = 0, body_ = 0;
  bool continueSeen_ = false;
  bool alwaysLeaves_ = false;
};

}  // namespace

bool isBounded(const Thread& thread, const Stmt& loop) { return LoopAnalysis(thread, loop).bounded(); }

}  // namespace heddle::litmus
