// The linker's memory: the image at the start of program memory (src/memory/layout.h).
//
// JITLink asks for room for groups of sections (constants, data, code). They are placed one after the other from the
// start of the image, each on pages of its own, so addresses depend on nothing but the module. The linker writes right
// into the place, and at the end code loses the right to be written and gains that to be executed. Constants stay
// writable: the instrumented code does not write them, and plain memory may need to put bytes back.
#pragma once

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>

#include <span>

#include "memory/layout.h"

namespace heddle::native {

class ImageMemory : public llvm::jitlink::JITLinkMemoryManager {
 public:
  // Gives the pages back: zero and writable, as they were.
  ~ImageMemory() override;

  // Whole pages, for what is written without a linker. They can be written until they are made executable.
  std::span<std::byte> takePages(std::size_t size);
  static void makeExecutable(std::span<std::byte> pages);

  using JITLinkMemoryManager::allocate;
  using JITLinkMemoryManager::deallocate;
  void allocate(const llvm::jitlink::JITLinkDylib* dylib, llvm::jitlink::LinkGraph& graph,
                OnAllocatedFunction onAllocated) override;
  // Nothing: the pages go when this object does.
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction onDeallocated) override;

 private:
  Address next_ = memory::kImage;
};

}  // namespace heddle::native
