// Runs over a transport without processes: they must end as if one process had explored alone.
//
// A worker of this transport is called when the run waits for news, explores the part that it was sent, and returns; its messages
// are then the news. So all happens in one thread and in the same order each time. As the run has no time to ask for
// anything, the transport asks in its name; and it can break the line to a worker after so many messages.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "bench/programs.h"
#include "parallel/worker.h"
#include "unit/sum_task.h"

namespace heddle::parallel {
namespace {

struct Script {
  unsigned splits = 0;              // that are asked of workers, as long as one has something to give
  unsigned messagesBeforeLoss = 0;  // of all workers; 0: no line breaks
  unsigned losses = 0;
  bool losesWhatIsSent = false;  // the message that the line breaks at has not arrived
  unsigned mostStarts = 1'000'000;
};

class QueuePort final : public Port {
 public:
  QueuePort(std::string part, Script& script, unsigned& heard) : part_(std::move(part)), script_(script), heard_(heard) {
    askForSplit();
  }

  std::optional<std::string> receive() override {
    if (broken_) return std::nullopt;
    return std::exchange(part_, std::nullopt);
  }

  bool send(const std::string& message) override {
    broken_ = script_.losses != 0 && ++heard_ % script_.messagesBeforeLoss == 0;
    if (!broken_ || !script_.losesWhatIsSent) sent_.push_back(message);
    askForSplit();
    return !broken_;
  }

  Request& request() override { return request_; }
  const std::vector<std::string>& sent() const { return sent_; }
  bool isBroken() const { return broken_; }

 private:
  void askForSplit() {
    if (script_.splits == 0) return;
    --script_.splits;
    request_.ask(Request::kSplit);
  }

  std::optional<std::string> part_;
  Script& script_;
  unsigned& heard_;
  Request request_;
  bool broken_ = false;
  std::vector<std::string> sent_;
};

using IsError = std::function<bool(std::uint64_t)>;

std::unique_ptr<SumTask> makeTask(const std::string& program, const IsError& isError) {
  auto task = std::make_unique<SumTask>(bench::programText(program));
  if (isError) task->isError = isError;
  return task;
}

class QueueTransport final : public Transport {
 public:
  using TaskMaker = std::function<std::unique_ptr<SumTask>()>;
  QueueTransport(TaskMaker maker, unsigned workers, const Script& script, unsigned& started)
      : maker_(std::move(maker)), script_(script), alive_(workers), started_(started) {}

  std::size_t places() const override { return alive_.size(); }
  bool start(std::size_t worker) override {
    EXPECT_FALSE(alive_[worker]);
    if (started_ == script_.mostStarts) return false;
    ++started_;
    return alive_[worker] = true;
  }
  void send(std::size_t worker, const std::string& message) override {
    EXPECT_TRUE(alive_[worker]);
    parts_.emplace_back(worker, message);
  }
  void ask(std::size_t, std::uint32_t) override {}

  // The part that was sent last is explored first.
  std::vector<News> receive(double) override {
    std::vector<News> news;
    if (parts_.empty()) return news;
    const auto [worker, part] = parts_.back();
    parts_.pop_back();
    const std::unique_ptr<SumTask> task = maker_();
    QueuePort port(part, script_, heard_);
    serve(*task, port);
    for (const std::string& message : port.sent()) news.push_back({.worker = worker, .ended = false, .text = message});
    if (port.isBroken()) {
      --script_.losses;
      alive_[worker] = false;
      news.push_back({.worker = worker, .ended = true, .text = "unplugged"});
    }
    return news;
  }

  std::uint64_t memoryInUse() const override { return 0; }
  void endAll() override { parts_.clear(); }

 private:
  TaskMaker maker_;
  Script script_;
  std::vector<bool> alive_;
  std::vector<std::pair<std::size_t, std::string>> parts_;
  unsigned heard_ = 0;
  unsigned& started_;
};

struct Outcome {
  RunEnd end;
  std::uint64_t error = 0;
  unsigned started = 0;  // workers
};

Outcome runAlone(const std::string& program, const IsError& isError = {}) {
  Outcome outcome;
  const std::unique_ptr<SumTask> task = makeTask(program, isError);
  run(*task, controlOf(1), outcome.end);
  outcome.error = task->error;
  return outcome;
}

Outcome runOverQueues(const std::string& program, const Script& script, const IsError& isError = {}) {
  Outcome outcome;
  const std::unique_ptr<SumTask> task = makeTask(program, isError);
  Control control = controlOf(3);
  control.transport = [&](Task&, unsigned workers) {
    const auto maker = [&] { return makeTask(program, isError); };
    return std::make_unique<QueueTransport>(maker, workers, script, outcome.started);
  };
  run(*task, control, outcome.end);
  outcome.error = task->error;
  return outcome;
}

TEST(ParallelTransport, FindsTheSameOverAnother) {
  for (const char* program : {"ainc(8)", "casrot(9)"}) {
    const Outcome alone = runAlone(program);
    for (const unsigned splits : {0u, 1u, 100u}) {
      const Outcome over = runOverQueues(program, {.splits = splits});
      EXPECT_TRUE(over.end.complete) << over.end.reason;
      EXPECT_EQ(result(over.end), result(alone.end)) << program << ", " << splits << " splits";
      EXPECT_EQ(over.started, 3u);
    }
  }
}

TEST(ParallelTransport, ReportsTheSameErrorOverAnother) {
  const IsError isError = [](std::uint64_t hash) { return hash % 30011 == 1000; };
  const Outcome alone = runAlone("ainc(8)", isError);
  ASSERT_TRUE(alone.end.failed);
  const Outcome over = runOverQueues("ainc(8)", {.splits = 100}, isError);
  EXPECT_TRUE(over.end.failed) << over.end.reason;
  EXPECT_EQ(over.error, alone.error);
  EXPECT_EQ(result(over.end), result(alone.end));
  EXPECT_EQ(over.started, 3u);
}

TEST(ParallelTransport, LinesThatBreakLoseNothing) {
  const Outcome alone = runAlone("ainc(8)");
  for (const bool losesWhatIsSent : {false, true}) {
    for (const unsigned messages : {2u, 3u, 7u}) {
      const Script script{.splits = 100, .messagesBeforeLoss = messages, .losses = 10, .losesWhatIsSent = losesWhatIsSent};
      const Outcome over = runOverQueues("ainc(8)", script);
      EXPECT_TRUE(over.end.complete) << over.end.reason;
      EXPECT_EQ(result(over.end), result(alone.end)) << messages;
      EXPECT_EQ(over.started, 3u + 10u);
    }
  }
}

TEST(ParallelTransport, SaysHowWorkersEnded) {
  const Script script{.splits = 1, .messagesBeforeLoss = 1, .losses = 1'000'000, .losesWhatIsSent = true};
  const Outcome over = runOverQueues("ainc(8)", script);
  EXPECT_FALSE(over.end.complete);
  EXPECT_NE(over.end.reason.find("lost 3 times (the process was unplugged)"), std::string::npos) << over.end.reason;
}

TEST(ParallelTransport, EndsWhenNobodyCanBeStarted) {
  for (const unsigned starts : {0u, 3u}) {
    const Script script{.messagesBeforeLoss = 1, .losses = 1'000'000, .losesWhatIsSent = true, .mostStarts = starts};
    const Outcome over = runOverQueues("ainc(8)", script);
    EXPECT_FALSE(over.end.complete);
    EXPECT_FALSE(over.end.failed);
    EXPECT_EQ(over.started, starts);
    EXPECT_EQ(over.end.reason, "no process can be started that explores");
  }
}

}  // namespace
}  // namespace heddle::parallel
