// What of the program's inputs is explored: heddle writes it before the program starts (native/build_program.cpp).
#pragma once

#include "heddle_inputs.h"

extern "C" heddle_explored_inputs heddle_inputs;
