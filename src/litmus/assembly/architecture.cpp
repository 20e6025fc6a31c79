#include "litmus/assembly/architecture.h"

#include <algorithm>

namespace heddle::litmus {

const Architecture* findArchitecture(std::string_view word) {
  static const Architecture kArchitectures[] = {
      {"AArch64", "armv8", aarch64Register, aarch64Instructions()},     {"PPC", "power", powerRegister, powerInstructions()},
      {"RISCV", "riscv", riscvRegister, riscvInstructions(), "", true}, {"X86", "tso", x86Register, x86Instructions(), "RAX"},
      {"X86_64", "tso", x86Register, x86Instructions(), "RAX"},
  };
  const auto* const found = std::ranges::find(kArchitectures, word, &Architecture::name);
  return found == std::end(kArchitectures) ? nullptr : found;
}

}  // namespace heddle::litmus
