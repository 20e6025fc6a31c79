#include "cli/prove_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/models.h"
#include "cli/result_files.h"
#include "cli/terminal.h"
#include "litmus/test.h"
#include "model/cat.h"
#include "model/library.h"
#include "prove/execution.h"
#include "prove/litmus.h"
#include "prove/mapping.h"
#include "prove/prover.h"
#include "prove/requirements.h"
#include "prove/transform.h"
#include "report/collect.h"
#include "report/text.h"
#include "run/run_litmus.h"
#include "trace/formats/formats.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

using prove::Answer;
using prove::Claim;
using prove::QueryFile;
using prove::Verdict;

const char* wordOf(Verdict verdict) {
  return verdict == Verdict::proved ? "proved" : verdict == Verdict::refuted ? "refuted" : "not decided";
}

Verdict expectedOf(const Claim& claim) {
  switch (claim.expected) {
    case prove::Expected::proved: return Verdict::proved;
    case prove::Expected::refuted: return Verdict::refuted;
    case prove::Expected::undecided: break;
  }
  return Verdict::undecided;
}

// A refutation of a claim about two models, as programs: the execution is allowed by `allows` and not by `forbids`.
// They are one program, unless a compilation scheme makes the second into the first.
struct Refutation {
  std::string allows, forbids;  // the models, as the query names them
  std::string compiled;         // the litmus test that `allows` allows; empty if there is none
  std::string source;           // the litmus test that `forbids` forbids
};

Refutation refutationOf(const QueryFile& query, const Claim& claim, const Answer& answer) {
  prove::View source = prove::View::plain(query.sets, query.relations);
  prove::View machine = source;
  if (!claim.mapping.empty()) {
    source.inserted = false;
    machine.classes = prove::compileMapping(query.mappings.at(claim.mapping)).image;
  }
  const prove::Graph& graph = answer.counterexample->graph;
  const auto& axioms = query.models.at(claim.leftModel).axioms;
  const bool left =
      std::all_of(axioms.begin(), axioms.end(), [&](const model::Axiom& axiom) { return prove::holds(axiom, graph, machine); });
  Refutation result;
  result.allows = left ? claim.leftModel : claim.rightModel;
  result.forbids = left ? claim.rightModel : claim.leftModel;
  result.source = prove::litmusTest(graph, source, claim.name).value_or("");
  result.compiled = claim.mapping.empty() ? result.source : prove::litmusTest(graph, machine, claim.name).value_or("");
  return result;
}

// Is the execution that the litmus test asks for found by exploration? Nothing if the model cannot be explored.
std::optional<bool> isFound(const std::string& text, const model::Model& model) {
  try {
    model::CompiledModel compiled = model::compile(model);
    prove::establish(compiled, model);
    if (!compiled.requirementsEstablished()) return std::nullopt;
    const run::Outcome outcome = run::runLitmus(litmus::parseLitmus(text, "refutation.litmus"), compiled, {});
    if (!outcome.complete()) return std::nullopt;
    return outcome.positive > 0;
  } catch (const std::runtime_error&) {  // outside what models for exploration, or litmus tests, can say
    return std::nullopt;
  }
}

// What exploration says of a refutation; empty if it can say nothing. The proof search and the explorer share neither
// code nor method beyond the model's text, so a contradiction here is a bug in one of them.
std::string confirm(const QueryFile& query, const Refutation& refutation) {
  if (refutation.compiled.empty()) return "";
  const auto allowed = isFound(refutation.compiled, query.models.at(refutation.allows));
  const auto other = isFound(refutation.source, query.models.at(refutation.forbids));
  if (!allowed && !other) return "";
  if (allowed && !*allowed) {
    throw std::logic_error(
        fmt::format("exploration under {} does not find the execution that refutes the claim", refutation.allows));
  }
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (allowed) add(refutation.allows + " allows it");
  if (other) {
    add(refutation.forbids + (*other ? " has another execution with the same final state" : " does not allow it"));
  }
  if (!allowed) add(refutation.allows + " cannot be explored");
  if (!other) add(refutation.forbids + " cannot be explored");
  return text;
}

class ProveCommand {
 public:
  explicit ProveCommand(const Options& options) : options_(options) {}

  int run() {
    const bool ofModels = options_.requirements || options_.transform;
    results_.open(options_);
    json_[ofModels ? "models" : "assertions"] = nlohmann::json::array();
    for (const std::string& path : options_.paths) {
      try {
        ofModels ? runModel(path) : runQueries(path);
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::runtime_error& error) {
        badInput_ = true;
        std::fflush(stdout);
        fmt::print(stderr, "{}\n", error.what());
        json_["errors"].push_back({{"file", path}, {"message", error.what()}});
        if (!results_.empty()) collected_.push_back(report::resultOf("prove", report::BadFile{path, error.what()}));
      }
    }
    if (options_.json) fmt::print("{}\n", json_.dump(2));
    badInput_ |= !results_.write(collected_);
    if (badInput_) return kBadInput;
    return failed_ ? kErrorFound : undecided_ ? kIncomplete : kNoError;
  }

