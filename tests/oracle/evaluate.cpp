// The meaning of each kind of expression, one definition each. See evaluate.h.
#include "evaluate.h"

#include <algorithm>
#include <stdexcept>

namespace heddle::oracle {

using model::AxiomKind;
using model::Expr;
using model::ExprKind;
using model::ExprType;

// clang-format off
enum class Evaluator::Base : std::uint8_t {
  none,
  all, reads, writes, fences, threads, rmwEvents, initials, plains, relaxed, acquire, release, acqRel, seqCst,
  machineFences,
  po, rf, co, rb, rmw, loc, ext, internal, id, addr, data, ctrl,
};
// clang-format on

namespace {

std::string nameOf(MachineFence fence) {
#define HEDDLE_NAME(id, name) \
  case MachineFence::id: return name;
  switch (fence) { HEDDLE_MACHINE_FENCES(HEDDLE_NAME) }
#undef HEDDLE_NAME
  return "";
}

bool isMachineFence(const std::string& name) {
  for (unsigned i = 0; i < kMachineFences; ++i) {
    if (name == nameOf(static_cast<MachineFence>(i))) return true;
  }
  return false;
}

}  // namespace

Evaluator::Evaluator(const std::vector<const model::Model*>& models) {
  for (const model::Model* m : models) {
    std::vector<Check>& checks = checks_.emplace_back();
    for (const model::Axiom& axiom : m->axioms) checks.push_back({axiom.kind, add(*axiom.expr)});
    happensBefore_.push_back(m->happensBefore ? std::optional<Node>(add(*m->happensBefore)) : std::nullopt);
    // Those that need the fewest steps first; they are also the ones that cost least.
    std::stable_sort(checks.begin(), checks.end(),
                     [&](const Check& a, const Check& b) { return terms_[a.node].step < terms_[b.node].step; });
  }
}

Evaluator::Node Evaluator::add(const Expr& expr) {
  static const std::map<std::string, Base> sets = {
      {"_", Base::all},         {"R", Base::reads},        {"W", Base::writes},  {"F", Base::fences},    {"T", Base::threads},
      {"RMW", Base::rmwEvents}, {"IW", Base::initials},    {"NA", Base::plains}, {"RLX", Base::relaxed}, {"ACQ", Base::acquire},
      {"REL", Base::release},   {"ACQ_REL", Base::acqRel}, {"SC", Base::seqCst}};
  static const std::map<std::string, Base> relations = {{"po", Base::po},     {"rf", Base::rf},        {"co", Base::co},
                                                        {"rb", Base::rb},     {"rmw", Base::rmw},      {"loc", Base::loc},
                                                        {"ext", Base::ext},   {"int", Base::internal}, {"id", Base::id},
                                                        {"addr", Base::addr}, {"data", Base::data},    {"ctrl", Base::ctrl}};

  Term term{.kind = expr.kind,
            .type = expr.type,
            .base = Base::none,
            .name = expr.name,
            .index = expr.index,
            .args = {},
            .freeNames = {},
            .relation = Relation()};
  for (const model::ExprPtr& arg : expr.args) term.args.push_back(add(*arg));

  std::string shape = std::to_string(static_cast<int>(expr.kind)) + (expr.type == ExprType::set ? "s" : "r") +
                      std::to_string(expr.index) + expr.name;
  for (const Node arg : term.args) shape += "," + std::to_string(arg);
  if (const auto known = byShape_.find(shape); known != byShape_.end()) return known->second;

  if (expr.kind == ExprKind::base) {
    const auto& names = expr.type == ExprType::set ? sets : relations;
    const auto found = names.find(expr.name);
    const bool machineFence = expr.type == ExprType::set && isMachineFence(expr.name);
    if (found == names.end() && !machineFence) {
      throw std::invalid_argument("the oracle does not know the base name " + expr.name);
    }
    term.base = machineFence ? Base::machineFences : found->second;
    if (term.base == Base::rf) term.step = readsFromStep;
    if (term.base == Base::co || term.base == Base::rb) term.step = coherenceStep;
  }
  for (const Node arg : term.args) {
    term.step = std::max(term.step, terms_[arg].step);
    for (const std::string& name : terms_[arg].freeNames) {
      if (expr.kind != ExprKind::recursion || name != expr.name) term.freeNames.push_back(name);
    }
  }
  if (expr.kind == ExprKind::variable) term.freeNames.push_back(expr.name);
  std::sort(term.freeNames.begin(), term.freeNames.end());
  term.freeNames.erase(std::unique(term.freeNames.begin(), term.freeNames.end()), term.freeNames.end());
  term.open = !term.freeNames.empty();
  terms_.push_back(std::move(term));
  byShape_.emplace(std::move(shape), terms_.size() - 1);
  return terms_.size() - 1;
}

void Evaluator::setEvents(const Execution& execution) {
  events_ = execution.events;
  size_ = static_cast<unsigned>(events_.size());
  po_ = execution.po;
  rmw_ = execution.rmw;
  addr_ = execution.addr;
  data_ = execution.data;
  ctrl_ = execution.ctrl;
  for (std::uint64_t& version : versions_) ++version;
}

const Relation* Evaluator::happensBefore(std::size_t model) {
  return happensBefore_[model] ? &relation(*happensBefore_[model]) : nullptr;
}

void Evaluator::setReadsFrom(const Relation& rf) {
  rf_ = rf;
  rb_.reset();
  ++versions_[readsFromStep];
  ++versions_[coherenceStep];
}

void Evaluator::setCoherence(const Relation& co, const Relation& rb) {
  setCoherence(co);
  rb_ = rb;
}

void Evaluator::setCoherence(const Relation& co) {
  co_ = co;
  rb_.reset();
  ++versions_[coherenceStep];
}

void Evaluator::setExecution(const Execution& execution) {
  setEvents(execution);
  setReadsFrom(execution.rf);
  setCoherence(execution.co);
}

EventSet Evaluator::set(Node node) { return evaluate(node).set; }

const Relation& Evaluator::relation(Node node) { return evaluate(node).relation; }

bool Evaluator::holdsWithoutCoherence(std::size_t model) {
  for (Check& c : checks_[model]) {
    if (terms_[c.node].step == coherenceStep) break;
    if (!check(c)) return false;
  }
  return true;
}

bool Evaluator::holds(std::size_t model) {
  return std::all_of(checks_[model].begin(), checks_[model].end(), [&](Check& c) { return check(c); });
}

bool Evaluator::check(Check& c) {
  const Term& term = evaluate(c.node);
  if (c.version == versions_[term.step]) return c.result;
  c.version = versions_[term.step];
  switch (c.kind) {
    case AxiomKind::acyclic: c.result = term.relation.isAcyclic(); break;
    case AxiomKind::irreflexive: c.result = term.relation.isIrreflexive(); break;
    case AxiomKind::empty: c.result = term.type == ExprType::set ? term.set == 0 : term.relation.isEmpty(); break;
  }
  return c.result;
}

// A term's value is a function of the execution and of its free variables, and these do not change while a
// term that contains it is being computed; so values can live in the terms themselves.
const Evaluator::Term& Evaluator::evaluate(Node node) {
  Term& term = terms_[node];
  if (term.open || term.version != versions_[term.step]) {
    compute(term);
    term.version = versions_[term.step];
  }
  return term;
}

void Evaluator::compute(Term& term) {
  if (term.kind == ExprKind::recursion) return computeRecursion(term);
  if (term.type == ExprType::set) return computeSet(term);
  computeRelation(term);
}

void Evaluator::computeSet(Term& term) {
  switch (term.kind) {
    case ExprKind::base: term.set = term.base == Base::machineFences ? machineFences(term.name) : baseSet(term.base); return;
    case ExprKind::empty: term.set = 0; return;
    case ExprKind::variable: term.set = bound_.at(term.name).sets.at(term.index); return;
    case ExprKind::complement: term.set = ~set(term.args[0]) & allEvents(size_); return;
    case ExprKind::unite:
    case ExprKind::intersect:
    case ExprKind::subtract: break;
    default: throw std::invalid_argument("a set expression of a kind that makes no set");
  }
  EventSet result = set(term.args[0]);
  for (std::size_t i = 1; i < term.args.size(); ++i) {
    const EventSet next = set(term.args[i]);
    if (term.kind == ExprKind::unite) result |= next;
    if (term.kind == ExprKind::intersect) result &= next;
    if (term.kind == ExprKind::subtract) result &= ~next;
  }
  term.set = result;
}

void Evaluator::computeRelation(Term& term) {
  switch (term.kind) {
    case ExprKind::base: term.relation = baseRelation(term.base); return;
    case ExprKind::empty: term.relation = Relation(size_); return;
    case ExprKind::variable: term.relation = bound_.at(term.name).relations.at(term.index); return;
    case ExprKind::bracket: term.relation = Relation::identityOn(size_, set(term.args[0])); return;
    case ExprKind::product: term.relation = Relation::product(size_, set(term.args[0]), set(term.args[1])); return;
    case ExprKind::complement: term.relation = relation(term.args[0]).complement(); return;
    case ExprKind::inverse: term.relation = relation(term.args[0]).inverse(); return;
    case ExprKind::plus: term.relation = relation(term.args[0]).plus(); return;
    case ExprKind::star: term.relation = relation(term.args[0]).star(); return;
    case ExprKind::optional: term.relation = relation(term.args[0]).optional(); return;
    case ExprKind::unite:
    case ExprKind::intersect:
    case ExprKind::subtract:
    case ExprKind::sequence: break;
    case ExprKind::domain:
    case ExprKind::range:  // of models that src/enumerate evaluates (tests/oracle/lkmm_oracle.h)
    case ExprKind::recursion: return;
  }
  Relation result = relation(term.args[0]);
  for (std::size_t i = 1; i < term.args.size(); ++i) {
    const Relation& next = relation(term.args[i]);
    if (term.kind == ExprKind::unite) result = result | next;
    if (term.kind == ExprKind::intersect) result = result & next;
    if (term.kind == ExprKind::subtract) result = result - next;
    if (term.kind == ExprKind::sequence) result = result.then(next);
  }
  term.relation = result;
}

// All variables of the group start empty and are replaced together until nothing changes.
void Evaluator::computeRecursion(Term& term) {
  const std::size_t width = term.args.size();
  Bound& bound = bound_[term.name];
  bound.sets.assign(width, 0);
  bound.relations.assign(width, Relation(size_));
  const std::size_t mostRounds = width * size_ * size_ + 2;  // a growing relation settles before that
  for (std::size_t round = 0;; ++round) {
    if (round > mostRounds) throw std::invalid_argument("a recursion that is not monotone does not settle");
    Bound next = bound;
    for (std::size_t i = 0; i < width; ++i) {
      const Term& arg = evaluate(term.args[i]);
      if (arg.type == ExprType::set) {
        next.sets[i] = arg.set;
      } else {
        next.relations[i] = arg.relation;
      }
    }
    const bool settled = next.sets == bound.sets && next.relations == bound.relations;
    bound = std::move(next);
    if (settled) break;
  }
  term.set = bound.sets[term.index];
  term.relation = bound.relations[term.index];
}

EventSet Evaluator::baseSet(Base base) const {
  EventSet result = 0;
  for (unsigned e = 0; e < size_; ++e) {
    const Event& event = events_[e];
    const bool ordered = event.kind != EventKind::thread;
    bool in = false;
    switch (base) {
      case Base::all: in = true; break;
      case Base::reads: in = event.kind == EventKind::read; break;
      case Base::writes: in = event.kind == EventKind::write; break;
      case Base::fences: in = event.kind == EventKind::fence; break;
      case Base::threads: in = event.kind == EventKind::thread; break;
      case Base::rmwEvents: in = event.rmw || event.exclusive; break;
      case Base::initials: in = event.isInitial(); break;
      case Base::plains: in = event.isPlain(); break;
      case Base::relaxed: in = ordered && event.order == Order::relaxed; break;
      case Base::acquire: in = ordered && event.order == Order::acquire; break;
      case Base::release: in = ordered && event.order == Order::release; break;
      case Base::acqRel: in = ordered && event.order == Order::acq_rel; break;
      case Base::seqCst: in = ordered && event.order == Order::seq_cst; break;
      default: throw std::logic_error("not a base set");
    }
    if (in) result |= singleton(e);
  }
  return result;
}

EventSet Evaluator::machineFences(const std::string& name) const {
  EventSet result = 0;
  for (unsigned e = 0; e < size_; ++e) {
    if (events_[e].machineFence && nameOf(*events_[e].machineFence) == name) result |= singleton(e);
  }
  return result;
}

Relation Evaluator::baseRelation(Base base) const {
  switch (base) {
    case Base::po: return po_;
    case Base::rf: return rf_;
    case Base::co: return co_;
    case Base::rb: return rb_ ? *rb_ : rf_.inverse().then(co_);
    case Base::rmw: return rmw_;
    case Base::addr: return addr_;
    case Base::data: return data_;
    case Base::ctrl: return ctrl_;
    case Base::id: return Relation::identity(size_);
    case Base::loc:
    case Base::ext:
    case Base::internal: break;
    default: throw std::logic_error("not a base relation");
  }
  Relation result(size_);
  for (unsigned a = 0; a < size_; ++a) {
    for (unsigned b = 0; b < size_; ++b) {
      const Event& first = events_[a];
      const Event& second = events_[b];
      // An initial write belongs to no thread: it is external to everything but itself.
      const bool internal = a == b || (first.thread == second.thread && !first.isInitial());
      bool in = false;
      if (base == Base::loc) in = first.isAccess() && second.isAccess() && first.overlaps(second);
      if (base == Base::ext) in = !internal;
      if (base == Base::internal) in = internal;
      if (in) result.add(a, b);
    }
  }
  return result;
}

}  // namespace heddle::oracle
