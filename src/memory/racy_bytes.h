// The bytes that plain accesses race for, in a program whose races are no errors (`heddle check --races off`).
//
// Plain accesses to these bytes are events of the graph, all others are not. Which bytes they are is found out by running
// into a race: the bytes are added and the exploration starts again (run/mode.h). Addresses mean the same in every
// execution, so that is all there is to know.
//
// A race in an array is seldom the only one. So each further race in an object adds more of what is around it, four times as
// much as the one before: an exploration starts again as often as the logarithm of an object's size.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "memory/layout.h"
#include "memory/memory.h"

namespace heddle::memory {

class RacyBytes {
 public:
  // Bytes that are accessed `unit` at a time, as far as is known: a power of two.
  struct Run {
    Address begin = 0, end = 0;
    unsigned unit = 1;
  };

  bool empty() const { return runs_.empty(); }
  bool touches(Address address, std::size_t size) const { return first(address, address + size).begin != 0; }
  // The first of these bytes in a range, up to where they are accessed otherwise. Nothing: begin is 0.
  Run first(Address begin, Address end) const;

  // Adds what was raced for, and the object around it. False: it was known.
  bool add(Range raced, Range object);

  std::string toText() const;  // in one line
  void set(const std::string& text);

 private:
  void fill(Address begin, Address end, unsigned unit);

  std::map<Address, Run> runs_;        // by their begin
  std::map<Address, unsigned> races_;  // how many there were in the object that begins there
};

}  // namespace heddle::memory
