// Texts to and from heddle's processes on other machines.
//
// Who passes them on is another program, heddle-mpi (src/mpi), which has started this process and is at the other end of a pair of
// sockets. Rank 0 runs the command and has the verdict; the other ranks explore for it (agent.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parallel/channel.h"

namespace heddle::parallel {

// What is said. Each verb stands where it is sent: cluster_transport.cpp, agent.cpp.
struct Saying {
  std::string verb;
  std::uint64_t run = 0;     // which run of the exploration it is about
  std::uint64_t number = 0;  // of a worker on that machine; or what else the verb needs
  std::string text;
};

struct Heard {
  unsigned from = 0;  // the rank
  Saying saying;
};

class Relay {
 public:
  // None: this process was not started by heddle-mpi.
  static std::unique_ptr<Relay> connect();

  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  int descriptor() const { return channel_.descriptor(); }

  // False: there is nobody on the other side any more.
  bool send(unsigned rank, const Saying& saying);
  // Waits for what comes next; none, as above.
  std::optional<Heard> receive();
  // Reads what is there, without waiting. False as above; what came before is still to be taken.
  bool read() { return channel_.read(); }
  std::optional<Heard> take();

 private:
  explicit Relay(int descriptor) : channel_(descriptor) {}

  Channel channel_;
  unsigned rank_ = 0, ranks_ = 1;
};

}  // namespace heddle::parallel
