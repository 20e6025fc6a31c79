// Workers that are processes of this machine: copies of this one, each with a pair of sockets.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parallel/channel.h"
#include "parallel/transport.h"

namespace heddle::parallel {

// For a machine that is one of several (cluster_transport.h, agent.h).
struct OtherMachines {
  int descriptor = -1;  // receive() also ends when there is something to read here; workers close it
  // What the workers of all machines have to agree on (Task::settle) is asked of others.
  std::function<std::string(const std::string& question)> settle;
};

class LocalTransport final : public Transport {
 public:
  LocalTransport(Task& task, unsigned workers, OtherMachines others = {});
  ~LocalTransport() override;
  LocalTransport(const LocalTransport&) = delete;
  LocalTransport& operator=(const LocalTransport&) = delete;

  std::size_t places() const override { return workers_.size(); }
  bool start(std::size_t worker) override;
  void send(std::size_t worker, const std::string& message) override;
  void ask(std::size_t worker, std::uint32_t what) override { requests_[worker].ask(what); }
  std::vector<News> receive(double seconds) override;
  std::uint64_t memoryInUse() const override;
  void endAll() override;
  bool isAlive(std::size_t worker) const { return workers_[worker].channel.has_value(); }

 private:
  struct Worker {
    int process = -1;
    std::optional<Channel> channel;
  };

  void receiveFrom(std::size_t index, std::vector<News>& news);

  Task& task_;
  OtherMachines others_;
  Request* requests_ = nullptr;
  std::vector<Worker> workers_;
};

std::unique_ptr<Transport> localTransport(Task& task, unsigned workers);

}  // namespace heddle::parallel
