// A folder that nobody has given a place.
#pragma once

#include "program/operation.h"
