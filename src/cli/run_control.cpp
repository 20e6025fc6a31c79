#include "cli/run_control.h"

#include <sched.h>

#include <algorithm>

#include "cli/interrupt.h"

namespace heddle::cli {

namespace {

unsigned cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace

parallel::Control runControl(const Options& options) {
  parallel::Control control;
  control.workers = options.jobs == 0 ? cores() : static_cast<unsigned>(options.jobs);
  control.first = options.first;
  control.seconds = options.time;
  control.bytes = options.memory * 1'000'000;
  control.attention = &attentionFlag();
  control.interrupted = &interruptFlag();
  return control;
}

}  // namespace heddle::cli
