// An object file with debug information, as a debugger sees it: gdb's interface for code that is generated in a running process.
//
// gdb has a breakpoint at __jit_debug_register_code. When that is called it reads the object file from memory, with the addresses of its
// sections in their headers, and does the relocation of the debug information itself (gdb's manual, "JIT Compilation Interface").
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::native {

class DebugObject {
 public:
  // A copy of a relocatable ELF file of 64 bits, whose sections have come to lie at these addresses, by name.
  DebugObject(const char* object, std::size_t size, const std::unordered_map<std::string, std::uint64_t>& sections);
  ~DebugObject();
  DebugObject(const DebugObject&) = delete;
  DebugObject& operator=(const DebugObject&) = delete;

  // From now on debuggers know it.
  void show();

 private:
  struct Entry;

  std::vector<char> file_;
  Entry* entry_ = nullptr;
};

}  // namespace heddle::native
