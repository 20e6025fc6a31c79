#include "run/long_run.h"

#include <fmt/format.h>
#include <sched.h>

namespace heddle::run {

namespace {

unsigned coresOfThisProcess() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

bool allowsReadsFrom(const CheckOptions& options) {
  return options.equivalence == explore::Equivalence::co && options.judge == nullptr && options.stale == 0 &&
         !options.build.fair && options.persistency == Persistency::none;
}

}  // namespace

RunShape shapeOf(const ExecutionView& graph) {
  RunShape shape;
  for (unsigned thread = 0; thread < graph.threads(); ++thread) {
    if (graph.first(static_cast<ThreadId>(thread)) != kNone) ++shape.threads;
  }
  for (const CoherenceOrder& order : graph.coherence()) {
    ThreadSet writers;
    for (const EventId write : order.writes) {
      if (!graph[write].rmw) writers.insert(graph[write].thread);
    }
    if (writers.size() > 1 && !order.bytes.empty() && !shape.contended) shape.contended = order.bytes[0].address;
  }
  return shape;
}

std::vector<std::string> adviceForLongRun(const CheckOptions& options, const RunShape& shape, const std::string& contended,
                                          const CheckResult& result) {
  std::vector<std::string> advice;
  if (shape.contended && allowsReadsFrom(options)) {
    advice.push_back(fmt::format(
        "several threads write to {}: --equivalence rf does not tell their orders apart, which may be far less", contended));
  }
  if (result.blocked > result.executions) {
    advice.push_back("most executions are blocked: --list-loops shows which loops go round, and --unroll N bounds them (the "
                     "verdict is then bounded)");
  }
  const unsigned cores = coresOfThisProcess();
  if (options.control.workers < cores && options.maxExecutions == 0) {
    advice.push_back(fmt::format("only {} of {} cores was used: -j {} uses all", options.control.workers, cores, cores));
  }
  if (shape.threads > 3) {
    advice.push_back(
        fmt::format("{} threads take part: most errors need only two or three, and each one more multiplies the executions",
                    shape.threads));
  }
  advice.push_back(result.estimate.isKnown()
                       ? "if that is too long: --sample 10000 looks at random executions (the verdict is then sampled)"
                       : "--estimate says about how many executions there are; --sample 10000 looks at random ones");
  return advice;
}

}  // namespace heddle::run
