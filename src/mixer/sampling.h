// Random descents in an exploration of whichever mode.
#pragma once

#include "explore/splitter.h"

namespace heddle {

// Goes down from the root at random; for an attendant, which then ends the exploration (explore/splitter.h).
Descent descend(Divisible& exploration, const Chooser& choose, bool report);

}  // namespace heddle
