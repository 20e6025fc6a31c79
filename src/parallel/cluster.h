// The machines that explore one program (relay.h): what they tell each other before the exploration.
//
//   an agent to rank 0    hello N: it has N workers [its version of heddle]
//   rank 0 to agents      command [the words of the command line], program [what is to be explored]
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/relay.h"
#include "parallel/transport.h"

namespace heddle::parallel {

class ClusterError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Cluster {
 public:
  // Throws ClusterError if the ranks have different versions of heddle.
  Cluster(std::unique_ptr<Relay> relay, unsigned workers, const std::string& version);

  // The one that has the verdict?
  bool isFirst() const { return relay_->rank() == 0; }
  unsigned rank() const { return relay_->rank(); }

  // For rank 0.
  void tellAll(const char* verb, const std::string& text);
  unsigned workers() const;  // of all machines
  unsigned workersHere() const { return workersOf_[0]; }
  TransportMaker transport();

  // For the others. None: rank 0 has ended.
  std::optional<std::string> await(const char* verb);
  Relay& relay() { return *relay_; }

 private:
  std::unique_ptr<Relay> relay_;
  std::vector<unsigned> workersOf_;  // by rank
};

}  // namespace heddle::parallel
