// Each folder has a namespace.
#pragma once

namespace heddle {
class Marks {};
}  // namespace heddle
