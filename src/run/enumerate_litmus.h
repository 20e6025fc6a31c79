// A litmus test under a model that is evaluated on complete executions (src/enumerate).
#pragma once

#include "model/compile.h"
#include "run/run_litmus.h"

namespace heddle::run {

// As runLitmus. In one process, without checkpoints and samples.
Outcome enumerateLitmus(const litmus::Test& test, const model::CompiledModel& model, const LitmusOptions& options);

}  // namespace heddle::run
