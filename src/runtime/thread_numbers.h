// The numbers of threads: which is the n-th thread that thread p starts.
//
// They are given in the order in which such threads are first met, and then stay. Processes that explore one program
// together must agree on them, because they are parts of graphs and of addresses, so the table is in memory that forked
// processes share. Entries are only ever added, each by one compare-exchange; a process may end at any moment.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "program/thread_set.h"

namespace heddle::runtime {

class ThreadNumbers {
 public:
  static constexpr unsigned kMost = kMostThreads;

  ThreadNumbers();
  ~ThreadNumbers();
  ThreadNumbers(const ThreadNumbers&) = delete;
  ThreadNumbers& operator=(const ThreadNumbers&) = delete;

  // From 1; kMost if there are no more.
  ThreadId of(ThreadId parent, std::uint32_t child);
  // Numbers that are not known yet are from now on asked of somebody else, in this process: who explores with processes of other
  // machines.
  using Settler = std::function<ThreadId(ThreadId parent, std::uint32_t child)>;
  void setSettler(Settler settler) { settler_ = std::move(settler); }

  // For a run that goes on later, elsewhere.
  std::string toText() const;
  void set(const std::string& text);  // throws std::invalid_argument

 private:
  using Table = std::array<std::atomic<std::uint64_t>, kMost>;
  Table* table_;
  Settler settler_;
};

}  // namespace heddle::runtime