 private:
  void runQueries(const std::string& path) {
    const QueryFile query = prove::loadQuery(path);
    if (query.claims.empty()) throw InputError(fmt::format("{}: error: there is no `assert` in this file", path));
    for (const Claim& claim : query.claims) {
      const std::clock_t start = std::clock();
      const Answer answer = prove::decide(query, claim, limits());
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      if (answer.verdict != expectedOf(claim)) (answer.verdict == Verdict::undecided ? undecided_ : failed_) = true;
      report(query, claim, answer, seconds);
      if (!results_.empty()) collect(query, claim, answer, seconds);
    }
  }

  void collect(const QueryFile& query, const Claim& claim, const Answer& answer, double seconds) {
    report::Result result;
    result.command = "prove";
    result.name = claim.name;
    result.file = query.file;
    result.line = static_cast<unsigned>(claim.position.line);
    result.seconds = seconds;
    result.message = wordOf(answer.verdict);
    for (const std::string& reason : answer.reasons) result.details += fmt::format("because: {}\n", reason);
    if (answer.verdict != expectedOf(claim)) {
      const bool isUndecided = answer.verdict == Verdict::undecided;
      result.status = isUndecided ? report::Result::Status::undecided : report::Result::Status::failed;
      result.kind = "claim";
      result.message =
          fmt::format("{}: {}, but {} was expected", claim.text, wordOf(answer.verdict), wordOf(expectedOf(claim)));
    }
    if (answer.counterexample) {
      result.execution = prove::executionOf(answer.counterexample->graph, query.relations);
      result.details += fmt::format("counterexample: {}\n{}:\n{}", answer.counterexample->word, answer.counterexample->what,
                                    trace::onPage(result.execution, {}));
    }
    collected_.push_back(std::move(result));
  }

  void report(const QueryFile& query, const Claim& claim, const Answer& answer, double seconds) {
    const bool expected = answer.verdict == expectedOf(claim);
    const std::string where = fmt::format("{}:{}", query.file, claim.position.line);
    nlohmann::json entry{{"file", query.file},  {"line", claim.position.line},      {"name", claim.name},
                         {"claim", claim.text}, {"answer", wordOf(answer.verdict)}, {"expected", wordOf(expectedOf(claim))},
                         {"seconds", seconds},  {"reasons", answer.reasons},        {"warnings", answer.warnings}};
    say("{}: {}: {} ({:.2f} s){}\n  {}\n", where, claim.name, wordOf(answer.verdict), seconds,
        expected ? "" : fmt::format(", but {} was expected", wordOf(expectedOf(claim))), claim.text);
    for (const std::string& reason : answer.reasons) say("  because: {}\n", reason);
    for (const std::string& warning : answer.warnings) say("  warning: {}\n", warning);
    if (answer.counterexample) reportCounterexample(query, claim, answer, entry);
    json_["assertions"].push_back(std::move(entry));
    std::fflush(stdout);
  }

  void reportCounterexample(const QueryFile& query, const Claim& claim, const Answer& answer, nlohmann::json& entry) {
    const prove::Counterexample& found = *answer.counterexample;
    trace::Execution execution = prove::executionOf(found.graph, query.relations);
    execution.title = fmt::format("{}: {}: {}", claim.name, claim.text, found.what);
    addToEntry(found, execution, entry);
    if (!options_.quiet) {
      say("  counterexample: {}\n  {}:\n{}", found.word, found.what, drawn(execution));
    }
    const std::string stem = fs::path(query.file).stem().string() + "-" + claim.name;
    for (const trace::Format& format : trace::formats()) {
      const auto folder = options_.formats.find(format.name);
      if (folder == options_.formats.end()) continue;
      const std::string path =
          writeFile(folder->second, fmt::format("{}.{}", stem, format.name), format.inFile({&execution, 1}));
      say("  drawn in {}\n", path);
    }
    if (claim.leftModel.empty()) return;
    const Refutation refutation = refutationOf(query, claim, answer);
    if (!refutation.source.empty()) entry["litmus"] = refutation.source;
    if (!claim.mapping.empty() && !refutation.compiled.empty()) entry["compiled"] = refutation.compiled;
    if (const std::string exploration = confirm(query, refutation); !exploration.empty()) {
      entry["exploration"] = exploration;
      if (!options_.quiet) say("  by exploration: {}\n", exploration);
    }
    if (options_.litmusDirectory.empty()) return;
    if (refutation.source.empty()) {
      say("  no litmus test: the execution has dependencies or declared sets\n");
      return;
    }
    const std::string path = writeFile(options_.litmusDirectory, stem + ".litmus", refutation.source);
    say("  litmus test: {}\n", path);
    if (!claim.mapping.empty()) {
      say("  what it is compiled to: {}\n",
          writeFile(options_.litmusDirectory, stem + "-compiled.litmus", refutation.compiled));
    } else if (const std::string models = namesToCompare(query, claim); !models.empty()) {
      say("  to run it: heddle litmus --compare {} {}\n", models, path);
    }
  }

