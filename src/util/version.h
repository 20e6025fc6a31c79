// Which heddle this is: the version of its tag, or of CMakeLists.txt where there is none (cmake/version.cmake).
#pragma once

namespace heddle::util {

const char* version();  // "0.9.0"; "0.9.0+12.g1a2b3c4" twelve commits after that tag

}  // namespace heddle::util
