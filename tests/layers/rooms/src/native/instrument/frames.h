// Rooms of a folder have an order, too.
#pragma once

#include "native/loops/loops.h"
