#include "model/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/cat.h"
#include "model/coherent_cycles.h"

namespace heddle::model {

namespace {

RegexPtr anyOf(std::initializer_list<RegexPtr> args) {
  RegexPtr result = never();
  for (const auto& arg : args) result = unite(result, arg);
  return result;
}

RegexPtr inSequence(std::initializer_list<RegexPtr> args) {
  RegexPtr result = test(kAllClasses);
  for (const auto& arg : args) result = sequence(result, arg);
  return result;
}

// Is a <= b? To make an automaton takes longer than to compare two, so it is made once of what is compared often.
bool includes(const RegexPtr& a, const Automaton& b) { return included(toAutomaton(a), b); }
bool includes(const Automaton& a, const RegexPtr& b) { return included(a, toAutomaton(b)); }

RegexPtr communication() { return anyOf({letter(Letter::rf), coherenceOrder(), readsBefore()}); }

// Is this relation eco, whichever way it was written? eco = (rf | co | rb)+ equals rf | (co | rb) ; rf?, so everything
// between the two languages denotes it.
bool isExtendedCoherence(const Automaton& relation) {
  const RegexPtr rf = letter(Letter::rf);
  const RegexPtr least = unite(rf, sequence(unite(coherenceOrder(), readsBefore()), unite(test(kAllClasses), rf)));
  const RegexPtr reflexive = unite(test(kAllClasses), plus(communication()));
  return includes(least, relation) && includes(relation, reflexive);
}

// H of an axiom `irreflexive (H ; eco)`: everything but the last part of the sequence.
std::optional<RegexPtr> coherenceRelation(const Axiom& axiom, const Automaton& relation) {
  const Expr& expr = *axiom.expr;
  if (axiom.kind == AxiomKind::irreflexive && expr.kind == ExprKind::sequence) {
    if (!isExtendedCoherence(toAutomaton(toRegex(*expr.args.back())))) return std::nullopt;
    RegexPtr h = test(kAllClasses);
    for (std::size_t i = 0; i + 1 < expr.args.size(); ++i) h = sequence(h, toRegex(*expr.args[i]));
    return h;
  }
  if (axiom.kind == AxiomKind::acyclic) {
    // Coherence of each location: acyclic (po-loc | rf | co | rb) is irreflexive (po ; eco) (thesis 3.6.1).
    const RegexPtr perLocation = unite(filtered(programOrder(), Filter::sameLocation), communication());
    if (includes(perLocation, relation) && includes(relation, plus(perLocation))) return programOrder();
  }
  return std::nullopt;
}

bool isExternal(const Expr& expr, const char* name) {
  if (isBase(expr, name)) return true;
  return expr.kind == ExprKind::intersect && expr.args.size() == 2 && isBase(*expr.args[0], name) &&
         isBase(*expr.args[1], "ext");
}

}  // namespace

bool isAtomicity(const Axiom& axiom) {
  const Expr& expr = *axiom.expr;
  if (axiom.kind != AxiomKind::empty || expr.kind != ExprKind::intersect || expr.args.size() != 2) return false;
  const bool first = isBase(*expr.args[0], "rmw");
  const Expr& other = *expr.args[first ? 1 : 0];
  return (first || isBase(*expr.args[1], "rmw")) && other.kind == ExprKind::sequence && other.args.size() == 2 &&
         isExternal(*other.args[0], "rb") && isExternal(*other.args[1], "co");
}

Model forExclusives(Model model) {
  for (Axiom& axiom : model.axioms) {
    if (model.builtin && isAtomicity(axiom)) axiom.expr = parseCat("empty rmw & (rbe ; coe)", model.file).axioms[0].expr;
  }
  return model;
}

Model withAtomicity(Model model) {
  if (namesReadModifyWrites(model)) return model;
  Axiom axiom = parseCat("empty rmw & (rb ; co) as atomicity", model.file).axioms[0];
  model.axioms.push_back(std::move(axiom));
  return model;
}

namespace {

// Do the axiom's cycles include every cycle of po | rf? An edge of a cycle is one word of the relation if it is any number of them.
bool forbidsLoadBuffering(const Automaton& relation, AxiomKind kind) {
  if (kind == AxiomKind::acyclic) return includes(unite(letter(Letter::po), letter(Letter::rf)), relation);
  return includes(plus(unite(programOrder(), letter(Letter::rf))), relation);
}

// Does the axiom forbid what coherence of each location does, irreflexive (po ; eco)?
bool impliesCoherence(const Axiom& axiom, const RegexPtr& relation, const Automaton& automaton) {
  const RegexPtr least = sequence(programOrder(), plus(communication()));
  return axiom.kind == AxiomKind::acyclic ? includes(toAutomaton(least), plus(relation)) : includes(least, automaton);
}

// The automaton of a relation that follows these edges, which connect accesses of one location, also where it has
// `H & loc`, if they are in H.
Automaton withinLocation(Automaton automaton, const Automaton& edges, Letter letter) {
  for (auto& transitions : automaton.transitions) {
    for (std::size_t i = transitions.size(); i > 0; --i) {
      Transition step = transitions[i - 1];
      if (step.letter != Letter::filtered) continue;
      const FilteredRelation& within = automaton.filtered[step.filtered];
      if (within.filter != Filter::sameLocation || !included(edges, *within.relation)) continue;
      step.letter = letter;
      transitions.push_back(step);
    }
  }
  return automaton;
}

// Is every cycle of po and of rf, co and rb between these accesses one of the relation's? Where one of the three begins
// or ends the cycle can be cut, into single edges of them and paths of po; it is enough that the relation contains all
// four. (No graph has a cycle of po alone.)
bool hasAllCyclesOf(ClassSet accesses, const Automaton& relation) {
  const auto among = [&](const RegexPtr& edges) { return toAutomaton(inSequence({test(accesses), edges, test(accesses)})); };
  if (!included(among(anyOf({programOrder(), letter(Letter::co), letter(Letter::rb)})), relation)) return false;
  const Automaton rf = among(letter(Letter::rf));
  return included(rf, relation) || included(rf, withinLocation(relation, rf, Letter::rf));
}

// The accesses that `acyclic relation` treats as sequential consistency does: all, or those that are seq_cst, or none.
ClassSet strictAccesses(const Automaton& relation) {
  for (const ClassSet accesses : {classes::kAccess, classes::kAccess & classes::ofOrder(Order::seq_cst)}) {
    if (hasAllCyclesOf(accesses, relation)) return accesses;
  }
  return {};
}

// Where sizes are mixed, axioms are evaluated on relations between whole accesses (mixer/lifted_axioms.h), and not every
// operator has been given a meaning there.
void checkLiftable(const Expr& expr) {
  if (expr.type == ExprType::set) return;
  if (expr.kind == ExprKind::inverse || expr.kind == ExprKind::recursion) {
    throw CatError(expr.position,
                   fmt::format("a model with `mixed-sizes` cannot have {} in an axiom: `{}`",
                               expr.kind == ExprKind::inverse ? "an inverse" : "a recursive relation", toString(expr)));
  }
  for (const ExprPtr& arg : expr.args) checkLiftable(*arg);
}

ViewRelation happensBeforeOf(const Model& model, const CompiledParts& parts) {
  if (auto known = parts.views(model.happensBefore ? toString(*model.happensBefore) : "")) return *std::move(known);
  if (!model.happensBefore) return *viewRelation(cpp20HappensBefore());
  if (auto views = viewRelation(toRegex(*model.happensBefore))) return *std::move(views);
  throw CatError(model.happensBefore->position,
                 "data races cannot be judged by this relation: it must contain `po`, be transitive, and be made of `po`, "
                 "`rf`, `rmw` and `po-loc & int` only, as `(po | sw)+` in rc11 is; without `races-by` they are judged by "
                 "the happens-before of C++20");
}

// acyclic (issue* ; commit* ; barrier), each with what the model adds (src/causal/causal_order.h).
std::string causalOrderAxiom(const Causality& causality) {
  const auto with = [](const std::string& text, const ExprPtr& more) { return more ? text + " | " + toString(*more) : text; };
  const std::string issue = with("addr | data | ctrl | rmw | rfi | (coe ; rfe) & int", causality.issue);
  const std::string commit = causality.commit ? toString(*causality.commit) : "0";
  return fmt::format("acyclic (({})* ; ({})* ; ({}))", issue, commit, with("rfe", causality.barrier));
}

// What the exploration needs of a model with dependencies. It takes proofs (prove/requirements.h); those of the models that come
// with Heddle are tests.
std::vector<Requirement> requirementsWithDependencies(const Model& model) {
  const std::string why = model.builtin ? "proved of this model" : "not proved";
  return {{"a causal order without cycles", model.builtin, why, causalOrderAxiom(model.causality)},
          {"coherence of each location", model.builtin, why, "irreflexive (po ; (rf | co | rb)+)"},
          {"atomic read-modify-writes", model.builtin, why, "empty rmw & (rb ; co)"},
          {"prefix-closed", true, "every operator that is accepted with dependencies is monotone"}};
}

template <class Passes>
bool everyStep(const Automaton& automaton, const Passes& passes) {
  return std::ranges::all_of(automaton.transitions,
                             [&](const auto& transitions) { return std::ranges::all_of(transitions, passes); });
}

// Do rf, co and rb alone make up the relation?
bool connectsAccesses(const Automaton& relation) {
  return everyStep(relation, [&](const Transition& t) {
    if (t.letter == Letter::filtered) return connectsAccesses(*relation.filtered[t.filtered].relation);
    return t.letter == Letter::co || t.letter == Letter::rb || t.letter == Letter::rf || infoOf(t.letter).within == Letter::rf;
  });
}

// Does the relation lead along po | rf alone, of which no graph has a cycle? What rf, co and rb connect within a thread is in
// program order, as coherence is kept: so are detour and rdw of machines, (coe ; rfe) & int and (rbe ; rfe) & int.
bool holdsOfEveryGraph(const Automaton& relation) {
  return everyStep(relation, [&](const Transition& t) {
    if (t.letter != Letter::filtered) return t.letter != Letter::co && t.letter != Letter::rb;
    const FilteredRelation& part = relation.filtered[t.filtered];
    return holdsOfEveryGraph(*part.relation) || (part.filter == Filter::sameThread && connectsAccesses(*part.relation));
  });
}

CycleAxiom searchOf(const Axiom& axiom, const RegexPtr& relation, const Automaton& automaton) {
  const Form form = axiom.kind == AxiomKind::irreflexive ? Form::singleCycles : Form::cycles;
  const ClassSet strict = form == Form::cycles ? strictAccesses(automaton) : ClassSet();
  return {axiom.name, toString(*axiom.expr), cyclesOf(relation, form), strict};
}

// The model has another axiom of this kind, by which views are kept.
CycleAxiom searchForCoherence(const Axiom& axiom) {
  const RegexPtr relation = toRegex(*axiom.expr);
  return searchOf(axiom, relation, toAutomaton(relation));
}

}  // namespace

CompiledAxiom compileAxiom(const Axiom& axiom, bool asksForCoherence) {
  CompiledAxiom result;
  const RegexPtr relation = toRegex(*axiom.expr);
  const Automaton automaton = toAutomaton(relation);
  if (!automaton.accept[0].empty()) {
    throw CatError(axiom.position, fmt::format("axiom `{}` forbids every event by itself: its relation contains the "
                                               "identity on some events, so it can never hold",
                                               axiom.name));
  }
  result.forbidsLoadBuffering = forbidsLoadBuffering(automaton, axiom.kind);
  result.impliesCoherence = asksForCoherence && impliesCoherence(axiom, relation, automaton);
  if (const auto h = coherenceRelation(axiom, automaton)) result.coherence = viewRelation(*h);
  if (!result.coherence && !holdsOfEveryGraph(automaton)) result.search = searchOf(axiom, relation, automaton);
  return result;
}

namespace {

RegexPtr orNever(const ExprPtr& relation) { return relation ? toRegex(*relation) : never(); }

// The same where control ends. The edges of `ctrl` lead to the first event of a branch, and from there on to all later ones
// (graph/dependency_edges.h); here each event has its own.
RegexPtr withControlThatEnds(const RegexPtr& regex) {
  const auto isOf = [](const RegexPtr& part, Letter which) { return part->kind == RegexKind::letter && part->letter == which; };
  const auto each = [&](RegexPtr (*join)(RegexPtr, RegexPtr)) {
    RegexPtr all;
    for (std::size_t i = 0; i < regex->args.size(); ++i) {
      const RegexPtr& arg = regex->args[i];
      const bool goesOn = regex->kind == RegexKind::sequence && i > 0 && isOf(regex->args[i - 1], Letter::ctrl) &&
                          arg->kind == RegexKind::star && isOf(arg->args[0], Letter::poi);
      if (goesOn) continue;
      const RegexPtr part = withControlThatEnds(arg);
      all = all ? join(std::move(all), part) : part;
    }
    return all;
  };
  switch (regex->kind) {
    case RegexKind::unite: return each(unite);
    case RegexKind::sequence: return each(sequence);
    case RegexKind::star: return star(withControlThatEnds(regex->args[0]));
    default: return regex;
  }
}

// Paths of the causal order, without what leads to other threads by reads-from: (issue* ; commit* ; barrier)* ; issue* ; commit*.
// nullopt if program order across threads need not be in it.
//
// Where control ends, only what the model says is causal within a thread: ((commit* ; barrier)* ; commit*).
std::optional<Automaton> causalPaths(const Causality& causality, bool controlEnds) {
  const RegexPtr barrier = orNever(causality.barrier);
  const RegexPtr threads = test(classes::kThread);
  const Automaton barriers = toAutomaton(barrier);
  const bool ordered =
      includes(sequence(programOrder(), threads), barriers) && includes(sequence(threads, programOrder()), barriers);
  if (!ordered) return std::nullopt;
  if (controlEnds) {
    const RegexPtr toCommit = star(withControlThatEnds(orNever(causality.commit)));
    return toAutomaton(inSequence({test(classes::kRead), star(sequence(toCommit, barrier)), toCommit, test(classes::kWrite)}));
  }
  const RegexPtr control = sequence(letter(Letter::ctrl), star(letter(Letter::poi)));
  const RegexPtr issue = anyOf({letter(Letter::addr), letter(Letter::data), control, letter(Letter::rfi), letter(Letter::rmw),
                                orNever(causality.issue)});
  const RegexPtr toCommit = sequence(star(issue), star(orNever(causality.commit)));
  return toAutomaton(inSequence({test(classes::kRead), star(sequence(toCommit, barrier)), toCommit, test(classes::kWrite)}));
}

struct Requirements {
  Requirement causality{"no cycle in po | rf (load buffering)", false,
                        "no axiom forbids every cycle of po | rf; add `acyclic (po | rf)` if that is meant",
                        "acyclic (po | rf)"};
  Requirement atomicity{"atomic read-modify-writes", false, "there is no axiom `empty rmw & (rb ; co)`",
                        "empty rmw & (rb ; co)"};
  Requirement coherence{"coherence of each location", false,
                        "no axiom forbids what `irreflexive (po ; eco)` does, with `let eco = (rf | co | rb)+`",
                        "irreflexive (po ; (rf | co | rb)+)"};
};

void establish(Requirement& requirement, const Axiom& axiom) {
  requirement.established = true;
  requirement.why = fmt::format("axiom `{}`", axiom.name);
}

// What becomes of an axiom.
void addAxiom(const Axiom& axiom, const CompiledParts& parts, CompiledModel& result, Requirements& requirements) {
  if (isAtomicity(axiom)) return establish(requirements.atomicity, axiom);
  if (axiom.kind == AxiomKind::empty) {
    throw CatError(axiom.position,
                   fmt::format("`empty {}` is outside the accepted fragment: only `empty rmw & (rb ; co)` is; write "
                               "other axioms with acyclic or irreflexive",
                               toString(*axiom.expr)));
  }
  std::optional<CompiledAxiom> known = parts.axiom(axiom.kind, toString(*axiom.expr));
  CompiledAxiom compiled = known ? *std::move(known) : compileAxiom(axiom, !requirements.coherence.established);
  if (!requirements.causality.established && compiled.forbidsLoadBuffering) establish(requirements.causality, axiom);
  const bool keepsViews = compiled.coherence && !result.coherence;
  if (keepsViews || (!requirements.coherence.established && compiled.impliesCoherence)) {
    establish(requirements.coherence, axiom);
  }
  if (keepsViews) {
    result.coherence = std::move(compiled.coherence);
  } else if (compiled.coherence) {
    result.cycleAxioms.push_back(searchForCoherence(axiom));
  } else if (compiled.search) {
    result.cycleAxioms.push_back(*std::move(compiled.search));
    result.cycleAxioms.back().name = axiom.name;
  }
}

// Where views keep coherence, what it implies need not be searched for.
void leaveToCoherence(const Model& model, CompiledModel& compiled) {
  if (!compiled.coherence) return;
  for (CycleAxiom& search : compiled.cycleAxioms) {
    const auto isIt = [&](const Axiom& axiom) {
      return axiom.kind == AxiomKind::acyclic && axiom.name == search.name && toString(*axiom.expr) == search.text;
    };
    const auto axiom = std::ranges::find_if(model.axioms, isIt);
    if (axiom == model.axioms.end()) continue;
    const RegexPtr relation = withoutImpliedByCoherence(toRegex(*axiom->expr));
    search = searchOf(*axiom, relation, toAutomaton(relation));
  }
}

// For programs without load buffering.
void compileWithDependencies(const Model& model, const CompiledParts& parts, CompiledModel& result) {
  result.requirements = requirementsWithDependencies(model);
  CompiledModel compiled = result;
  try {
    Requirements requirements;
    compiled.happensBefore = happensBeforeOf(model, parts);
    for (const Axiom& axiom : model.axioms) addAxiom(axiom, parts, compiled, requirements);
    if (requirements.atomicity.established && requirements.coherence.established) {
      compiled.pathsInThread = causalPaths(model.causality, model.controlEnds);
      if (compiled.pathsInThread && compiled.pathsInThread->states() > 64) compiled.pathsInThread.reset();
    }
    leaveToCoherence(model, compiled);
  } catch (const CatError&) {
    return;  // what automata cannot express is left to src/causal
  }
  if (compiled.pathsInThread) result = std::move(compiled);
}

}  // namespace

bool CompiledModel::requirementsEstablished() const {
  return std::all_of(requirements.begin(), requirements.end(), [](const Requirement& r) { return r.established; });
}

CompiledModel toEvaluate(const Model& model, const std::string& why) {
  CompiledModel result;
  result.name = model.name;
  result.file = model.file;
  result.builtin = model.builtin;
  result.source = [model] { return model; };
  result.evaluated = true;
  result.requirements = {
      {"evaluated on every complete execution of a litmus test", true, why, ""},
      {"what is assumed of the model", true, "nothing: executions are enumerated without it, and then it is asked", ""},
      {"what it costs", true, "time that grows with the product of all choices, so it is for litmus tests only", ""}};
  return result;
}

CompiledModel compile(const Model& model, const CompiledParts& parts) {
  if (!model.evaluatedBecause.empty()) return toEvaluate(model, model.evaluatedBecause);
  if (hasDependencies(model) && hasRecursion(model)) {
    return toEvaluate(model, "a recursive relation, in a model with dependencies");
  }
  CompiledModel result;
  result.name = model.name;
  result.file = model.file;
  result.builtin = model.builtin;
  result.source = [model] { return model; };
  result.hasDependencies = hasDependencies(model);
  result.controlEnds = model.controlEnds;
  if (result.hasDependencies) {
    compileWithDependencies(model, parts, result);
    return result;
  }
  result.happensBefore = happensBeforeOf(model, parts);
  result.mixedSizes = model.mixedSizes;
  Requirements requirements;
  for (const Axiom& axiom : model.axioms) {
    if (model.mixedSizes) checkLiftable(*axiom.expr);
    addAxiom(axiom, parts, result, requirements);
  }
  auto& [causality, atomicity, coherence] = requirements;
  result.requirements = {causality,
                         coherence,
                         atomicity,
                         {"prefix-closed", true, "every operator of the accepted fragment is monotone"},
                         {"maximally extensible", true, "every relation goes forward from older to newer events"}};
  return result;
}

std::optional<CycleAxiom> restrictedTo(const CycleAxiom& axiom, ClassSet among) {
  Automaton automaton = restrictTo(axiom.automaton, among);
  if (automaton.states() == 0 || holdsOfEveryGraph(automaton)) return std::nullopt;
  const bool all = (among & classes::kAccess & ~axiom.strict).empty();
  const ClassSet strict = all ? classes::kAccess : axiom.strict & among;
  return CycleAxiom{axiom.name, axiom.text, std::move(automaton), strict};
}

std::vector<CycleAxiom> cycleAxioms(const CompiledModel& model, ClassSet programClasses) {
  std::vector<CycleAxiom> result;
  for (const CycleAxiom& axiom : model.cycleAxioms) {
    if (auto restricted = restrictedTo(axiom, programClasses)) result.push_back(*std::move(restricted));
  }
  return result;
}

namespace {

// Of filtered relations, po & int & loc alone is known of an event when it is added.
bool goesIntoViews(const Automaton& automaton) {
  const Automaton inThread = toAutomaton(plus(letter(Letter::poi)));
  for (const FilteredRelation& f : automaton.filtered) {
    if (f.filter != Filter::sameLocation || !included(*f.relation, inThread) || !included(inThread, *f.relation)) return false;
  }
  for (const auto& transitions : automaton.transitions) {
    for (const Transition& t : transitions) {
      if (t.letter != Letter::filtered && !infoOf(t.letter).inViews) return false;
    }
  }
  return true;
}

// All classes for states that are reached along program order only: what is in the view of such a state
// is in the complete view, too. None for the others.
std::vector<ClassSet> reachedInProgramOrder(const Automaton& automaton) {
  std::vector<ClassSet> result(automaton.states(), kAllClasses);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < automaton.states(); ++s) {
      for (const Transition& t : automaton.transitions[s]) {
        const bool inThread = t.letter == Letter::filtered || infoOf(t.letter).inProgramOrder;
        if ((inThread && !result[s].empty()) || result[t.to].empty()) continue;
        result[t.to] = {};
        changed = true;
      }
    }
  }
  return result;
}

