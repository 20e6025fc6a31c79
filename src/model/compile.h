// From a model's axioms to what the explorer runs.
//
// Three kinds of axioms never reach a search:
//   - coherence, `irreflexive (H ; eco)` (or `acyclic (po-loc | rf | co | rb)`, where H is po), is kept by views:
//     H as a vector clock of every event, made when the event is added (thesis 9.3.2, "saved" relations);
//   - atomicity, `empty rmw & (rb ; co)`, is kept by placing the write of a read-modify-write right after the
//     write it read from;
//   - an axiom that only forbids po | rf cycles holds of every graph that TruSt builds.
// Every other axiom becomes an automaton whose cycles are searched for in the product with the graph.
//
// Compilation also establishes what TruSt needs of a model (TruSt section 3.1), and says which part could not be.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/ast.h"
#include "model/automaton.h"

namespace heddle::model {

// How the view of a relation H with po <= H and H;H <= H is computed when an event is added. The complete view
// holds the event itself and its H-predecessors; a partial view holds what would be H-before the event if the word
// under way were completed, one for each automaton state that later events continue from (in C11: the view of the
// last release fence, the message of a write, the view acquired so far for a later acquire fence).
struct ViewRule {
  Letter letter;       // the edge by which the contribution arrives: po, rf, rfe, rfi, rmw; filtered: po & int & loc
  ClassSet guard;      // of the event it comes from
  int from;            // partial view there, or kComplete
  ClassSet completes;  // at events of these classes it joins the complete view
  int to;              // the partial view that it joins, or kNowhere
  bool operator==(const ViewRule&) const = default;
};

struct ViewPlan {
  static constexpr int kComplete = -1;
  static constexpr int kNowhere = -2;
  bool isPorf = false;   // H is (po | rf)+: the porf clock serves
  unsigned partial = 0;  // how many partial views
  std::vector<ViewRule> rules;

  unsigned views() const { return isPorf ? 0 : 1 + partial; }
  // The accesses that rules of po & int & loc say something about: those from whose views something follows.
  ClassSet reachedInLocation() const;
  bool operator==(const ViewPlan&) const = default;
};

// A relation H of which views can be kept: po <= H and H;H <= H, and its words are of edges that are known when an event
// is added, and of po & int & loc.
struct ViewRelation {
  bool isPorf = false;  // H is (po | rf)+
  Automaton automaton;  // of H, for programs of every class
};

// An axiom that is left to a search.
struct CycleAxiom {
  std::string name;
  std::string text;      // the relation, for people
  Automaton automaton;   // of its forbidden cycles
  ClassSet strict = {};  // accesses: every cycle of po and of rf, co and rb between them is a forbidden one
};

// Where a requirement of the exploration comes from, or why it could not be established.
struct Requirement {
  std::string what;
  bool established = false;
  std::string why;
  std::string axiom = "";  // that says it, in the language of models; empty if none can
};

struct CompiledModel {
  std::string name;
  std::string file;
  bool builtin = false;                   // comes with Heddle
  bool interpreted = false;               // use no generated searches (generate.h), to compare or measure
  std::optional<ViewRelation> coherence;  // H of the coherence axiom
  ViewRelation happensBefore;             // by which data races are judged: the model's own, or C++20's
  std::vector<CycleAxiom> cycleAxioms;    // for programs of every class
  std::function<Model()> source;          // as it is written: needed where sizes are mixed, and for dependencies
  bool hasDependencies = false;           // it may allow load buffering: explored by src/causal
  // With dependencies, paths of the causal order within a thread, from a read to where others may see a write. Programs without
  // load buffering are explored like those of other models (explore/thread_causality.h); nullopt if that cannot be. At most 64 states.
  std::optional<Automaton> pathsInThread;
  bool controlEnds = false;  // a branch orders nothing after the code that depends on it
  bool evaluated = false;    // on complete executions only: by src/enumerate, and not compiled further
  bool mixedSizes = false;   // the model says what accesses of different sizes to the same bytes mean
  std::vector<Requirement> requirements;

  bool requirementsEstablished() const;
};

// What an axiom comes to by itself, whatever else the model says.
struct CompiledAxiom {
  bool forbidsLoadBuffering = false;      // every cycle of po | rf
  bool impliesCoherence = false;          // of each location
  std::optional<ViewRelation> coherence;  // it is `irreflexive (H ; eco)`, and views of H can be kept
  std::optional<CycleAxiom> search;       // if not: what is to be searched for; nothing if it holds of every graph
};

// `impliesCoherence` is found out only if somebody asks for it.
CompiledAxiom compileAxiom(const Axiom& axiom, bool asksForCoherence);

// What has been compiled before, by its text (toString).
struct CompiledParts {
  std::optional<CompiledAxiom> (*axiom)(AxiomKind kind, const std::string& text);
  std::optional<ViewRelation> (*views)(const std::string& text);
};
inline constexpr CompiledParts kNothingCompiled = {[](AxiomKind, const std::string&) { return std::optional<CompiledAxiom>(); },
                                                   [](const std::string&) { return std::optional<ViewRelation>(); }};

// Throws CatError for what automata cannot follow, unless the text shows that the model is to be evaluated.
CompiledModel compile(const Model& model, const CompiledParts& parts = kNothingCompiled);

// Is it `empty rmw & (rb ; co)`, external or not?
bool isAtomicity(const Axiom& axiom);

// A model that comes with Heddle, for programs with store-exclusives: only other threads' writes come between the halves of a
// read-modify-write. Of one instruction coherence says as much.
Model forExclusives(Model model);

// A model that says nothing of rmw is for tools in which a read-modify-write is one event. So nothing may come in between.
Model withAtomicity(Model model);

// The model, to be evaluated on complete executions for this reason.
CompiledModel toEvaluate(const Model& model, const std::string& why);

// nullopt if no views can be kept of the relation.
std::optional<ViewRelation> viewRelation(const RegexPtr& relation);

// The view plan of H for a program whose events have these classes.
ViewPlan planView(const ViewRelation& relation, ClassSet programClasses);

// C++20's happens-before, by which data races are judged under models that do not say `races-by`.
RegexPtr cpp20HappensBefore();

// The axioms that remain to be searched for a program whose events have these classes. If it has no accesses that are not
// strict, all are.
std::vector<CycleAxiom> cycleAxioms(const CompiledModel& model, ClassSet programClasses);

// An axiom for events of these classes only; nullopt if they cannot break it.
std::optional<CycleAxiom> restrictedTo(const CycleAxiom& axiom, ClassSet classes);

}  // namespace heddle::model
