// Ahead-of-time compilation of the built-in models' axioms.
//
// For each axiom of a built-in model that is left to a search, this writes a C++ type with the edges of the axiom's
// automaton, which the templates of explore/cycle_search.h turn into a search. The code is written when Heddle is
// built and never edited; each type is preceded by the relation whose cycles it forbids, and each transition by its
// own reading. There are two variants of an axiom: for programs without fences, and for all.
#pragma once

#include <string>
#include <vector>

#include "model/compile.h"

namespace heddle::model {

// The class sets that variants are made for; a program uses the first one that covers it.
const std::vector<ClassSet>& generatedProfiles();

// The source of generatedSearch (explore/consistency.h) for these models.
std::string generateSearches(const std::vector<CompiledModel>& models);

}  // namespace heddle::model
