// Whoever makes an execution does not know how it is shown.
#pragma once

#include "trace/formats/formats.h"
