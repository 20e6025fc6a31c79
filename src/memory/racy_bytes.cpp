#include "memory/racy_bytes.h"

#include <algorithm>
#include <bit>
#include <sstream>

namespace heddle::memory {

RacyBytes::Run RacyBytes::first(Address begin, Address end) const {
  if (begin >= end) return {};
  auto next = runs_.upper_bound(begin);
  if (next != runs_.begin() && std::prev(next)->second.end > begin) --next;
  if (next == runs_.end() || next->second.begin >= end) return {};
  const Run& run = next->second;
  return {std::max(run.begin, begin), std::min(run.end, end), run.unit};
}

// What is known already stays as it is.
void RacyBytes::fill(Address begin, Address end, unsigned unit) {
  while (begin < end) {
    const Run known = first(begin, end);
    const Address until = known.begin != 0 ? known.begin : end;
    if (begin < until) runs_[begin] = {begin, until, unit};
    begin = known.begin != 0 ? known.end : end;
  }
}

bool RacyBytes::add(Range raced, Range object) {
  const Address end = raced.address + raced.size;
  bool known = true;
  for (Address at = raced.address; known && at < end;) {
    const Run run = first(at, end);
    known = run.begin == at;
    at = run.end;
  }
  if (known) return false;
  const std::uint64_t aligned = raced.address & -raced.address;  // the largest power of two
  const auto unit = static_cast<unsigned>(std::min({std::uint64_t{16}, aligned, std::uint64_t{std::bit_floor(raced.size)}}));
  fill(raced.address, end, unit);
  unsigned& races = races_[object.address];
  const std::size_t window = raced.size << std::min(2 * races++, 40u);
  if (window == raced.size || raced.address - object.address >= object.size) return true;
  const Address from = raced.address - (raced.address - object.address) % window;
  fill(from, from + std::min(window, object.address + object.size - from), unit);
  return true;
}

std::string RacyBytes::toText() const {
  std::ostringstream text;
  text << runs_.size();
  for (const auto& [begin, run] : runs_) text << ' ' << run.begin << ' ' << run.end << ' ' << run.unit;
  for (const auto& [object, races] : races_) text << ' ' << object << ' ' << races;
  return text.str();
}

void RacyBytes::set(const std::string& text) {
  runs_.clear();
  races_.clear();
  std::istringstream numbers(text);
  std::size_t count = 0;
  numbers >> count;
  for (Run run; runs_.size() < count && numbers >> run.begin >> run.end >> run.unit;) runs_[run.begin] = run;
  Address object = 0;
  for (unsigned races = 0; numbers >> object >> races;) races_[object] = races;
}

}  // namespace heddle::memory
