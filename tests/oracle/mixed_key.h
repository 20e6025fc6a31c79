// How an execution with accesses of mixed sizes is written as a key. The oracle and the explorer both fill in a
// MixedKey from what they know, so that only what they know can differ, not how it is written.
//
//     0[W16:2=257 R32:1=0<i]1[R16:4=65793<0.1,0.1,1.2,i]|16:0.1;17:0.1;
//
// As the keys of oracle.h, but an access is <address>:<size>=<value>, a read names the write that each of its bytes is
// from, once if it is the same for all, and coherence is given for each byte that is written. Two executions have equal
// keys iff they have the same events, and the same rf and co on every byte.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "program/operation.h"

namespace heddle::oracle {

struct EventName {
  int thread = -1;     // -1: the initial write
  unsigned index = 0;  // counts from 1 in a thread, choices left out
  bool operator==(const EventName&) const = default;
};

struct KeyEvent {
  char kind = 'F';  // R, W, U for the write of a read-modify-write, F, T for spawn and join
  Address address = 0;
  unsigned size = 0;
  Value value = 0;
  std::vector<EventName> sources = {};  // of a read, for each byte from the lowest address on
};

struct MixedKey {
  bool failed = false;  // an assertion failed
  bool stuck = false;   // a thread that started has not finished
  std::vector<std::vector<KeyEvent>> threads;
  std::map<Address, std::vector<EventName>> coherence;  // of each byte, without its initial write
};

// With coherence, or up to the bar.
std::string toString(const MixedKey& key, bool coherence);

}  // namespace heddle::oracle
