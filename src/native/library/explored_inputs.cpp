#include "explored_inputs.h"

extern "C" {
heddle_explored_inputs heddle_inputs;
}
