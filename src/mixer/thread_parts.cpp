#include "mixer/thread_parts.h"

#include <algorithm>

namespace heddle::mixer {

void ThreadParts::order(const MixedGraph& graph) {
  version_ = graph.threadChanges();
  const unsigned threads = graph.threads();
  openers_.resize(threads);
  done_.assign(threads, 0);
  roots_.assign(threads, threads * (MixedGraph::kMaxEvents / threads));
  ranks_.resize(std::max<std::size_t>(ranks_.size(), graph.top() - kFirstEvent));
  for (unsigned t = 0; t < threads; ++t) {
    std::vector<EventId>& openers = openers_[t];
    openers.clear();
    const EventId last = graph.last(static_cast<ThreadId>(t));
    EventId opener = last == kNone || graph[last].kind == EventKind::thread ? last : graph.access(last).opener;
    for (; opener != kNone && graph[opener].thread == t; opener = graph.access(opener).opener) openers.push_back(opener);
    openers.push_back(opener);  // the spawn, or none
    std::ranges::reverse(openers);
  }
  const auto isDone = [&](EventId event) {  // the part that ends with this event
    const ThreadId t = graph[event].thread;
    const auto place = std::ranges::find(openers_[t], event) - openers_[t].begin();
    return done_[t] >= static_cast<std::size_t>(place);
  };
  const auto isAvailable = [&](unsigned t) {
    if (done_[t] == openers_[t].size()) return false;
    const EventId opener = openers_[t][done_[t]];
    if (opener == kNone) return true;
    if (graph[opener].thread != t) return isDone(opener);
    if (graph.operation(opener).kind == OperationKind::spawn) return true;
    const std::uint32_t child = graph[opener].partner;
    return done_[child] == openers_[child].size();
  };
  for (unsigned rank = 0;; ++rank) {
    unsigned t = 0;
    while (t < threads && !isAvailable(t)) ++t;
    if (t == threads) break;
    const EventId opener = openers_[t][done_[t]++];
    if (opener == kNone) {
      roots_[t] = rank;
    } else {
      Ranks& ranks = ranks_[opener - kFirstEvent];
      (graph[opener].thread == t ? ranks.own : ranks.child) = rank;
    }
  }
}

}  // namespace heddle::mixer
