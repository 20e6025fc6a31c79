// What the threads of the program print. It is taken back with the segment of plain memory that printed it.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"

namespace heddle::runtime {

class Output {
 public:
  explicit Output(memory::Memory& memory) : memory_(memory) {}

  void show(bool on) { shown_ = on; }  // as it is printed
  void clear() { printed_.clear(); }
  // The log of plain memory is cut back to there.
  void release(std::size_t logTop) {
    while (!printed_.empty() && printed_.back().logTop > logTop) printed_.pop_back();
  }

  void print(std::string_view text) {
    const memory::SegmentId segment = memory_.openSegment();
    printed_.push_back({segment, memory_.logTop(), std::string(text)});
    if (shown_) std::fwrite(text.data(), 1, text.size(), stdout);
  }

  // In the current execution.
  std::string text() const {
    std::string text;
    for (const Printed& printed : printed_) {
      if (memory_.isLive(printed.segment)) text += printed.text;
    }
    return text;
  }

 private:
  struct Printed {
    memory::SegmentId segment;
    std::size_t logTop;
    std::string text;
  };

  memory::Memory& memory_;
  std::vector<Printed> printed_;
  bool shown_ = false;
};

}  // namespace heddle::runtime
