#include "model/library.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "model/cat.h"
#include "model/supplied_files.h"
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

std::string pathBeside(const std::string& name, const std::string& fromFile) {
  const auto slash = fromFile.rfind('/');
  return slash == std::string::npos || name.starts_with('/') ? name : fromFile.substr(0, slash + 1) + name;
}

// For models to prove theorems about: what is supplied, a file beside the including one, or by the name as written among those that
// come with us.
std::optional<std::string> resolveProverInclude(const std::string& name, const std::string& fromFile) {
  if (auto supplied = suppliedFile(name)) return supplied;
  if (auto text = util::readFile(pathBeside(name, fromFile))) return text;
  return proverText(name);
}

// Includes: what is supplied, a file beside the including one, or a built-in model.
std::optional<std::string> resolveInclude(const std::string& name, const std::string& fromFile) {
  if (auto supplied = suppliedFile(name)) return supplied;
  const std::filesystem::path beside = std::filesystem::path(fromFile).parent_path() / name;
  if (auto text = util::readFile(beside.string())) return text;
  const auto slash = name.rfind('/');
  return builtinText(slash == std::string::npos ? name : name.substr(slash + 1));
}

// A model is in two files, if it has tags: NAME.bell, which comes first, and NAME.cat.
std::string bellOf(const std::string& path) { return path.ends_with(".cat") ? path.substr(0, path.size() - 3) + "bell" : ""; }

}  // namespace

Model loadModel(const std::string& nameOrPath) {
  // A file may have the name of a built-in model with .cat behind it; then it is the file that is meant.
  const auto builtin = builtinText(nameOrPath);
  const bool isFile = nameOrPath.ends_with(".cat") || !builtin;
  if (const auto text = isFile ? util::readFile(nameOrPath) : std::nullopt) {
    return parseCat(*text, nameOrPath, resolveInclude, false, util::readFile(bellOf(nameOrPath)));
  }
  if (builtin) {
    Model model = parseCat(*builtin, "models/" + nameOrPath + ".cat", resolveInclude);
    model.builtin = true;
    return model;
  }
  std::string known;
  for (const BuiltinModel& model : builtinModels()) known += fmt::format("{}{}", known.empty() ? "" : ", ", model.name);
  throw std::runtime_error(
      fmt::format("no model `{}`: it is neither a file that can be read nor one of {}", nameOrPath, known));
}

std::optional<Model> explorationOf(std::string_view name) {
  for (const BuiltinModel& model : exploredModels()) {
    if (model.name == name) return parseCat(std::string(model.text), fmt::format("models/explored/{}.cat", name));
  }
  return std::nullopt;
}

Model loadModelToProve(const std::string& nameOrPath, const std::string& fromFile) {
  const std::string beside = pathBeside(nameOrPath, fromFile);
  std::optional<std::string> text = util::readFile(beside);
  const bool isFile = text.has_value();
  const std::string file = isFile ? beside : nameOrPath;
  if (!isFile) text = proverText(nameOrPath);
  if (!text) throw std::runtime_error(fmt::format("no model `{}`", nameOrPath));
  Model model = parseCat(*text, file, resolveProverInclude, true, util::readFile(bellOf(file)));
  model.builtin = !isFile && builtinText(nameOrPath).has_value();
  return model;
}

}  // namespace heddle::model
