// Functions whose code is generated when they are first called.
//
// A program that uses much of the standard library runs a small part of what it is linked with, and to generate code takes most
// of the time until its exploration begins. So the functions of a large module are taken out of it. What is left is linked
// at once: the data, and few functions. The others are called through stubs (arch/stubs.h), which are their addresses for the
// program; the code comes to lie behind, in the order of the first calls, which nobody can see.
//
// That code is plain. Functions that may compute (computation.h) count what they do (round_counter.h), and after many
// rounds are generated once more, optimised, for the calls to come.
//
// One object of this kind can be there at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "native/jit/image_memory.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace heddle::native {

class LaterFunctions {
 public:
  // Makes the code of a function, which is the only one in its module, and returns its address.
  using Generator = std::function<void*(llvm::Function& function, bool optimised)>;

  // Takes the internal functions of `module` out of it. It has to be there as long as this object.
  LaterFunctions(llvm::Module& module, ImageMemory& memory, Generator generator);
  ~LaterFunctions();
  LaterFunctions(const LaterFunctions&) = delete;
  LaterFunctions& operator=(const LaterFunctions&) = delete;

  // The address of a function that was taken out, or null.
  void* operator()(const std::string& name) const;

  // The code of a function, which is called for the first time.
  void* generate(std::uint32_t number);
  // Better code for one that has gone many rounds.
  void improve(std::uint32_t number);

 private:
  void takeOut(llvm::Function& function);
  void* finish(llvm::Function& function, bool optimised);

  llvm::Module& module_;
  Generator generator_;
  std::unique_ptr<llvm::Module> bodies_;    // of the functions; they refer to what is in module_
  std::vector<llvm::Function*> functions_;  // null once nothing is left to do
  std::unordered_set<const llvm::Function*> computing_;
  std::vector<std::uint64_t> rounds_;
  std::vector<void*> slots_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::byte* stubs_ = nullptr;
};

}  // namespace heddle::native
