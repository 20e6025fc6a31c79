#include "runtime/leaks.h"

#include <algorithm>
#include <cstring>

namespace heddle::runtime {

namespace {

class Marker {
 public:
  Marker(const ExecutionView& graph, const NativeProgram& program)
      : graph_(graph), memory_(program.memory()), blocks_(memory_.liveHeap()), reached_(blocks_.size(), false) {
    std::sort(blocks_.begin(), blocks_.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  }

  void scan(Address begin, std::size_t size) {
    for (Address a = (begin + 7) & ~Address{7}; a + 8 <= begin + size; a += 8) {
      Value word = 0;
      std::memcpy(&word, reinterpret_cast<const void*>(a), sizeof word);
      reach(word);
    }
    // The value of an atomic location is in the graph; its bytes in memory are older.
    for (const memory::AtomicPart& part : memory_.atomicParts(begin, size)) {
      reach(graph_.lastValue({part.address, part.size}, 0));
    }
  }

  void close() {
    while (!open_.empty()) {
      const memory::Allocation block = blocks_[open_.back()];
      open_.pop_back();
      scan(block.address, block.size);
    }
  }

  std::optional<memory::Allocation> firstUnreached() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!reached_[i]) return blocks_[i];
    }
    return std::nullopt;
  }

 private:
  void reach(Value pointer) {
    auto it = std::upper_bound(blocks_.begin(), blocks_.end(), pointer,
                               [](Value p, const memory::Allocation& block) { return p < block.address; });
    if (it == blocks_.begin()) return;
    const std::size_t i = static_cast<std::size_t>(--it - blocks_.begin());
    if (pointer > it->address + it->size || reached_[i]) return;
    reached_[i] = true;
    open_.push_back(i);
  }

  const ExecutionView& graph_;
  const memory::Memory& memory_;
  std::vector<memory::Allocation> blocks_;
  std::vector<bool> reached_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::optional<memory::Allocation> findLeak(const ExecutionView& graph, const NativeProgram& program) {
  Marker marker(graph, program);
  for (const memory::Allocation& global : program.memory().globals()) marker.scan(global.address, global.size);
  for (ThreadId thread = 0; thread < graph.threads(); ++thread) {
    if (program.info().tlsSize != 0 && !program.hasEnded(thread)) marker.scan(memory::tlsOf(thread), program.info().tlsSize);
  }
  marker.close();
  return marker.firstUnreached();
}

std::optional<memory::Allocation> firstAllocated(const NativeProgram& program) {
  const std::vector<memory::Allocation> blocks = program.memory().liveHeap();
  if (blocks.empty()) return std::nullopt;
  return blocks.front();
}

std::vector<ByteRange> heapPointers(const ExecutionView& graph, const NativeProgram& program) {
  const std::vector<memory::Allocation> blocks = program.memory().liveHeap();
  const auto isPointer = [&](EventId write) {
    return std::ranges::any_of(blocks, [&](const memory::Allocation& block) {
      return block.address <= graph[write].value && graph[write].value <= block.address + block.size;
    });
  };
  std::vector<ByteRange> result;
  for (const CoherenceOrder& order : graph.coherence()) {
    if (!isPointer(order.initial) && std::ranges::none_of(order.writes, isPointer)) continue;
    result.insert(result.end(), order.bytes.begin(), order.bytes.end());
  }
  return result;
}

}  // namespace heddle::runtime