// Drops from every other state the steps that state 0 has as well, at events of the classes by which it is covered.
void leaveToComplete(Automaton& automaton, const std::vector<ClassSet>& covered) {
  for (std::size_t s = 1; s < automaton.states(); ++s) {
    for (Transition& t : automaton.transitions[s]) {
      for (const Transition& u : automaton.transitions[0]) {
        if (u.letter == t.letter && u.to == t.to) t.guard &= ~(covered[s] & u.guard);
      }
    }
    std::erase_if(automaton.transitions[s], [](const Transition& t) { return t.guard.empty(); });
  }
}

// Is every edge of rf between the events of a program one of H, as where all its writes release and all its reads acquire? Then H
// is (po | rf)+ there. Those within a thread are in program order, and from initial writes there is nothing to take.
bool takesAllReadsFrom(const ViewPlan& plan, ClassSet programClasses) {
  const ClassSet writes = programClasses & classes::kWrite & ~classes::kInitial, reads = programClasses & classes::kRead;
  return std::ranges::any_of(plan.rules, [&](const ViewRule& rule) {
    const bool isRf = rule.letter == Letter::rf || rule.letter == Letter::rfe;
    return isRf && rule.from == ViewPlan::kComplete && (writes & ~rule.guard).empty() && (reads & ~rule.completes).empty();
  });
}

}  // namespace

