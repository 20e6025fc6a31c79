// The hooks of thread_end.h.

#include "thread_end.h"

namespace heddle::library {

__thread ThreadEnd threadEnd;

}  // namespace heddle::library
