// The loops of a program and what becomes of each, without running it.
#pragma once

#include <string>
#include <vector>

#include "native/pipeline.h"
#include "runtime/program_info.h"

namespace heddle::native {

struct ListedLoop {
  std::string file, function;
  unsigned line = 0, column = 0;
  runtime::LoopKind kind = runtime::LoopKind::unbounded;
  std::uint64_t rounds = 0;  // finite: at most so many, if that is known
  std::uint64_t bound = 0;   // it is cut after so many rounds; 0 if it is not
  std::string why;           // its rounds are explored one by one, or may be; empty if they are not
};

// The loops of the program's own code that `main` can reach, by place. A loop that was inlined into several functions and
// is treated in the same way in all is there once. Throws InputError.
std::vector<ListedLoop> listLoops(BuildOptions options);

}  // namespace heddle::native
