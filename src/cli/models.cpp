#include "cli/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/exit_code.h"
#include "cli/suggestion.h"
#include "model/cat.h"
#include "model/library.h"
#include "prove/requirements.h"
#include "report/text.h"
#include "util/page.h"
#include "util/read_file.h"

namespace heddle::cli {

namespace {

const model::BuiltinModel* findBuiltin(const std::string& name) {
  for (const model::BuiltinModel& model : model::builtinModels()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

// A model is read as a whole, so a device that never ends, or a file by mistake, must not get that far.
void refuseStrangeFile(const std::string& path) {
  constexpr std::uintmax_t kMostBytes = 16 << 20;
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (std::filesystem::is_directory(status)) throw InputError(path + ": error: is a directory, not a model");
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)) {
    throw InputError(path + ": error: is a device, not a model");
  }
  const std::uintmax_t size = std::filesystem::is_regular_file(status) ? std::filesystem::file_size(path, problem) : 0;
  if (!problem && size > kMostBytes) throw InputError(path + ": error: too large for a model");
}

// The beginning of the first comment, up to the end of its first clause, as half a line.
std::string summary(std::string_view text) {
  const std::size_t begin = text.find("(*");
  if (begin == std::string_view::npos) return "";
  std::string line;
  for (const char c : text.substr(begin + 2)) {
    if (c == '.' || c == ':' || c == '*') break;
    if (c != '\n' && c != ' ') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

std::string listModels() {
  std::vector<std::vector<std::string>> rows;
  for (const model::BuiltinModel& model : model::builtinModels()) {
    rows.push_back({std::string(model.name), summary(model.text)});
  }
  return report::table(rows, 2, report::Style());
}

std::string modelText(const std::string& nameOrPath) {
  if (const auto* builtin = findBuiltin(nameOrPath)) return std::string(builtin->text);
  const LoadedModel model = loadModel(nameOrPath);  // for its error messages
  return util::readFile(nameOrPath).value_or("");
}

std::string requirementsTable(const LoadedModel& model) {
  std::vector<std::vector<std::string>> rows = {{"Requirement", "Established", "Why"}};
  for (const model::Requirement& requirement : model.compiled.requirements) {
    rows.push_back({requirement.what, requirement.established ? "yes" : "no", requirement.why});
  }
  return fmt::format("Model {}{}\n{}", model.name, model.file.empty() ? "" : " (" + model.file + ")",
                     report::table(rows, 3, report::Style()));
}

// What automata cannot follow is evaluated, for litmus tests.
model::CompiledModel compileOrEvaluate(const model::Model& source) {
  try {
    return model::compile(source, model::kBuiltinParts);
  } catch (const model::CatError& error) {
    return model::toEvaluate(source, error.what());
  }
}

}  // namespace

LoadedModel loadModel(const std::string& nameOrPath) {
  LoadedModel loaded;
  if (findBuiltin(nameOrPath)) {
    loaded.name = nameOrPath;
    loaded.compiled = model::compiledModel(nameOrPath);
    return loaded;
  }
  refuseStrangeFile(nameOrPath);
  try {
    loaded.source = model::loadModel(nameOrPath);
    loaded.compiled = compileOrEvaluate(loaded.source);
    loaded.name = loaded.compiled.name;
    loaded.file = nameOrPath;
    return loaded;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const model::CatError& error) {
    throw InputError(error.what());
  } catch (const std::runtime_error& error) {
    throw InputError(fmt::format("heddle: {}{}", error.what(), suggestModel(nameOrPath)));
  }
}

namespace {

// What compiling a model of the user's own did not establish may follow from its axioms all the same.
void proveRequirements(LoadedModel& model, Threads threads) {
  if (model.compiled.evaluated) return;
  const std::vector<std::string> proved = prove::establish(model.compiled, model.source);
  if (threads == Threads::fromTheBeginning) return;
  for (model::Requirement& requirement : model.compiled.requirements) {
    if (std::find(proved.begin(), proved.end(), requirement.what) == proved.end()) continue;
    requirement.established = false;
    requirement.why = "proved, but only of programs whose threads all exist from the beginning";
  }
}

void printEvaluated(const LoadedModel& model, const std::string& why) {
  fmt::print(stderr, "heddle: model {} ({}) is evaluated on complete executions: {}\n", model.name, model.file,
             util::firstLine(why));
}

void printRequirements(const LoadedModel& model) {
  if (model.compiled.evaluated) return printEvaluated(model, model.compiled.requirements.front().why);
  std::string established;
  std::string assumed;
  for (const model::Requirement& requirement : model.compiled.requirements) {
    std::string& list = requirement.established ? established : assumed;
    list += (list.empty() ? "" : ", ") + requirement.what;
  }
  fmt::print(stderr, "heddle: model {} ({}): established: {}; assumed: {}\n", model.name, model.file,
             established.empty() ? "nothing" : established, assumed.empty() ? "nothing" : assumed);
}

}  // namespace

namespace {

// A model of the field says nothing about a causal order. Litmus tests can do without: then it is evaluated.
bool evaluateInstead(LoadedModel& model, bool quiet) {
  const model::Causality& causality = model.source.causality;
  const bool isGiven = causality.issue || causality.commit || causality.barrier;
  if (model.file.empty() || !model.compiled.hasDependencies) return false;
  if (isGiven && model.compiled.requirementsEstablished()) return false;
  std::string why = isGiven ? "not established:" : "it names dependencies and has no issue-by, commit-by or barrier-by";
  for (const model::Requirement& requirement : model.compiled.requirements) {
    if (isGiven && !requirement.established) why += " " + requirement.what;
  }
  model.compiled = model::toEvaluate(model.source, why);
  if (!quiet) printEvaluated(model, why);
  return true;
}

}  // namespace

void checkRequirements(LoadedModel& model, Threads threads, bool assume, bool quiet) {
  const bool isExplored = model.file.empty() && model::explorationOf(model.name).has_value();
  if (model.compiled.evaluated && threads == Threads::created && !isExplored) {
    const std::string& why = model.compiled.requirements.front().why;
    if (why.find(": error: ") != std::string::npos) throw InputError(why);
    throw InputError(fmt::format(
        "heddle: the model {} is evaluated on complete executions, which is for `heddle litmus` only: {}", model.name, why));
  }
  if (!model.file.empty()) proveRequirements(model, threads);
  if (threads == Threads::fromTheBeginning && !assume && evaluateInstead(model, quiet)) return;
  if (model.compiled.requirementsEstablished()) {
    if (!model.file.empty() && !quiet) printRequirements(model);
    return;
  }
  std::string list;
  for (const model::Requirement& requirement : model.compiled.requirements) {
    if (!requirement.established) list += fmt::format("  {}: {}\n", requirement.what, requirement.why);
  }
  const std::string what = fmt::format("what the exploration needs of model `{}` is not established:\n{}", model.name, list);
  if (!assume) {
    throw InputError(fmt::format("heddle: refused: {}Use --assume-requirements to explore all the same; executions may "
                                 "then be missed or come twice.",
                                 what));
  }
  if (!quiet) printRequirements(model);
  fmt::print(stderr, "heddle: warning: {}It is assumed: executions may be missed or come twice.\n", what);
  model.assumed = true;
}

int runModels(const Options& options) {
  std::vector<std::string> names = options.models;
  if (names.empty() && !options.requirements) {
    fmt::print("{}", listModels());
    return kNoError;
  }
  if (names.empty()) {
    for (const model::BuiltinModel& model : model::builtinModels()) names.emplace_back(model.name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (options.requirements) {
      LoadedModel model = loadModel(names[i]);
      if (!model.file.empty()) proveRequirements(model, Threads::fromTheBeginning);
      fmt::print("{}{}", i > 0 ? "\n" : "", requirementsTable(model));
      if (evaluateInstead(model, true)) {
        fmt::print("In litmus tests it is evaluated: {}\n", model.compiled.requirements.front().why);
      }
    } else {
      fmt::print("{}", modelText(names[i]));
    }
  }
  return kNoError;
}

}  // namespace heddle::cli
