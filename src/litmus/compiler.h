// From syntax trees to bytecode.
#pragma once

#include "litmus/bytecode.h"
#include "litmus/source.h"
#include "litmus/syntax.h"

namespace heddle::litmus {

// Lays out the locations and compiles every thread. Throws LitmusError for what only shows once the locations are
// laid out, such as a constant index outside its array. The names and conditions in `syntax` are left alone.
Code compile(const SourceFile& file, const Syntax& syntax);

// Parts of it: where the locations are, what is in them at first, and the lines of source ranges that are in the order of the
// text.
void placeLocations(const Syntax& syntax, Code& code);
void fillInitialMemory(const Syntax& syntax, Code& code);
void findLines(const SourceFile& file, std::vector<SourceRange>& sources);

}  // namespace heddle::litmus
