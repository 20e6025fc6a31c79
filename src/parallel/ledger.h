// Which parts of the tree have been explored, by whom, and what was found there.
//
// The parts of a run are intervals of one walk through the tree, so the ledger is a list in the order of the walk. A part
// that is open has a rest: what was left of it when it was last heard of; what was found before that is
// recorded with it, in one step, so nothing is ever counted twice or lost. Parts that are done are joined with their
// neighbours, so the ledger is no longer than a few entries for each process.
//
//     | done: 812 executions | open, worker 1: 90, rest ... | open, waiting: 0, rest ... | done: 33 |
//
// If the run ends at an error it is the error of the first part that has one; what comes after that part does not count,
// whether it was explored or not. So what is reported does not depend on how many explore, or how fast.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "parallel/task.h"

namespace heddle::parallel {

struct Entry {
  explore::Subtree start;
  bool open = true;
  explore::Subtree rest;               // if it is open
  std::unique_ptr<Findings> findings;  // may be none
  int owner = -1;                      // the worker that has it, or none
  unsigned failures = 0;               // how often it was lost since it last made progress
};

class Ledger {
 public:
  using Place = std::list<Entry>::iterator;

  // An open part, where it belongs.
  Place open(const explore::Subtree& start);
  // As read from a checkpoint: at the end.
  Place append(Entry entry);

  // Something was found in a part up to its new rest.
  void commit(Place part, std::unique_ptr<Findings> findings, const explore::Subtree& rest);
  // The part is done.
  void close(Place part, std::unique_ptr<Findings> findings);
  // What comes after the part does not matter any more.
  void dropAfter(Place part);

  std::list<Entry>& entries() { return entries_; }
  const std::list<Entry>& entries() const { return entries_; }
  std::size_t openParts() const;
  std::uint64_t executions() const;
  std::uint64_t blocked() const;
  // All that was found, in order; none if nothing was. Takes it out.
  std::unique_ptr<Findings> takeTotal();

 private:
  static void add(Entry& entry, std::unique_ptr<Findings> findings);

  std::list<Entry> entries_;
};

}  // namespace heddle::parallel
