// How an exploration is to be run, from what the command line says; and `heddle resume`.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "parallel/run.h"

namespace heddle::cli {

// How many workers there are to be on this machine.
unsigned workersOf(const Options& options);

// `program`: what tells what is explored from anything else, as far as it is known. `resumed`: the checkpoint to go on
// from, or none.
parallel::Control runControl(const Options& options, const std::string& program, const parallel::Checkpoint* resumed);

// What tells a model from others: its name, or the text of its file.
std::string modelIdentity(const std::string& name, const std::string& file);

// What the words of a command line say. Throws InputError that speaks of `what` if they are not understood.
Options optionsOf(const std::vector<std::string>& words, const std::string& what);

// The options of the run that a checkpoint is of, as far as those of `heddle resume` do not say otherwise. Throws InputError.
Options resumedOptions(const Options& resume, const parallel::Checkpoint& checkpoint);
// The same for `heddle replay`: one execution, in this process.
Options replayedOptions(const Options& replay, const parallel::Checkpoint& failure);

}  // namespace heddle::cli
