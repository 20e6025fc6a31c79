#include "parallel/cluster_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::parallel {

namespace {

std::uint64_t nextRun() {
  static std::uint64_t runs = 0;
  return ++runs;
}

}  // namespace

ClusterTransport::ClusterTransport(Task& task, Relay& relay, const std::vector<unsigned>& workersOf)
    : task_(task),
      relay_(relay),
      run_(nextRun()),
      local_(task, workersOf[0], {.descriptor = relay.descriptor(), .settle = {}}),
      machines_(workersOf.size()) {
  for (unsigned rank = 0; rank < workersOf.size(); ++rank) {
    machines_[rank].first = places_.size();
    for (unsigned worker = 0; worker < workersOf[rank]; ++worker) places_.push_back({.rank = rank, .worker = worker});
    if (rank != 0) tell(rank, "run", 0, task.agreements());
  }
}

void ClusterTransport::tell(unsigned rank, const char* verb, std::uint64_t number, std::string text) {
  relay_.send(rank, {.verb = verb, .run = run_, .number = number, .text = std::move(text)});
}

// What is said of others' workers is heard in order, so nobody waits for an answer.
bool ClusterTransport::start(std::size_t worker) {
  Place& place = places_[worker];
  if (machines_[place.rank].isGone) return false;
  place.alive = true;
  if (place.rank == 0) return local_.start(place.worker);
  tell(place.rank, "start", place.worker);
  return true;
}

void ClusterTransport::send(std::size_t worker, const std::string& message) {
  const Place& place = places_[worker];
  if (place.rank == 0) return local_.send(place.worker, message);
  tell(place.rank, "send", place.worker, message);
}

void ClusterTransport::ask(std::size_t worker, std::uint32_t what) {
  const Place& place = places_[worker];
  if (place.rank == 0) return local_.ask(place.worker, what);
  tell(place.rank, "ask", place.worker, std::to_string(what));
}

std::vector<News> ClusterTransport::receive(double seconds) {
  std::vector<News> news = local_.receive(seconds);  // the workers of this machine come first in places_
  const bool isThere = relay_.read();
  while (const std::optional<Heard> heard = relay_.take()) handle(*heard, news);
  if (!isThere) {
    for (unsigned rank = 1; rank < machines_.size(); ++rank) lose(rank, news);
  }
  return news;
}

void ClusterTransport::handle(const Heard& heard, std::vector<News>& news) {
  const auto& [from, saying] = heard;
  if (from == 0 || from >= machines_.size()) return;
  if (saying.verb == "gone") return lose(from, news);
  if (saying.run != run_) return;
  if (saying.verb == "settle") return tell(from, "settled", 0, task_.settle(saying.text));
  if (saying.verb == "memory") {
    machines_[from].bytes = saying.number;
    return;
  }
  const std::size_t place = machines_[from].first + saying.number;
  if (place >= places_.size() || places_[place].rank != from) return;
  const bool ended = saying.verb == "ended";
  if (ended) places_[place].alive = false;
  news.push_back({.worker = place, .ended = ended, .text = saying.text});
}

void ClusterTransport::lose(unsigned rank, std::vector<News>& news) {
  if (std::exchange(machines_[rank].isGone, true)) return;
  machines_[rank].bytes = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].rank != rank || !std::exchange(places_[i].alive, false)) continue;
    news.push_back({.worker = i, .ended = true, .text = fmt::format("on rank {}, which has ended", rank)});
  }
}

std::uint64_t ClusterTransport::memoryInUse() const {
  std::uint64_t bytes = local_.memoryInUse();
  for (const Machine& machine : machines_) bytes += machine.bytes;
  return bytes;
}

void ClusterTransport::endAll() {
  local_.endAll();
  for (unsigned rank = 1; rank < machines_.size(); ++rank) {
    if (!machines_[rank].isGone) tell(rank, "end");
  }
}

}  // namespace heddle::parallel
