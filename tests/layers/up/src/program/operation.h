// Goes up the hourglass.
#pragma once

#include "model/compile.h"