std::optional<ViewRelation> viewRelation(const RegexPtr& relation) {
  ViewRelation result{.isPorf = false, .automaton = toAutomaton(relation)};
  if (!goesIntoViews(result.automaton)) return std::nullopt;
  if (!includes(programOrder(), result.automaton)) return std::nullopt;
  if (!includes(sequence(relation, relation), result.automaton)) return std::nullopt;
  result.isPorf = includes(plus(unite(programOrder(), letter(Letter::rf))), result.automaton);
  return result;
}

ViewPlan planView(const ViewRelation& relation, ClassSet programClasses) {
  ViewPlan plan;
  if (relation.isPorf) {
    plan.isPorf = true;
    return plan;
  }
  Automaton automaton = mergeSameWords(restrictTo(relation.automaton, programClasses));
  // A word that could end here may as well be ended: what the complete view carries on from state 0 covers it. So may one
  // that is in H anyway.
  leaveToComplete(automaton, automaton.accept);
  leaveToComplete(automaton, reachedInProgramOrder(automaton));
  std::vector<int> slot(automaton.states(), ViewPlan::kNowhere);
  slot[0] = ViewPlan::kComplete;
  for (std::size_t s = 1; s < automaton.states(); ++s) {
    if (!automaton.transitions[s].empty()) slot[s] = static_cast<int>(plan.partial++);
  }
  for (std::size_t s = 0; s < automaton.states(); ++s) {
    for (const Transition& t : automaton.transitions[s]) {
      // The complete view always carries over in program order; that needs no rule.
      const bool plainOrder = s == 0 && t.letter == Letter::po && slot[t.to] == ViewPlan::kNowhere;
      if (plainOrder && !(automaton.accept[t.to] & programClasses).empty()) continue;
      plan.rules.push_back({t.letter, t.guard, slot[s], automaton.accept[t.to], slot[t.to]});
    }
  }
  return takesAllReadsFrom(plan, programClasses) ? ViewPlan{.isPorf = true, .partial = 0, .rules = {}} : plan;
}

