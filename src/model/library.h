// The models that come with the program, and models from files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile.h"

namespace heddle::model {

struct BuiltinModel {
  std::string_view name;
  std::string_view text;  // of models/NAME.cat
};

// In the order in which they are listed to people.
const std::vector<BuiltinModel>& builtinModels();

// What compile(loadModel(name)) gives for a built-in model, made when Heddle was built (generate.h).
CompiledModel compiledModel(std::string_view name);

// What programs are explored under by `heddle check` where a built-in model can only be evaluated on complete executions: a weaker
// one, of the same name (models/explored/NAME.cat). nullopt: there is none.
std::optional<Model> explorationOf(std::string_view name);
const std::vector<BuiltinModel>& exploredModels();

// The parts of these models. A model from a file mostly has some of them, and need not compile those again.
extern const CompiledParts kBuiltinParts;

// Models that theorems are proved about and programs are not explored under: models/prove/NAME.cat, named "prove/NAME".
const std::vector<BuiltinModel>& proverModels();

// A built-in model by name, or a file by path. Throws CatError for a bad model and std::runtime_error, with a message
// for people, for one that does not exist.
Model loadModel(const std::string& nameOrPath);

// The same for a model to prove theorems about; a path is looked for beside `fromFile` first.
Model loadModelToProve(const std::string& nameOrPath, const std::string& fromFile);

}  // namespace heddle::model
