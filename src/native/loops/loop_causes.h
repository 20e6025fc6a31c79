// Why the rounds of a loop are explored one by one, in words (`--list-loops`).
//
// Who wants a loop to wait has to know what in it looks like a change: which instruction, or which variable. Only the plan of
// the loop knows (loop_plan.h), so the words are made there, and only if somebody has asked: BuildOptions::explainLoops.
#pragma once

#include <string>
#include <vector>

#include "native/instrument/shared_state.h"

namespace heddle::native {

// "i", or words for a value that has no name in the source.
std::string nameOf(const llvm::PHINode& value);

// "a store at queue.c:12"
std::string effectText(Instrumentation& instrumentation, const llvm::Instruction& effect);

// "watches a store at queue.c:12, and old": what decides, while the loop runs, whether a round was in vain.
std::string watchedText(Instrumentation& instrumentation, const std::vector<llvm::Instruction*>& effects,
                        const std::vector<llvm::PHINode*>& values);

}  // namespace heddle::native
