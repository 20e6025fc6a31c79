#include "model/library.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "model/cat.h"
#include "util/read_file.h"

namespace heddle::model {

namespace {

std::optional<std::string> builtinText(const std::string& name) {
  for (const BuiltinModel& model : builtinModels()) {
    if (name == model.name || name == std::string(model.name) + ".cat") return std::string(model.text);
  }
  return std::nullopt;
}

std::optional<std::string> proverText(const std::string& name) {
  for (const BuiltinModel& model : proverModels()) {
    if (name == model.name || name == std::string(model.name) + ".cat") return std::string(model.text);
  }
  return builtinText(name);
}

// For models to prove theorems about: beside the including file, then by the name as written among those that come with
// us.
std::optional<std::string> resolveProverInclude(const std::string& name, const std::string& fromFile) {
  const auto slash = fromFile.rfind('/');
  if (slash != std::string::npos && !name.starts_with('/')) {
    if (auto text = util::readFile(fromFile.substr(0, slash + 1) + name)) return text;
  } else if (auto text = util::readFile(name)) {
    return text;
  }
  return proverText(name);
}

// What the field's simulators come with and models include: the exploration generates rf and co itself, and knows fences. Of
// lock.cat there remains what the lock's events are.
std::optional<std::string> suppliedText(const std::string& name) {
  for (const char* const supplied : {"cos.cat", "cos-opt.cat", "cos-no-opt.cat", "cross.cat", "stdlib.cat", "fences.cat"}) {
    if (name == supplied) return std::string();
  }
  if (name == "lock.cat") return std::string("let LF = LF | RL\nlet Release = Release | UL\nlet Acquire = Acquire | LKR\n");
  return std::nullopt;
}

// Includes: what is supplied, a file beside the including one, or a built-in model.
std::optional<std::string> resolveInclude(const std::string& name, const std::string& /*fromFile*/) {
  if (auto supplied = suppliedText(name)) return supplied;
  if (auto text = util::readFile(name)) return text;
  const auto slash = name.rfind('/');
  return builtinText(slash == std::string::npos ? name : name.substr(slash + 1));
}

}  // namespace

Model loadModel(const std::string& nameOrPath) {
  if (const auto text = builtinText(nameOrPath)) {
    Model model = parseCat(*text, "models/" + nameOrPath + ".cat", resolveInclude);
    model.builtin = true;
    return model;
  }
  if (const auto text = util::readFile(nameOrPath)) {
    // A model is in two files, if it has tags: NAME.bell, which comes first, and NAME.cat.
    const std::string bell = nameOrPath.ends_with(".cat") ? nameOrPath.substr(0, nameOrPath.size() - 3) + "bell" : "";
    return parseCat(*text, nameOrPath, resolveInclude, false, bell.empty() ? std::nullopt : util::readFile(bell));
  }
  std::string known;
  for (const BuiltinModel& model : builtinModels()) known += fmt::format("{}{}", known.empty() ? "" : ", ", model.name);
  throw std::runtime_error(
      fmt::format("no model `{}`: it is neither a file that can be read nor one of {}", nameOrPath, known));
}

Model loadModelToProve(const std::string& nameOrPath, const std::string& fromFile) {
  const auto text = resolveProverInclude(nameOrPath, fromFile);
  if (!text) throw std::runtime_error(fmt::format("no model `{}`", nameOrPath));
  Model model = parseCat(*text, nameOrPath, resolveProverInclude, true);
  model.builtin = builtinText(nameOrPath).has_value();
  return model;
}

}  // namespace heddle::model
