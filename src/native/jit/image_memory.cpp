#include "native/jit/image_memory.h"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <vector>

namespace heddle::native {
namespace {

constexpr Address kPage = 4096;

constexpr Address alignUp(Address address, Address alignment) { return (address + alignment - 1) & ~(alignment - 1); }

bool isCode(llvm::orc::MemProt protection) {
  return (static_cast<unsigned>(protection) & static_cast<unsigned>(llvm::orc::MemProt::Exec)) != 0;
}

struct Range {
  Address begin, end;
};

bool protect(const Range& range, int protection) {
  return mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, protection) == 0;
}

// The linker writes straight to the final place, so all that finishing does is to make the code executable.
class ImageAllocation : public llvm::jitlink::JITLinkMemoryManager::InFlightAlloc {
 public:
  explicit ImageAllocation(std::vector<Range> code) : code_(std::move(code)) {}

  void abandon(OnAbandonedFunction onAbandoned) override { onAbandoned(llvm::Error::success()); }

  void finalize(OnFinalizedFunction onFinalized) override {
    for (const Range& range : code_)
      if (!protect(range, PROT_READ | PROT_EXEC)) {
        onFinalized(
            llvm::make_error<llvm::StringError>("cannot make the program's code executable", llvm::inconvertibleErrorCode()));
        return;
      }
    onFinalized(llvm::jitlink::JITLinkMemoryManager::FinalizedAlloc(llvm::orc::ExecutorAddr(memory::kImage)));
  }

 private:
  std::vector<Range> code_;
};

}  // namespace

ImageMemory::~ImageMemory() {
  if (next_ == memory::kImage) return;
  const Range used{memory::kImage, next_};
  protect(used, PROT_READ | PROT_WRITE);
  madvise(reinterpret_cast<void*>(used.begin), used.end - used.begin, MADV_DONTNEED);
}

std::span<std::byte> ImageMemory::takePages(std::size_t size) {
  const Address begin = alignUp(next_, kPage), end = alignUp(begin + size, kPage);
  if (end > memory::kImage + memory::kImageSize) throw std::bad_alloc();
  next_ = end;
  return {reinterpret_cast<std::byte*>(begin), end - begin};
}

void ImageMemory::makeExecutable(std::span<std::byte> pages) {
  const Address begin = reinterpret_cast<Address>(pages.data());
  if (!protect({begin, begin + pages.size()}, PROT_READ | PROT_EXEC)) throw std::bad_alloc();
}

void ImageMemory::allocate(const llvm::jitlink::JITLinkDylib*, llvm::jitlink::LinkGraph& graph,
                           OnAllocatedFunction onAllocated) {
  llvm::jitlink::BasicLayout layout(graph);
  std::vector<Range> code;
  for (auto& [group, segment] : layout.segments()) {
    const Address begin = alignUp(next_, std::max<Address>(kPage, segment.Alignment.value()));
    const Address end = alignUp(begin + segment.ContentSize + segment.ZeroFillSize, kPage);
    if (end > memory::kImage + memory::kImageSize) {
      onAllocated(llvm::make_error<llvm::StringError>("the program's code and globals are larger than 1 GB",
                                                      llvm::inconvertibleErrorCode()));
      return;
    }
    segment.Addr = llvm::orc::ExecutorAddr(begin);
    segment.WorkingMem = reinterpret_cast<char*>(begin);
    if (isCode(group.getMemProt())) code.push_back({begin, end});
    next_ = end;
  }
  if (llvm::Error error = layout.apply()) {
    onAllocated(std::move(error));
    return;
  }
  onAllocated(std::make_unique<ImageAllocation>(std::move(code)));
}

void ImageMemory::deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction onDeallocated) {
  for (FinalizedAlloc& allocation : allocations) allocation.release();
  onDeallocated(llvm::Error::success());
}

}  // namespace heddle::native
