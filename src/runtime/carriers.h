// Threads of the system that carry the program's threads, for a debugger: it shows each with its frames, also while it is paused.
//
// Without them the fibers of all threads run in one thread of the system, one after the other, and a debugger sees the one that runs.
// With them each fiber has a thread of its own. It stays on the fiber's stack while the fiber is paused, and waits there:
//
//     the explorer               carrier of thread 1                         carrier of thread 2
//     run(1) -- lets it go ----> the program's code, hooks, pause(1)
//            <------------------ waits on the fiber's stack
//     run(2) ------------------------------------------------------------->  ...
//
// One of them runs at a time, and the explorer waits for it. So nothing else has to know.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "memory/layout.h"
#include "program/operation.h"

namespace heddle::runtime {

class Carriers {
 public:
  explicit Carriers(std::vector<std::string> names) : names_(std::move(names)) {}  // of the program's threads
  // The fibers are abandoned where they are.
  ~Carriers();
  Carriers(const Carriers&) = delete;
  Carriers& operator=(const Carriers&) = delete;

  // By the explorer: the fiber with this stack pointer begins, or goes on from where it has paused, until it pauses.
  void run(ThreadId thread, void* stackPointer);
  // By the explorer: a fiber that is paused calls heddle_debugger_stop, where it is, and is paused as before.
  void show(ThreadId thread);
  // On the fiber: it pauses. Does not return if the carriers end.
  void pause(ThreadId thread);
  // Where a fiber goes that is abandoned in a signal handler.
  void* stackOf(ThreadId thread) const { return carriers_[thread]->stack; }

 private:
  struct Carrier {
    std::thread thread;
    std::binary_semaphore go{0};
    void* start = nullptr;  // the fiber's stack pointer at its beginning
    void* stack = nullptr;  // the carrier's own
    bool ends = false;
    bool shows = false;
    std::vector<std::byte> signalStack = std::vector<std::byte>(std::size_t{1} << 16);
  };
  void carry(ThreadId thread);

  const std::vector<std::string> names_;
  std::array<std::unique_ptr<Carrier>, memory::kThreads> carriers_;
  std::binary_semaphore paused_{0};
};

}  // namespace heddle::runtime