  static void addToEntry(const prove::Counterexample& found, const trace::Execution& execution, nlohmann::json& entry) {
    entry["word"] = found.word;
    entry["what"] = found.what;
    entry["graph"] = trace::onPage(execution, {});
    nlohmann::ordered_json shown;
    trace::addToObject(execution, shown);
    for (const auto& [key, value] : shown.items()) entry[key] = value;
  }

  static std::string drawn(const trace::Execution& execution) {
    return trace::onPage(execution, {util::Style(), pageWidth(STDOUT_FILENO)});
  }

  // The two models as the command line names them; empty if one is defined in the query itself.
  static std::string namesToCompare(const QueryFile& query, const Claim& claim) {
    std::string names;
    for (const std::string& name : {claim.leftModel, claim.rightModel}) {
      const model::Model& model = query.models.at(name);
      const fs::path beside = fs::path(query.file).parent_path() / model.file;
      if (model.file == query.file) return "";
      std::string shown = model.builtin ? fs::path(model.file).stem().string() : beside.string();
      if (!model.builtin && !fs::exists(beside)) return "";  // one that only comes with the prover
      names += (names.empty() ? "" : ",") + shown;
    }
    return names;
  }

  prove::ProverLimits limits() const {
    prove::ProverLimits limits;
    limits.seconds = options_.time;
    return limits;
  }

  template <typename... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (!options_.json) fmt::print(format, std::forward<Arguments>(arguments)...);
  }

  static std::string writeFile(const std::string& directory, const std::string& name, const std::string& text) {
    std::error_code problem;
    fs::create_directories(directory, problem);
    const std::string path = (fs::path(directory) / name).string();
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw InputError(fmt::format("{}: error: cannot write the file", path));
    return path;
  }

  // ---- Questions about one model

  void runModel(const std::string& name) {
    const model::Model model = model::loadModelToProve(name, "");
    nlohmann::json entry{{"model", name}};
    if (options_.requirements) printRequirements(name, model, entry);
    if (options_.transform) printTransformations(name, model, entry);
    json_["models"].push_back(std::move(entry));
  }

  void printRequirements(const std::string& name, const model::Model& model, nlohmann::json& entry) {
    std::vector<std::vector<std::string>> rows = {{"Requirement", "Answer", "Why"}};
    std::string drawings;
    for (const prove::RequirementAnswer& answer : prove::requirements(model, limits())) {
      rows.push_back({answer.what, wordOf(answer.verdict), answer.why});
      nlohmann::json requirement{{"what", answer.what}, {"answer", wordOf(answer.verdict)}, {"why", answer.why}};
      if (answer.counterexample) {
        const trace::Execution execution = prove::executionOf(answer.counterexample->graph);
        addToEntry(*answer.counterexample, execution, requirement["counterexample"]);
        drawings += fmt::format("Not {}: {}:\n{}", answer.what, answer.counterexample->what, drawn(execution));
      }
      entry["requirements"].push_back(std::move(requirement));
    }
    say("Model {}\n{}", name, report::table(rows, 3, report::Style()));
    if (!options_.quiet) say("{}", drawings);
  }

  void printTransformations(const std::string& name, const model::Model& model, nlohmann::json& entry) {
    std::vector<std::vector<std::string>> rows = {{"first \\ second"}};
    for (const prove::SwapKind& second : prove::swapKinds()) rows[0].push_back(second.name);
    for (const prove::SwapKind& first : prove::swapKinds()) {
      rows.push_back({first.name});
      for (const prove::SwapKind& second : prove::swapKinds()) {
        const Verdict verdict = prove::maySwap(model, first, second, limits()).verdict;
        rows.back().emplace_back(verdict == Verdict::proved ? "yes" : verdict == Verdict::refuted ? "no" : "?");
        entry["swaps"].push_back({{"first", first.name}, {"second", second.name}, {"answer", rows.back().back()}});
      }
    }
    say("Model {}: may `first ; second`, of different locations, become `second ; first`?\n{}", name,
        report::table(rows, 7, report::Style()));
  }

  const Options& options_;
  nlohmann::json json_ = nlohmann::json::object();
  ResultFiles results_;
  std::vector<report::Result> collected_;
  bool badInput_ = false;
  bool failed_ = false;
  bool undecided_ = false;
};

}  // namespace

int runProveCommand(const Options& options) { return ProveCommand(options).run(); }

}  // namespace heddle::cli
