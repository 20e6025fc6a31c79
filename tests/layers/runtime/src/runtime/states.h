// The runtime does not know the front end.
#pragma once

#include "native/pipeline.h"
