// An execution of a program as the Linux kernel's memory model sees it.
//
// The exploration has events of C11, whose operations say what they are in the kernel's words (include/heddle/linux.h). The model is
// evaluated over events with tags and their base relations (enumerate/execution.h). This makes the one of the other:
//
//     relaxed, acquire, release accesses      Once, Acquire, Release; the halves of a read-modify-write each as herd has them
//     seq_cst accesses                        Once, between two fences in Mb
//     locks                                   LKR and LKW, UL, LF; other reads of a lock's word are RL or RU
//     fences                                  their tags. The sections of SRCU are known by what their lock returned: that is the
//                                             data of their unlock
//     spawn, join                             program order crosses threads there. What comes before a spawn comes before all that
//                                             the new thread does as if a full fence were between them, so one is put at the
//                                             beginning of each thread, and one at its end; the thread that spawns or joins has none
//     a critical section that is not ended    ends with its thread
//
// Plain stores that do not race are no events. Of those through pointers that depend on reads one rule of the model speaks, `addr ;
// [Plain] ; wmb`: so before each smp_wmb() there is one plain write, of no location, which stands for all before it. The fence knows
// what their addresses depend on.
//
// The end of a heap block's life is a plain write of the block, which nothing reads. A plain access to a block that is freed is an
// event, too, if it is asked for: it stands where the access is, between two events of its thread, and has no location.
//
// A thread that has failed, or waits for ever, may be in a critical section. That it ends there is the least that the model can
// know of it: what else the thread would do in the section would only add to the orders that a grace period makes.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "enumerate/execution.h"
#include "graph/execution_view.h"

namespace heddle::run {

// A plain access that is no event of the graph: before the event of its thread that has the index, or at the end of the thread.
struct PlainAccess {
  ThreadId thread = 0;
  std::uint32_t index = 0;
  bool write = false;
  std::size_t number = 0;  // set by assemble: its event
};

class KernelExecution {
 public:
  // The graph is complete and has no mixed sizes. Throws LimitError for what the model has no word for.
  void assemble(const ExecutionView& graph, std::vector<PlainAccess>& accesses);

  const enumerate::Execution& execution() const { return execution_; }
  // The event of the graph; kNone for an initial write, or what was put in.
  EventId eventOf(std::size_t number) const { return shown_[number]; }
  std::size_t numberOf(EventId id) const { return isInitial(id) ? initial_.at(id) : number_[id - kFirstEvent]; }

 private:
  void findLocations(const ExecutionView& graph);
  void addThread(const ExecutionView& graph, ThreadId thread, std::vector<PlainAccess>& accesses);
  void addEvent(const ExecutionView& graph, EventId id);
  void addFence(ThreadId thread, EventTags tags, Address about = 0);
  void addStoresBefore(const ExecutionView& graph, EventId fence);
  void endSections(ThreadId thread);
  void relateThreads(const ExecutionView& graph);
  void relateLocations();
  void relateDependencies(const ExecutionView& graph);
  void relateMemory(const ExecutionView& graph);
  enumerate::Event describe(const ExecutionView& graph, EventId id) const;
  EventTags tagsOf(const ExecutionView& graph, EventId id) const;
  bool isLock(LocationId location) const { return std::find(locks_.begin(), locks_.end(), location) != locks_.end(); }
  struct Section {
    std::size_t lock;
    Value value;
    Address about;
    bool isOpen;
  };

  enumerate::Execution execution_;
  std::vector<EventId> shown_;
  std::vector<std::size_t> number_;  // by event, from kFirstEvent
  std::unordered_map<LocationId, std::size_t> initial_;
  std::vector<LocationId> locks_;
  std::vector<std::pair<std::size_t, std::size_t>> threads_;  // by thread: the first of its events, and behind the last
  std::vector<Section> srcu_;
  std::vector<std::pair<std::size_t, EventId>> stores_;      // a plain write, and the fence that knows what it depends on
  std::vector<std::pair<std::size_t, std::size_t>> passed_;  // from the lock of a section of SRCU to its unlock
};

}  // namespace heddle::run
