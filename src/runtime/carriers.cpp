#include "runtime/carriers.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <utility>

#include "runtime/arch/processor.h"
#include "runtime/debugger.h"

namespace heddle::runtime {

Carriers::~Carriers() {
  for (const auto& carrier : carriers_) {
    if (!carrier) continue;
    carrier->ends = true;
    carrier->go.release();
    carrier->thread.join();
  }
}

void Carriers::run(ThreadId thread, void* stackPointer) {
  auto& carrier = carriers_[thread];
  if (!carrier) {
    carrier = std::make_unique<Carrier>();
    carrier->start = stackPointer;
    carrier->thread = std::thread([this, thread] { carry(thread); });
  }
  carrier->go.release();
  paused_.acquire();
}

void Carriers::carry(ThreadId thread) {
  Carrier& self = *carriers_[thread];
  if (thread < names_.size()) pthread_setname_np(pthread_self(), names_[thread].substr(0, 15).c_str());
  if (thread < HeddleDebugger::kMostThreads) heddle_debugger.systemThreads[thread] = gettid();
  const stack_t stack{.ss_sp = self.signalStack.data(), .ss_flags = 0, .ss_size = self.signalStack.size()};
  sigaltstack(&stack, nullptr);
  self.go.acquire();
  if (self.ends) return;
  heddle_switch(&self.stack, self.start);
  // The fiber has been abandoned: by pause, as the carriers end, or by a signal handler.
  while (!self.ends) {
    paused_.release();
    self.go.acquire();
  }
}

void Carriers::pause(ThreadId thread) {
  Carrier& self = *carriers_[thread];
  while (true) {
    paused_.release();
    self.go.acquire();
    if (self.ends) {
      void* abandoned = nullptr;
      heddle_switch(&abandoned, self.stack);
    }
    if (!std::exchange(self.shows, false)) return;
    heddle_debugger_stop();
  }
}

void Carriers::show(ThreadId thread) {
  Carrier& carrier = *carriers_[thread];
  carrier.shows = true;
  carrier.go.release();
  paused_.acquire();
}

}  // namespace heddle::runtime
