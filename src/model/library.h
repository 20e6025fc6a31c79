// The models that come with the program, and models from files.
#pragma once

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

// A built-in model by name, or a file by path. Throws CatError for a bad model and std::runtime_error, with a message
// for people, for one that does not exist.
Model loadModel(const std::string& nameOrPath);

}  // namespace heddle::model
