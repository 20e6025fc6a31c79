// A folder may declare a class of another one, and define none.
#pragma once

namespace heddle::native {
class NativeProgram;
struct Mode {};
}  // namespace heddle::native

namespace heddle::run {}  // namespace heddle::run
