#include "parallel/cluster.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "parallel/cluster_transport.h"

namespace heddle::parallel {

Cluster::Cluster(std::unique_ptr<Relay> relay, unsigned workers, const std::string& version) : relay_(std::move(relay)) {
  if (!isFirst()) {
    relay_->send(0, {.verb = "hello", .number = workers, .text = version});
    return;
  }
  workersOf_.assign(relay_->ranks(), 0);
  workersOf_[0] = workers;
  for (unsigned missing = relay_->ranks() - 1; missing > 0;) {
    const std::optional<Heard> heard = relay_->receive();
    if (!heard) throw ClusterError("heddle: heddle-mpi, which started this process, has ended");
    const auto& [from, saying] = *heard;
    if (saying.verb == "hello") {
      if (saying.text != version) {
        throw ClusterError(fmt::format("heddle: rank {} has another version of heddle ({}) than rank 0 ({}): install the same "
                                       "one on all machines",
                                       from, saying.text, version));
      }
      workersOf_.at(from) = static_cast<unsigned>(saying.number);
    }
    if (saying.verb == "hello" || saying.verb == "gone") --missing;
  }
}

void Cluster::tellAll(const char* verb, const std::string& text) {
  for (unsigned rank = 1; rank < relay_->ranks(); ++rank) relay_->send(rank, {.verb = verb, .text = text});
}

unsigned Cluster::workers() const { return std::accumulate(workersOf_.begin(), workersOf_.end(), 0U); }

TransportMaker Cluster::transport() {
  return [this](Task& task, unsigned) { return std::make_unique<ClusterTransport>(task, *relay_, workersOf_); };
}

std::optional<std::string> Cluster::await(const char* verb) {
  while (std::optional<Heard> heard = relay_->receive()) {
    if (heard->saying.verb == verb) return std::move(heard->saying.text);
  }
  return std::nullopt;
}

}  // namespace heddle::parallel
