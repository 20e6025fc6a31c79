// Workers on several machines: those of this one, and those of the other ranks (relay.h), where an agent starts them (agent.h).
//
// What is said, by this side:                                  by an agent:
//
//   run R: explore in this way [Task::agreements]                news R W [a message of worker W]
//   start R W, send R W [a message], ask R W [a request]         ended R W [how worker W has ended]
//   end R: all workers                                           memory R N: bytes in use
//   settled R [answer]                                           settle R [question, of Task::settle]
//
// R is the number of the run: one that starts again in another mode is another run, and news of the one before come too late.
// If an agent ends (gone), all its workers have ended, and cannot be started again.
#pragma once

#include <vector>

#include "parallel/local_transport.h"
#include "parallel/relay.h"
#include "parallel/transport.h"

namespace heddle::parallel {

class ClusterTransport final : public Transport {
 public:
  // `workersOf`: by rank.
  ClusterTransport(Task& task, Relay& relay, const std::vector<unsigned>& workersOf);
  ~ClusterTransport() override { ClusterTransport::endAll(); }
  ClusterTransport(const ClusterTransport&) = delete;
  ClusterTransport& operator=(const ClusterTransport&) = delete;

  std::size_t places() const override { return places_.size(); }
  bool start(std::size_t worker) override;
  void send(std::size_t worker, const std::string& message) override;
  void ask(std::size_t worker, std::uint32_t what) override;
  std::vector<News> receive(double seconds) override;
  std::uint64_t memoryInUse() const override;
  void endAll() override;

 private:
  struct Place {
    unsigned rank = 0;
    std::size_t worker = 0;  // its number there
    bool alive = false;
  };
  struct Machine {
    bool isGone = false;
    std::size_t first = 0;  // of its places
    std::uint64_t bytes = 0;
  };

  void tell(unsigned rank, const char* verb, std::uint64_t number = 0, std::string text = "");
  void handle(const Heard& heard, std::vector<News>& news);
  void lose(unsigned rank, std::vector<News>& news);

  Task& task_;
  Relay& relay_;
  std::uint64_t run_;
  LocalTransport local_;
  std::vector<Place> places_;
  std::vector<Machine> machines_;
};

}  // namespace heddle::parallel