ClassSet ViewPlan::reachedInLocation() const {
  ClassSet reached;
  for (const ViewRule& rule : rules) {
    if (rule.letter != Letter::filtered) continue;
    reached |= rule.completes;
    for (const ViewRule& next : rules) {
      if (next.from == rule.to) reached |= next.guard;
    }
  }
  return reached & classes::kAccess;
}

RegexPtr cpp20HappensBefore() {
  using namespace classes;
  const ClassSet release = ofOrder(Order::release) | ofOrder(Order::acq_rel) | ofOrder(Order::seq_cst);
  const ClassSet acquire = ofOrder(Order::acquire) | ofOrder(Order::acq_rel) | ofOrder(Order::seq_cst);
  const RegexPtr rf = letter(Letter::rf);
  const RegexPtr inThread = plus(letter(Letter::poi));
  const RegexPtr fence = test(kFence);
  const RegexPtr nothing = test(kAllClasses);
  const RegexPtr synchronizes = inSequence({test(release), unite(nothing, sequence(fence, inThread)), test(kWrite & ~kPlain),
                                            star(sequence(rf, letter(Letter::rmw))), rf, test(kRead & ~kPlain),
                                            unite(nothing, sequence(inThread, fence)), test(acquire)});
  return plus(unite(programOrder(), synchronizes));
}

}  // namespace heddle::model
