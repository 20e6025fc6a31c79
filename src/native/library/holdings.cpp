// The list of holdings.h.

#include "holdings.h"

namespace heddle::library {

__thread Holdings holdings;

}  // namespace heddle::library
