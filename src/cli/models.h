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
  model::Model source;  // of a model that is not built in
  model::CompiledModel compiled;
};

// Throws InputError for a model that does not exist or is wrong.
LoadedModel loadModel(const std::string& nameOrPath);

// How the threads of the programs come into being. The prover knows no events of thread creation, so what only it can
// establish of a model does not count for programs that have them.
enum class Threads { fromTheBeginning, created };

// Of a model from a file: tries to prove what compiling it did not establish, and says on standard error what is
// established and what is assumed, unless `quiet`. Refuses a model of which a requirement is not established, with
// InputError; or, if `assume`, warns and marks the model.
void checkRequirements(LoadedModel& model, Threads threads, bool assume, bool quiet);

// `heddle models`; returns the exit code.
int runModels(const Options& options);

}  // namespace heddle::cli
