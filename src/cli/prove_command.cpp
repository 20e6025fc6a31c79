#include "cli/prove_command.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/models.h"
#include "litmus/test.h"
#include "model/cat.h"
#include "model/library.h"
#include "prove/litmus.h"
#include "prove/prover.h"
#include "prove/requirements.h"
#include "prove/transform.h"
#include "report/run_litmus.h"
#include "report/text.h"

namespace heddle::cli {

namespace {

using prove::Answer;
using prove::Claim;
using prove::QueryFile;
using prove::Verdict;

const char* wordOf(Verdict verdict) {
  return verdict == Verdict::proved ? "proved" : verdict == Verdict::refuted ? "refuted" : "not decided";
}

bool asExpected(const Claim& claim, const Answer& answer) {
  return static_cast<int>(claim.expected) == static_cast<int>(answer.verdict);
}

// Can the explorer run both models on the test, and do they differ as the counterexample says?
std::string confirm(const QueryFile& query, const Claim& claim, const std::string& text) {
  if (!claim.mapping.empty() || claim.leftModel.empty()) return "";
  try {
    const litmus::Test test = litmus::parseLitmus(text, claim.name + ".litmus");
    std::vector<std::uint64_t> positive;
    for (const std::string& name : {claim.leftModel, claim.rightModel}) {
      const model::CompiledModel compiled = model::compile(query.models.at(name));
      if (!compiled.requirementsEstablished()) return fmt::format("not run: {} is not a model the explorer can run", name);
      positive.push_back(report::runLitmus(test, compiled, {}).positive);
    }
    if ((positive[0] > 0) != (positive[1] > 0)) {
      return fmt::format("confirmed by exploration: {} allows it, {} does not", claim.leftModel, claim.rightModel);
    }
    return "run under both models: the final states do not tell them apart";
  } catch (const std::exception& error) {
    const std::string what = error.what();
    return fmt::format("not run: {}", what.substr(0, what.find('\n')));
  }
}

class ProveCommand {
 public:
  explicit ProveCommand(const Options& options) : options_(options) {}

  int run() {
    for (const std::string& path : options_.paths) {
      if (options_.requirements || options_.transform) {
        runModel(path);
      } else {
        runQueries(path);
      }
    }
    if (options_.json) fmt::print("{}\n", json_.dump(2));
    return failed_ ? kErrorFound : undecided_ ? kIncomplete : kNoError;
  }

 private:
  void runQueries(const std::string& path) {
    QueryFile query;
    try {
      query = prove::loadQuery(path);
    } catch (const std::runtime_error& error) {
      throw InputError(error.what());
    }
    if (query.claims.empty()) throw InputError(fmt::format("{}: error: there is no `assert` in this file", path));
    for (const Claim& claim : query.claims) {
      const auto start = std::chrono::steady_clock::now();
      const Answer answer = prove::decide(query, claim);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (!asExpected(claim, answer)) (answer.verdict == Verdict::undecided ? undecided_ : failed_) = true;
      report(path, query, claim, answer, seconds);
    }
  }

  void report(const std::string& path, const QueryFile& query, const Claim& claim, const Answer& answer, double seconds) {
    std::string litmusText;
    std::string confirmation;
    if (answer.counterexample) {
      if (const auto text = prove::litmusTest(answer.counterexample->graph, claim.name)) {
        litmusText = *text;
        confirmation = confirm(query, claim, litmusText);
      }
      if (!options_.dot.empty()) writeFile(options_.dot, prove::dot(answer.counterexample->graph));
      if (!options_.litmusFile.empty() && !litmusText.empty()) writeFile(options_.litmusFile, litmusText);
    }
    if (options_.json) {
      nlohmann::json entry{{"file", path},          {"name", claim.name},   {"claim", claim.text},
                           {"answer", wordOf(answer.verdict)}, {"expected", asExpected(claim, answer)},
                           {"seconds", seconds},    {"reasons", answer.reasons}, {"warnings", answer.warnings}};
      if (answer.counterexample) {
        entry["word"] = answer.counterexample->word;
        entry["graph"] = prove::describe(answer.counterexample->graph);
        if (!litmusText.empty()) entry["litmus"] = litmusText;
        if (!confirmation.empty()) entry["exploration"] = confirmation;
      }
      json_.push_back(std::move(entry));
      return;
    }
    fmt::print("{}: {} ({:.2f} s){}\n  {}\n", claim.name, wordOf(answer.verdict), seconds,
               asExpected(claim, answer) ? "" : ", unexpected", claim.text);
    for (const std::string& reason : answer.reasons) fmt::print("  because: {}\n", reason);
    if (!options_.quiet) {
      for (const std::string& warning : answer.warnings) fmt::print("  warning: {}\n", warning);
    }
    if (answer.counterexample && !options_.quiet) {
      fmt::print("  counterexample: {}\n  {}\n{}", answer.counterexample->word, answer.counterexample->what,
                 prove::describe(answer.counterexample->graph));
      if (!confirmation.empty()) fmt::print("  as a litmus test: {}\n", confirmation);
    }
    std::fflush(stdout);
  }

  static void writeFile(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out) throw InputError(fmt::format("heddle: cannot write {}", path));
  }

  void runModel(const std::string& name) {
    model::Model model;
    try {
      model = model::loadModelToProve(name, "");
    } catch (const std::runtime_error& error) {
      throw InputError(error.what());
    }
    if (options_.requirements) printRequirements(name, model);
    if (options_.transform) printTransformations(name, model);
  }

  void printRequirements(const std::string& name, const model::Model& model) {
    std::vector<std::vector<std::string>> rows = {{"Requirement", "Answer", "Why"}};
    nlohmann::json list = nlohmann::json::array();
    for (const prove::RequirementAnswer& answer : prove::requirements(model)) {
      rows.push_back({answer.what, wordOf(answer.verdict), answer.why});
      list.push_back({{"what", answer.what}, {"answer", wordOf(answer.verdict)}, {"why", answer.why}});
    }
    if (options_.json) {
      json_.push_back({{"model", name}, {"requirements", list}});
    } else {
      fmt::print("Model {}\n{}", name, report::table(rows, 3, report::Style()));
    }
  }

  void printTransformations(const std::string& name, const model::Model& model) {
    std::vector<std::vector<std::string>> rows = {{"first \\ second"}};
    nlohmann::json list = nlohmann::json::array();
    for (const prove::SwapKind& second : prove::swapKinds()) rows[0].push_back(second.name);
    for (const prove::SwapKind& first : prove::swapKinds()) {
      rows.push_back({first.name});
      for (const prove::SwapKind& second : prove::swapKinds()) {
        const Answer answer = prove::maySwap(model, first, second);
        rows.back().emplace_back(answer.verdict == Verdict::proved ? "yes" : answer.verdict == Verdict::refuted ? "no" : "?");
        list.push_back({{"first", first.name}, {"second", second.name}, {"answer", rows.back().back()}});
      }
    }
    if (options_.json) {
      json_.push_back({{"model", name}, {"swaps", list}});
    } else {
      fmt::print("Model {}: may `first ; second`, of different locations, become `second ; first`?\n{}", name,
                 report::table(rows, 7, report::Style()));
    }
  }

  const Options& options_;
  nlohmann::json json_ = nlohmann::json::array();
  bool failed_ = false;
  bool undecided_ = false;
};

}  // namespace

int runProveCommand(const Options& options) {
  return ProveCommand(options).run();
}

}  // namespace heddle::cli
