#include "prove/requirements.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/cat.h"
#include "prove/insert_fence.h"
#include "prove/kat.h"
#include "trace/words.h"

namespace heddle::prove {

namespace {

// The model against one whose text is given.
RequirementAnswer implies(const model::Model& model, const std::string& what, const std::string& axioms,
                          const ProverLimits& limits) {
  // What is true of all programs: a branch is for ever, and a read-modify-write is a loop that tries until it succeeds. In
  // assembly it is not; there the causal order does not tie its halves to each other (causal/causal_order.h), and they are a read
  // and a write like others.
  const std::string programs = "assume ctrl ; (po & int) <= ctrl\nassume rmw ; (po & int) <= ctrl\n";
  QueryFile query =
      parseQuery((hasDependencies(model) ? programs : "") + "model required\n" + axioms + "\nend\n", "requirement");
  query.models["model"] = model;
  const Claim claim{.kind = ClaimKind::stronger,
                    .left = {},
                    .right = {},
                    .leftModel = "model",
                    .rightModel = "required",
                    .mapping = {},
                    .without = {},
                    .name = {},
                    .assumptions = query.assumptions.size(),
                    .text = {},
                    .position = {}};
  const Answer answer = decide(query, claim, limits);
  std::string why = fmt::format("the axioms imply `{}`", axioms);
  if (answer.verdict == Verdict::refuted) why = fmt::format("it allows {}", answer.counterexample->word);
  if (answer.verdict == Verdict::undecided) why = answer.reasons.empty() ? "" : answer.reasons.front();
  return {what, answer.verdict, why};
}

RequirementAnswer saved(const model::Model& model, const ProverLimits& limits) {
  const model::ExprPtr hb = model.definition("hb");
  const std::string what = "saved relation hb inside (po | rf)+";
  if (hb == nullptr || hb->type != model::ExprType::relation) return {what, Verdict::proved, "the model defines no hb"};
  QueryFile query = parseQuery("assert (po | rf)+ <= (po | rf)+\n", "requirement");
  Claim claim = query.claims[0];
  claim.left = hb;
  const Answer answer = decide(query, claim, limits);
  const std::string why = answer.verdict == Verdict::proved    ? "every word of hb is one of (po | rf)+"
                          : answer.verdict == Verdict::refuted ? "not inside: " + answer.counterexample->word
                                                               : answer.reasons.front();
  return {what, answer.verdict, why};
}

bool mentionsThreads(const Kat& term) {
  if (term.kind == KatKind::filter && (term.filter == Filter::sameThread || term.filter == Filter::otherThread)) return true;
  if (term.kind == KatKind::letters) {
    for (const LetterSet both : {kRf, kCo, kRb}) {
      if ((term.letters & both) != 0 && (term.letters & both) != both) return true;
    }
  }
  return std::any_of(term.args.begin(), term.args.end(), [](const KatPtr& arg) { return mentionsThreads(*arg); });
}

// Does a stronger order keep an event in every test?
bool upwardClosed(const Cells& test) {
  static const std::pair<Order, Order> kStronger[] = {{Order::relaxed, Order::acquire}, {Order::relaxed, Order::release},
                                                      {Order::acquire, Order::acq_rel}, {Order::release, Order::acq_rel},
                                                      {Order::acquire, Order::seq_cst}, {Order::release, Order::seq_cst},
                                                      {Order::acq_rel, Order::seq_cst}};
  for (const auto& [weak, strong] : kStronger) {
    for (const EventKind kind : {EventKind::read, EventKind::write, EventKind::fence}) {
      for (const bool rmw : {false, true}) {
        const bool single = kind == EventKind::fence ? rmw : false;
        const bool noLoad = kind == EventKind::read && !rmw && (strong == Order::release || strong == Order::acq_rel);
        const bool noStore = kind == EventKind::write && !rmw && (strong == Order::acquire || strong == Order::acq_rel);
        if (single || noLoad || noStore) continue;
        if (test[eventClass(kind, weak, rmw)] && !test[eventClass(kind, strong, rmw)]) return false;
      }
    }
  }
  return true;
}

RequirementAnswer insertedFence(const model::Model& model, Order order, const ProverLimits& limits) {
  const Answer answer = mayInsertFence(model, order, limits);
  const std::string why = answer.verdict == Verdict::proved    ? "no axiom's relation has more pairs without the fence"
                          : answer.verdict == Verdict::refuted ? "a fence makes it allow " + answer.counterexample->word
                                                               : answer.reasons.front();
  return {fmt::format("monotone under inserted {} fences", trace::orderName(order)), answer.verdict, why,
          answer.counterexample};
}

// The events that the relation of a term has a loop on without any step: [S], r?, r*.
Cells loops(const Kat& term) {
  switch (term.kind) {
    case KatKind::never:
    case KatKind::letters: return {};
    case KatKind::test: return term.test;
    case KatKind::star: return allCells();
    case KatKind::unite: return loops(*term.args[0]) | loops(*term.args[1]);
    case KatKind::sequence: return loops(*term.args[0]) & loops(*term.args[1]);
    case KatKind::filter: break;
  }
  const Cells inner = loops(*term.args[0]);
  const Cells accesses = cellsOfClasses(classes::kRead | classes::kWrite);
  switch (term.filter) {
    case Filter::sameThread: return inner;
    case Filter::otherThread: return {};
    case Filter::sameLocation: return inner & accesses;
    case Filter::otherLocation: return inner & ~accesses;
  }
  return inner;
}

}  // namespace

std::vector<RequirementAnswer> requirements(const model::Model& model, const ProverLimits& limits) {
  std::vector<RequirementAnswer> result;
  result.push_back(implies(model, "no load buffering", "acyclic po | rf", limits));
  result.push_back(implies(model, "no out-of-thin-air values", "acyclic addr | data | ctrl | rf", limits));
  result.push_back(implies(model, "coherence of each location", "irreflexive po ; (rf | co | rb)+", limits));
  result.push_back(implies(model, "atomic read-modify-writes", "empty rmw & (rb ; co)", limits));

  std::string outside;
  bool threads = false;
  bool strengthening = true;
  std::string blocking;  // an axiom that can forbid an event by itself
  const Vocabulary vocabulary;
  for (const model::Axiom& axiom : model.axioms) {
    try {
      const bool atomic = axiom.kind == model::AxiomKind::empty && meetsReadModifyWrite(*axiom.expr) != nullptr;
      if (axiom.kind == model::AxiomKind::empty && !atomic) blocking = axiom.name;
      if (axiom.expr->type == model::ExprType::set) continue;
      const KatPtr term = toKat(atomic ? *meetsReadModifyWrite(*axiom.expr) : *axiom.expr, vocabulary);
      threads |= mentionsThreads(*term);
      if (!atomic && loops(*term).any()) blocking = axiom.name;
      std::vector<Cells> tests;
      collectTests(*term, tests);
      strengthening &= std::all_of(tests.begin(), tests.end(), upwardClosed);
    } catch (const model::CatError&) {
      outside = axiom.name;
    }
  }
  const auto structural = [&](const std::string& what, bool holds, const std::string& yes, const std::string& no) {
    if (!outside.empty()) {
      result.push_back({what, Verdict::undecided, fmt::format("axiom {} is outside the fragment", outside)});
    } else {
      result.push_back({what, holds ? Verdict::proved : Verdict::undecided, holds ? yes : no});
    }
  };
  structural("prefix-closed", true, "every operator is monotone, so fewer events have smaller relations", "");
  structural("maximally extensible", blocking.empty(), "no relation leaves an event that is added last",
             fmt::format("axiom {} can forbid an event by itself", blocking));
  result.push_back(saved(model, limits));
  structural("monotone under stronger orders", strengthening, "every test keeps an event whose order is strengthened",
             "some test loses an event whose order is strengthened");
  structural("monotone under merging threads", !threads, "no axiom tells internal from external communication",
             "an axiom tells internal from external communication");
  for (const Order order : {Order::acquire, Order::release, Order::acq_rel, Order::seq_cst}) {
    result.push_back(insertedFence(model, order, limits));
  }
  return result;
}

std::vector<std::string> establish(model::CompiledModel& compiled, const model::Model& model) {
  const ProverLimits limits{.seconds = 3};
  std::vector<std::string> proved;
  for (model::Requirement& requirement : compiled.requirements) {
    if (requirement.established || requirement.axiom.empty()) continue;
    const RequirementAnswer answer = implies(model, requirement.what, requirement.axiom, limits);
    if (answer.verdict == Verdict::refuted) requirement.why += "; " + answer.why;
    if (answer.verdict != Verdict::proved) continue;
    requirement.established = true;
    requirement.why = answer.why + ", in programs whose threads all exist from the beginning";
    proved.push_back(requirement.what);
  }
  return proved;
}

}  // namespace heddle::prove
