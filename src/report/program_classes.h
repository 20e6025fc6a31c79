// Which event classes a program can have; a tighter set makes a model's automata smaller.
#pragma once

#include "model/event_class.h"
#include "program/program.h"

namespace heddle::report {

ClassSet programClasses(const Program& program);

}  // namespace heddle::report
