// What threads are called: "main", "thread 2", or "thread 2 (consumer)" after the function that it runs.
//
// A name that the program has given (pthread_setname_np) is the best. Otherwise the function is found by the places of the thread's
// events. Each is a chain of calls that were inlined; at its outer end is a function that was not, or code
// of a library that calls the thread's function. If all of them lead to the same function of the program's own it is the
// thread's; otherwise nothing is said. A lambda has no name: the line where the thread is started says which it is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/execution_view.h"
#include "runtime/program_info.h"

namespace heddle::run {

std::vector<std::string> threadNames(const ExecutionView& graph, const runtime::ProgramInfo& info,
                                     const std::map<ThreadId, std::string>& given);

// "worker" of "void (anonymous namespace)::worker<int>(int*)"; empty for a lambda.
std::string briefFunction(const std::string& function);

}  // namespace heddle::run
