// Which addresses a call through a pointer may go to: the functions of the program, and the host's functions that it uses.
//
// The processor would go anywhere: into heddle, into the C library, into the middle of an instruction. So instrumented code asks before
// each call through a pointer (heddle_check_callee), and whoever makes machine code says where functions begin. A call of the
// program's own functions is found in a table with a bit for each byte of the image. What the host's virtual tables lead to (of
// std's exceptions, say) is looked up in the host's symbols when it is first called.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "program/operation.h"

namespace heddle::runtime {

class CallTargets {
 public:
  void clear();
  // A function begins here.
  void add(Address function);
  bool contains(Address callee) {
    const Address offset = callee - memoryBegin_;
    return offset < starts_.size() ? starts_[offset] : isOfHost(callee);
  }
  // What is there, in words.
  static std::string describe(Address callee);

 private:
  bool isOfHost(Address callee);

  static const Address memoryBegin_;
  std::vector<bool> starts_;  // in the image
  std::unordered_set<Address> host_;
};

// Of the program that is in memory.
CallTargets& callTargets();

}  // namespace heddle::runtime
