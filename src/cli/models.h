// Models as the command line names them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cli/options.h"
#include "model/compile.h"

namespace heddle::cli {

// Input that cannot be used; the message is for people and complete.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LoadedModel {
  std::string name;  // as it is shown: that of a built-in model, or the title of a file
  std::string file;  // of a model that is not built in
  bool assumed = false;
  model::CompiledModel compiled;
};

// Throws InputError for a model that does not exist or is wrong.
LoadedModel loadModel(const std::string& nameOrPath);

// Refuses a model of which a requirement is not established, with InputError; or, if `assume`, warns on standard
// error and marks the model.
void checkRequirements(LoadedModel& model, bool assume);

// `heddle models`; returns the exit code.
int runModels(const Options& options);

}  // namespace heddle::cli
