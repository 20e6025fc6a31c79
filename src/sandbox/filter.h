// The list of system calls that a process in the sandbox can make.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::sandbox {

// Installs it. `secret`: the sixth argument of heddle's own calls. `readsFiles`: heddle may look files up. Empty if it is installed, or
// why it is not.
std::string installFilter(std::uint64_t secret, bool readsFiles);

// The name of a system call; empty if it has none.
std::string systemCallName(int number);

}  // namespace heddle::sandbox
