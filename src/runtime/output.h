// What the threads of the program print. It is taken back with the segment of plain memory that printed it.
//
// What is shown as it is printed stands on the same standard output as heddle's own report. So control characters are shown as
// question marks, which do nothing to a terminal, and a line that begins as one of heddle's does has a bar before it.
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
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    if (!begun_.empty()) write("| " + begun_ + '\n');
  }

  void show(bool on) { shown_ = on; }  // as it is printed
  void clear() { printed_.clear(); }
  // The log of plain memory is cut back to there.
  void release(std::size_t logTop) {
    while (!printed_.empty() && printed_.back().logTop > logTop) printed_.pop_back();
  }

  void print(std::string_view text) {
    const memory::SegmentId segment = memory_.openSegment();
    printed_.push_back({segment, memory_.logTop(), std::string(text)});
    if (shown_) showText(text);
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

  void showText(std::string_view text);
  static void write(std::string_view text);

  memory::Memory& memory_;
  std::vector<Printed> printed_;
  bool shown_ = false;
  std::string begun_;      // of a line that is shown: it may become one like heddle's
  bool isInLine_ = false;  // the line is none
  bool isLead_ = false;    // the byte before may begin a control character of two bytes
};

}  // namespace heddle::runtime
