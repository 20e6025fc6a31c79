// Ahead-of-time compilation of the built-in models.
//
// A run would take 3 ms to compile a model (docs/performance.md, "Start-up"), of which most is to establish what the
// exploration needs of it. So what compile() gives for the built-in models is written as C++ that makes the same again.
//
// And for each axiom of a built-in model that is left to a search, this writes a C++ type with the edges of the axiom's
// automaton, which the templates of explore/cycle_search.h turn into a search. The code is written when Heddle is
// built and never edited; each type is preceded by the relation whose cycles it forbids, and each transition by its
// own reading. There are two variants of an axiom: for programs without fences, and for all.
//
// A model from a file is mostly one of these with a change. What an axiom means does not depend on the others, so an axiom that
// a built-in model has as well, in the same words once every `let` is replaced by its definition, is compiled already, and has
// its search. Only what is new is compiled, and interpreted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/compile.h"

namespace heddle::model {

// The class sets that variants are made for; a program uses the first one that covers it, if there is one.
const std::vector<ClassSet>& generatedProfiles();

// The source of compiledModel and kBuiltinParts (library.h) for the built-in models, whose names and compiled forms these are.
std::string generateModels(const std::vector<std::pair<std::string, CompiledModel>>& models);

// The source of generatedSearch (explore/consistency.h) for these models.
std::string generateSearches(const std::vector<CompiledModel>& models);

}  // namespace heddle::model
