// What the exploration of a part has thrown, as a text that can be sent: an exception of a worker comes out of the run with
// its type and with what it says, as if there were one process.
//
// The types are those that somebody tells apart: WrongMode, LimitError, ProgramError. Any other one is a
// std::runtime_error when it is thrown again.
#pragma once

#include <string>

namespace heddle::parallel {

// Of the exception that is being handled.
std::string textOfException();

[[noreturn]] void throwAgain(const std::string& text);

}  // namespace heddle::parallel
