#include "util/memory_use.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace heddle::util {

std::uint64_t memoryOf(int process) {
  std::ifstream in(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0, resident = 0, shared = 0;
  if (!(in >> size >> resident >> shared)) return 0;
  return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace heddle::util
