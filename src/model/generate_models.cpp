// Compiled models as C++ source: one function for each, which makes the values member by member. And their parts: what each axiom,
// and each relation by which races are judged, comes to, for models from files that have the same.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "model/generate.h"

namespace heddle::model {

namespace {

std::string setText(ClassSet set) { return fmt::format("ClassSet::ofHalves({:#x}, {:#x})", set.high(), set.low()); }

std::string transition(const Transition& t) {
  return fmt::format("{{{}, Letter{{{}}}, {}, {}, {}}}", setText(t.guard), static_cast<int>(t.letter), t.filtered, t.wrap,
                     t.to);
}

std::string automatonText(const Automaton& automaton) {
  std::string transitions, accept, filtered;
  for (const auto& ofState : automaton.transitions) {
    transitions += "{";
    for (const Transition& t : ofState) transitions += transition(t) + ", ";
    transitions += "}, ";
  }
  for (const ClassSet set : automaton.accept) accept += setText(set) + ", ";
  for (const FilteredRelation& f : automaton.filtered) {
    filtered += fmt::format("{{std::make_shared<Automaton>({}), Filter{{{}}}}}, ", automatonText(*f.relation),
                            static_cast<int>(f.filter));
  }
  return fmt::format("Automaton{{Form{{{}}}, {{{}}}, {{{}}}, {{{}}}}}", static_cast<int>(automaton.form), transitions, accept,
                     filtered);
}

std::string viewText(const ViewRelation& view) {
  return fmt::format("ViewRelation{{{}, {}}}", view.isPorf, automatonText(view.automaton));
}

std::string axiomText(const CycleAxiom& axiom) {
  return fmt::format("CycleAxiom{{{:?}, {:?}, {}, {}}}", axiom.name, axiom.text, automatonText(axiom.automaton),
                     setText(axiom.strict));
}

std::string modelText(const std::string& builtin, const CompiledModel& model) {
  std::string text =
      fmt::format("  CompiledModel model;\n  model.name = {:?};\n  model.file = {:?};\n", model.name, model.file);
  text += fmt::format("  model.builtin = {};\n  model.mixedSizes = {};\n", model.builtin, model.mixedSizes);
  if (model.coherence) text += fmt::format("  model.coherence = {};\n", viewText(*model.coherence));
  text += fmt::format("  model.happensBefore = {};\n", viewText(model.happensBefore));
  for (const CycleAxiom& axiom : model.cycleAxioms) {
    text += fmt::format("  model.cycleAxioms.push_back({});\n", axiomText(axiom));
  }
  text += fmt::format("  model.source = [] {{ return loadModel({:?}); }};\n", builtin);
  text += fmt::format("  model.hasDependencies = {};\n  model.evaluated = {};\n", model.hasDependencies, model.evaluated);
  if (model.pathsInThread) text += fmt::format("  model.pathsInThread = {};\n", automatonText(*model.pathsInThread));
  for (const Requirement& r : model.requirements) {
    text += fmt::format("  model.requirements.push_back({{{:?}, {}, {:?}, {:?}}});\n", r.what, r.established, r.why, r.axiom);
  }
  return text + "  return model;\n";
}

std::string partText(const CompiledAxiom& axiom) {
  return fmt::format("CompiledAxiom{{{}, {}, {}, {}}}", axiom.forbidsLoadBuffering, axiom.impliesCoherence,
                     axiom.coherence ? viewText(*axiom.coherence) : "std::nullopt",
                     axiom.search ? axiomText(*axiom.search) : "std::nullopt");
}

// The functions of CompiledParts.
std::string partsText(const std::vector<std::pair<std::string, CompiledModel>>& models) {
  std::set<std::string> known;  // tests that have been written
  std::string axioms, views;
  const auto add = [&](std::string& to, const std::string& test, const auto& part) {
    if (known.insert(test).second) to += fmt::format("  if ({}) return {};\n", test, part());
  };
  for (const auto& [name, model] : models) {
    if (model.hasDependencies || model.evaluated) continue;  // the latter's axioms, written out, may be of any length
    const Model source = model.source();
    for (const Axiom& axiom : source.axioms) {
      if (isAtomicity(axiom)) continue;
      add(axioms, fmt::format("kind == AxiomKind{{{}}} && text == {:?}", static_cast<int>(axiom.kind), toString(*axiom.expr)),
          [&] { return partText(compileAxiom(axiom, true)); });
    }
    add(views, fmt::format("text == {:?}", source.happensBefore ? toString(*source.happensBefore) : ""),
        [&] { return viewText(model.happensBefore); });
  }
  return "std::optional<CompiledAxiom> axiomOf(AxiomKind kind, const std::string& text) {\n" + axioms +
         "  return std::nullopt;\n}\n\nstd::optional<ViewRelation> viewsOf(const std::string& text) {\n" + views +
         "  return std::nullopt;\n}\n\n";
}

}  // namespace

std::string generateModels(const std::vector<std::pair<std::string, CompiledModel>>& models) {
  std::string functions, table;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto& [name, model] = models[i];
    functions += fmt::format("// models/{}.cat\nCompiledModel model{}() {{\n{}}}\n\n", name, i, modelText(name, model));
    table += fmt::format("  if (name == {:?}) return model{}();\n", name, i);
  }
  return "// Generated from models/*.cat when Heddle is built; see model/generate.h.\n"
         "#include <stdexcept>\n\n#include \"model/library.h\"\n\nnamespace heddle::model {\n\nnamespace {\n\n" +
         functions + partsText(models) +
         "}  // namespace\n\nconst CompiledParts kBuiltinParts = {axiomOf, viewsOf};\n\nCompiledModel "
         "compiledModel(std::string_view name) {\n" +
         table + "  throw std::logic_error(\"no built-in model of this name\");\n}\n\n}  // namespace heddle::model\n";
}

}  // namespace heddle::model
