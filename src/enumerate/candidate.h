// One run of each thread, put together: the events with what does not depend on rf and co, and what rf and co may be.
#pragma once

#include <vector>

#include "enumerate/execution.h"
#include "program/separate_threads.h"

namespace heddle::enumerate {

// What an axiom of the model says of every execution, so that nothing else need be made.
struct Known {
  bool coherent = false;  // acyclic (po-loc | rf | co | rb)
  bool atomic = false;    // empty rmw & (rb ; co)
  // Not of the model: values may come from themselves, so that cycles of rf and data are not left out.
  bool thinAir = false;
};

class Candidate {
 public:
  Candidate(const std::vector<InitialValue>& locations, Known known) : locations_(locations), known_(known) {}

  // Sets events, po, loc, int, ext, id, rmw, addr, data and ctrl.
  void assemble(const std::vector<const ThreadRun*>& runs);

  const Execution& execution() const { return execution_; }

  // ---- Reads-from: a write for each read, in order. Values fit; if the model is coherent, so do earlier events of the thread.
  const std::vector<std::size_t>& reads() const { return reads_; }
  const std::vector<std::size_t>& writesFor(std::size_t read) const { return writesFor_[read]; }  // by place in reads()
  void readFrom(std::size_t read, std::size_t write) { source_[read] = write; }
  // When all reads have their write: sets rf, and what must come before what. False if no order is left.
  bool setReadsFrom();

  // ---- Coherence: an order for each location, in order.
  std::size_t locations() const { return locations_.size(); }
  // All orders of the writes of a location, without the initial one. Calls visit(order) for each, until it returns false.
  template <class Visit>
  bool forEachOrder(std::size_t location, const Visit& visit);
  bool hasOneOrder(std::size_t location) const { return writesOf_[location].size() < 2; }
  // The least that every order has: what must come before what. Sets co and rb of this location.
  void setLeastCoherence(std::size_t location);
  // Sets co and rb of this location.
  void setCoherence(std::size_t location, const std::vector<std::size_t>& order);

 private:
  std::size_t locationOf(Address address) const;
  void addRun(const ThreadRun& run, int thread);
  void relateEvents();
  void findWrites();
  bool isHidden(std::size_t write, std::size_t read) const;
  void require(std::size_t before, std::size_t after);
  bool requireCoherence();
  void setReadsBefore(std::size_t location);
  template <class Visit>
  bool extend(std::size_t location, std::vector<std::size_t>& order, std::vector<std::size_t>& left, const Visit& visit);
  bool mayComeNext(std::size_t write, const std::vector<std::size_t>& order, const std::vector<std::size_t>& left) const;

  const std::vector<InitialValue>& locations_;
  const Known known_;
  Execution execution_;
  std::vector<std::size_t> place_;   // of an event's location, if it has one
  std::vector<std::size_t> reads_;   // events
  std::vector<std::size_t> source_;  // by place in reads_
  std::vector<std::vector<std::size_t>> writesFor_;
  std::vector<std::vector<std::size_t>> writesOf_;  // by location, without initial writes
  std::vector<std::vector<std::size_t>> readsOf_;   // by location: places in reads_
  std::vector<std::size_t> readOfUpdate_;           // of the write of a read-modify-write: its read's place in reads_
  relations::BitMatrix before_;                     // between writes: in every order
};

template <class Visit>
bool Candidate::forEachOrder(std::size_t location, const Visit& visit) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> left = writesOf_[location];
  return extend(location, order, left, visit);
}

template <class Visit>
bool Candidate::extend(std::size_t location, std::vector<std::size_t>& order, std::vector<std::size_t>& left,
                       const Visit& visit) {
  if (left.empty()) return visit(order);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t next = left[i];
    if (!mayComeNext(next, order, left)) continue;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    order.push_back(next);
    const bool goOn = extend(location, order, left, visit);
    order.pop_back();
    left.insert(left.begin() + static_cast<std::ptrdiff_t>(i), next);
    if (!goOn) return false;
  }
  return true;
}

}  // namespace heddle::enumerate
