#include "model/generate.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

namespace heddle::model {

const std::vector<ClassSet>& generatedProfiles() {
  // Of classes that have the same numbers in every program, so that a set of them is a constant.
  constexpr ClassSet kFixed = ClassSet::range(0, kFixedClasses);
  static const std::vector<ClassSet> kProfiles = {kFixed & ~classes::kFence, kFixed};
  return kProfiles;
}

namespace {

std::string identifier(const std::string& name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) {
      upper = true;
      continue;
    }
    result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return result;
}

std::string follow(const Transition& t) {
  const std::string add = fmt::format("steps.add(next, {}, {})", t.to, t.wrap);
  if (t.letter == Letter::filtered) {
    return fmt::format("for (const EventId next : follow{}(graph, id)) {};", t.filtered, add);
  }
  return fmt::format("edges::{}(graph, id, [&](EventId next) {{ {}; }});", infoOf(t.letter).name, add);
}

// The type of an automaton's edges, after those of the relations that its filtered letters use.
std::string edgesType(const std::string& name, const std::string& comment, const Automaton& automaton) {
  std::string text;
  for (std::size_t i = 0; i < automaton.filtered.size(); ++i) {
    text += edgesType(fmt::format("{}Part{}", name, i), fmt::format("The relation that letter {} of {} filters.", i, name),
                      *automaton.filtered[i].relation);
  }
  text += fmt::format("// {}\nclass {} {{\n public:\n", comment, name);
  text += fmt::format("  static constexpr unsigned states() {{ return {}; }}\n", automaton.states());
  if (automaton.form == Form::words) {
    text += "  static bool accepts(unsigned state, EventClass cls) {\n";
    text += "    static constexpr ClassMask kAccept[] = {";
    for (const ClassSet accept : automaton.accept) text += fmt::format("{:#x}, ", fixedMask(accept));
    text += "};\n    return contains(kAccept[state], cls);\n  }\n";
  }
  text += "\n  void successors(const Graph& graph, EventId id, unsigned state, ProductEdges& steps) const {\n";
  text += "    const EventClass cls = graph[id].cls;\n    switch (state) {\n";
  for (std::size_t s = 0; s < automaton.states(); ++s) {
    text += fmt::format("      case {}:\n", s);
    for (const Transition& t : automaton.transitions[s]) {
      text +=
          fmt::format("        if (contains({:#x}, cls)) {}  // {}\n", fixedMask(t.guard), follow(t), toString(t, automaton));
    }
    text += "        break;\n";
  }
  text += "      default: break;\n    }\n  }\n";
  if (!automaton.filtered.empty()) {
    text += "\n private:\n";
    for (std::size_t i = 0; i < automaton.filtered.size(); ++i) {
      text += fmt::format("  std::vector<EventId> follow{0}(const Graph& graph, EventId from) const {{\n"
                          "    return search{0}_.follow(graph, part{0}_, model::Filter::{2}, from);\n  }}\n"
                          "  {1}Part{0} part{0}_;\n  mutable FilteredSearch<{1}Part{0}> search{0}_;\n",
                          i, name, infoOf(automaton.filtered[i].filter).name);
    }
  }
  return text + "};\n\n";
}

}  // namespace

std::string generateSearches(const std::vector<CompiledModel>& models) {
  std::string types, table;
  std::set<std::string> known;  // tests that have been written: models share axioms
  for (const CompiledModel& model : models) {
    if (model.hasDependencies) continue;  // power has an automaton of hundreds of states
    for (std::size_t profile = 0; profile < generatedProfiles().size(); ++profile) {
      for (const CycleAxiom& axiom : cycleAxioms(model, generatedProfiles()[profile])) {
        const std::string test = fmt::format("profile == {} && axiom.automaton.form == model::Form{{{}}} && axiom.text == {:?}",
                                             profile, static_cast<int>(axiom.automaton.form), axiom.text);
        if (!known.insert(test).second) continue;
        const std::string name = identifier(model.name) + identifier(axiom.name) + (profile == 0 ? "WithoutFences" : "");
        const bool irreflexive = axiom.automaton.form == Form::singleCycles;
        types += edgesType(
            name,
            fmt::format("{}, axiom {}{}: {} {}", model.name, axiom.name, profile == 0 ? ", programs without fences" : "",
                        irreflexive ? "irreflexive" : "acyclic", axiom.text),
            axiom.automaton);
        table += fmt::format("  if ({}) {{\n    return std::make_unique<ProductSearch<{}>>({}(), axiom, classes);\n  }}\n",
                             test, name, name);
      }
    }
  }
  return "// Generated from models/*.cat when Heddle is built; see model/generate.h.\n"
         "#include \"explore/cycle_search.h\"\n\nnamespace heddle::explore {\n\nnamespace {\n\n" +
         types +
         "}  // namespace\n\nstd::unique_ptr<CycleSearch> generatedSearch(std::size_t profile, const model::CycleAxiom& "
         "axiom,\n"
         "                                             const ProgramClasses& classes) {\n" +
         table + "  return nullptr;\n}\n\n}  // namespace heddle::explore\n";
}

}  // namespace heddle::model
