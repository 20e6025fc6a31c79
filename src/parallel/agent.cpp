#include "parallel/agent.h"

#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "parallel/local_transport.h"
#include "parallel/run.h"
#include "util/memory_use.h"

namespace heddle::parallel {

namespace {

constexpr double kMemorySeconds = 0.5;  // between two reports of the memory in use

// One run, from `run` to `end`.
class Agent {
 public:
  Agent(Task& task, Relay& relay, unsigned workers, std::uint64_t run)
      : relay_(relay), run_(run), local_(task, workers, others()) {}

  // False: there is nobody on the other side any more.
  bool serve() {
    while (!ended_) {
      for (News& news : local_.receive(kMemorySeconds)) {
        tell(news.ended ? "ended" : "news", news.worker, std::move(news.text));
      }
      if (!relay_.read()) return false;
      while (const std::optional<Heard> heard = next()) obey(heard->saying);
      reportMemory();
    }
    return true;
  }

 private:
  OtherMachines others() {
    return {.descriptor = relay_.descriptor(), .settle = [this](const std::string& question) { return settle(question); }};
  }

  void tell(const char* verb, std::uint64_t number, std::string text) {
    relay_.send(0, {.verb = verb, .run = run_, .number = number, .text = std::move(text)});
  }

  std::optional<Heard> next() {
    if (ended_) return std::nullopt;
    if (postponed_.empty()) return relay_.take();
    Heard heard = std::move(postponed_.front());
    postponed_.pop_front();
    return heard;
  }

  void obey(const Saying& saying) {
    if (saying.run != run_) return;
    if (saying.verb == "end") ended_ = true;
    if (saying.number >= local_.places()) return;
    const auto worker = static_cast<std::size_t>(saying.number);
    if (saying.verb == "start" && !local_.start(worker)) tell("ended", worker, "not started: no more processes can be");
    if (saying.verb == "send" && local_.isAlive(worker)) local_.send(worker, saying.text);
    if (saying.verb == "ask") local_.ask(worker, static_cast<std::uint32_t>(std::strtoul(saying.text.c_str(), nullptr, 10)));
  }

  // A worker waits for the answer, and has asked nothing else before.
  std::string settle(const std::string& question) {
    tell("settle", 0, question);
    while (const std::optional<Heard> heard = relay_.receive()) {
      if (heard->saying.verb == "settled" && heard->saying.run == run_) return heard->saying.text;
      postponed_.push_back(*heard);
    }
    _exit(0);
  }

  void reportMemory() {
    const double time = now();
    if (time - reported_ < kMemorySeconds) return;
    reported_ = time;
    tell("memory", util::memoryOf(getpid()) + local_.memoryInUse(), "");
  }

  Relay& relay_;
  std::uint64_t run_;
  LocalTransport local_;
  std::deque<Heard> postponed_;
  bool ended_ = false;
  double reported_ = 0;
};

}  // namespace

void serveRuns(Task& task, Relay& relay, unsigned workers) {
  while (const std::optional<Heard> heard = relay.receive()) {
    if (heard->saying.verb != "run") continue;
    task.setAgreements(heard->saying.text);
    if (!Agent(task, relay, workers, heard->saying.run).serve()) return;
  }
}

}  // namespace heddle::parallel
