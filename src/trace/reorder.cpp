#include "trace/reorder.h"

#include <algorithm>
#include <map>

#include "trace/interleaving.h"

namespace heddle::trace {

namespace {

class Reorderer {
 public:
  explicit Reorderer(Execution& execution) : execution_(execution) {
    for (std::size_t i = 0; i < execution.events.size(); ++i) at_[execution.events[i].number] = i;
  }

  void run() {
    const Interleaving found = interleave(steps());
    std::vector<unsigned> numbers(execution_.events.size());
    for (std::size_t i = 0; i < found.order.size(); ++i) numbers[found.order[i]] = static_cast<unsigned>(i + 1);
    for (const Unexplained& odd : found.unexplained) {
      Event& event = execution_.events[odd.step];
      event.oddity = odd.isEarly ? Oddity::early : event.reads ? Oddity::stale : Oddity::overtaken;
      event.oddBy = execution_.events[odd.by].number;
    }
    const auto renumber = [&](unsigned& number) {
      if (const auto old = at_.find(number); old != at_.end()) number = numbers[old->second];
    };
    for (Event& event : execution_.events) {
      for (unsigned* number : {&event.number, &event.from, &event.coAfter, &event.oddBy}) renumber(*number);
    }
    for (Coherence& order : execution_.coherence) std::ranges::for_each(order.writes, renumber);
    for (Relation& relation : execution_.relations) {
      for (auto& [first, second] : relation.pairs) renumber(first), renumber(second);
      std::ranges::sort(relation.pairs);
    }
    std::ranges::sort(execution_.events, {}, &Event::number);
  }

 private:
  // How many writes come before a write, or before what a read reads from, and itself.
  std::size_t placeOf(unsigned number) const {
    std::size_t place = 0;
    for (auto at = at_.find(number); at != at_.end() && place < execution_.events.size(); ++place) {
      at = at_.find(execution_.events[at->second].coAfter);
    }
    return place;
  }

  std::vector<Step> steps() const {
    std::map<std::string, std::size_t> cells;
    std::map<ThreadId, std::size_t> last;
    std::vector<Step> steps;
    for (std::size_t i = 0; i < execution_.events.size(); ++i) {
      const Event& event = execution_.events[i];
      Step& step = steps.emplace_back();
      step.thread = event.thread;
      if (const auto before = last.find(event.thread); before != last.end()) step.after.push_back(before->second);
      last[event.thread] = i;
      if (!event.reads && !event.writes) continue;
      const std::size_t cell = cells.try_emplace(event.location, cells.size()).first->second;
      if (event.reads) step.reads.push_back({cell, placeOf(event.from)});
      if (event.writes) step.writes.push_back({cell, placeOf(event.number)});
    }
    return steps;
  }

  Execution& execution_;
  std::map<unsigned, std::size_t> at_;  // by number
};

}  // namespace

void readAsInterleaving(Execution& execution) { Reorderer(execution).run(); }

}  // namespace heddle::trace
