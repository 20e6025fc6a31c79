// How a run and its workers reach each other.
//
// A run has a Transport, each of its workers a Port. Messages are texts (worker.h). The coordinator and the worker's loop know
// no more than what is declared here. So another way to have workers, say on other machines, is a file like
// local_transport.cpp, and a choice of Control::transport.
//
//     coordinator    start, send, ask, receive   Transport ... Port    receive, send, request    worker
//
// Besides messages there are requests, for a worker that explores reads no messages: it looks at a flag in its memory after each
// execution. Whatever brings a request to a worker ends by setting that flag.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parallel/task.h"

namespace heddle::parallel {

// What a run asks of a worker while that explores.
struct alignas(128) Request {
  enum : std::uint32_t { kSplit = 1, kCommit = 2, kStop = 4 };
  std::atomic<bool> attention = false;
  std::atomic<std::uint32_t> wants = 0;

  void ask(std::uint32_t what) {
    wants.fetch_or(what);
    attention.store(true);
  }
};

// A worker's side.
class Port {
 public:
  virtual ~Port() = default;
  // Waits for the next message; none: there is nobody on the other side any more.
  virtual std::optional<std::string> receive() = 0;
  // False: there is nobody on the other side any more.
  virtual bool send(const std::string& message) = 0;
  virtual Request& request() = 0;
};

// What a run hears of a worker: a message, or that it has ended.
struct News {
  std::size_t worker = 0;
  bool ended = false;
  std::string text;  // the message; or how it has ended, as in "the process was ..."
};

// The run's side. Workers have numbers from 0. All of them have ended when the transport is destroyed.
class Transport {
 public:
  virtual ~Transport() = default;
  // How many workers there can be.
  virtual std::size_t places() const = 0;
  // Starts a worker that is not there yet, or has ended. False: there is no room for it.
  virtual bool start(std::size_t worker) = 0;
  // What was asked before this message is not asked any more. If the worker is gone that will be news.
  virtual void send(std::size_t worker, const std::string& message) = 0;
  // Request::kSplit, ...
  virtual void ask(std::size_t worker, std::uint32_t what) = 0;
  // Waits for news, for so long at most. Those of one worker are in order, and its end is the last of them.
  virtual std::vector<News> receive(double seconds) = 0;
  // Memory that the workers use, in bytes, without what they share.
  virtual std::uint64_t memoryInUse() const = 0;
  // All workers, at once; that is no news.
  virtual void endAll() = 0;
};

using TransportMaker = std::function<std::unique_ptr<Transport>(Task& task, unsigned workers)>;

}  // namespace heddle::parallel
