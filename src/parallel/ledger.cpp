#include "parallel/ledger.h"

#include <algorithm>
#include <iterator>

namespace heddle::parallel {

Ledger::Place Ledger::open(const explore::Subtree& start) {
  const auto place =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return explore::compareStarts(start, entry.start) < 0; });
  return entries_.insert(place, Entry{.start = start, .open = true, .rest = start, .findings = {}});
}

Ledger::Place Ledger::append(Entry entry) { return entries_.insert(entries_.end(), std::move(entry)); }

void Ledger::add(Entry& entry, std::unique_ptr<Findings> findings) {
  if (!findings) return;
  if (findings->executions() + findings->blocked() != 0) entry.failures = 0;
  if (entry.findings) {
    entry.findings->add(*findings);
  } else {
    entry.findings = std::move(findings);
  }
}

void Ledger::commit(Place part, std::unique_ptr<Findings> findings, const explore::Subtree& rest) {
  add(*part, std::move(findings));
  part->rest = rest;
}

void Ledger::close(Place part, std::unique_ptr<Findings> findings) {
  add(*part, std::move(findings));
  part->open = false;
  part->owner = -1;
  part->rest = {};
  if (const auto next = std::next(part); next != entries_.end() && !next->open) {
    add(*part, std::move(next->findings));
    entries_.erase(next);
  }
  if (part != entries_.begin() && !std::prev(part)->open) {
    add(*std::prev(part), std::move(part->findings));
    entries_.erase(part);
  }
}

void Ledger::dropAfter(Place part) { entries_.erase(std::next(part), entries_.end()); }

std::size_t Ledger::openParts() const {
  return static_cast<std::size_t>(std::ranges::count_if(entries_, [](const Entry& entry) { return entry.open; }));
}

std::uint64_t Ledger::executions() const {
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) sum += entry.findings ? entry.findings->executions() : 0;
  return sum;
}

std::uint64_t Ledger::blocked() const {
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) sum += entry.findings ? entry.findings->blocked() : 0;
  return sum;
}

std::unique_ptr<Findings> Ledger::takeTotal() {
  std::unique_ptr<Findings> sum;
  for (Entry& entry : entries_) {
    if (sum && entry.findings) {
      sum->add(*entry.findings);
    } else if (entry.findings) {
      sum = std::move(entry.findings);
    }
  }
  return sum;
}

}  // namespace heddle::parallel
