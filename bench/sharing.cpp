// What more workers than there are cores here would get: the protocol of parallel/coordinator.h, simulated on a recorded
// tree.
//
// A program is explored once, and of every so many executions the path is recorded. A part of the tree is then an interval
// of that list, and where it would be cut follows from the paths: at the shallowest choice point at which the present
// execution and the last one of the interval differ. The simulation hands out parts, asks for parts, and waits, as the
// coordinator does, in steps of half a millisecond; an execution takes as long as it was measured to, times `--scale`, and
// taking up a part, answering and handling a message take what they take here.
//
//     heddle_sharing "ainc(10)" --every 100 --workers 2,16,256

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "bench/programs.h"
#include "explore/explorer.h"
#include "litmus/test.h"
#include "model/library.h"

namespace {

using namespace heddle;

constexpr double kStep = 0.0005;         // seconds
constexpr double kTakeUp = 0.0015;       // a new explorer, and the way to where the part begins
constexpr double kMessage = 0.00003;     // of the coordinator's time
constexpr double kLeastSeconds = 0.005;  // as in coordinator.cpp

using Path = std::vector<std::uint32_t>;

struct Recording {
  std::vector<Path> paths;
  double seconds = 0;  // of the whole exploration
  std::uint64_t executions = 0;
};

class Recorder final : public explore::Attendant, public explore::Observer {
 public:
  Recorder(Recording& recording, std::uint64_t every) : recording_(recording), every_(every) {}
  bool attend(explore::Divisible& exploration) override {
    if (recording_.executions++ % every_ != 0) return true;
    Path& path = recording_.paths.emplace_back();
    for (const explore::PathStep& step : exploration.here().path) path.push_back(step.ordinal);
    return true;
  }

 private:
  Recording& recording_;
  std::uint64_t every_;
};

double cpuSeconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Recording record(const std::string& program, const std::string& modelName, std::uint64_t every) {
  const auto test = litmus::parseLitmus(bench::programText(program), program);
  const auto model = compile(model::loadModel(modelName));
  Recording recording;
  explore::Observer nothing;
  recording.seconds = cpuSeconds([&] { explore::Explorer(*test.program, model, {}, nothing).run(); });
  Recorder recorder(recording, every);
  const std::atomic<bool> always = true;
  explore::ExploreOptions options;
  options.interrupt = &always;
  options.attendant = &recorder;
  explore::Explorer(*test.program, model, options, recorder).run();
  return recording;
}

std::size_t common(const Path& a, const Path& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

struct Part {
  std::size_t begin, end;
  std::size_t depth;  // of the choice point at which it was cut
};

struct Finish {
  double seconds = 0;
  std::size_t parts = 1;
};

class Simulation {
 public:
  Simulation(const Recording& recording, std::size_t workers, double scale)
      : paths_(recording.paths),
        cost_(scale * recording.seconds / static_cast<double>(recording.paths.size())),
        workers_(workers) {}

  Finish run() {
    stock_.push_back({0, paths_.size(), 0});
    Finish result;
    for (double time = 0;; time += kStep) {
      capacity_ = kStep / kMessage;
      for (Worker& worker : workers_) answer(worker, time);
      handOut(time);
      const bool busy = std::ranges::any_of(workers_, [](const Worker& w) { return w.busy; });
      if (!busy && stock_.empty()) {
        result.seconds = time;
        result.parts = parts_;
        return result;
      }
      askForParts(time);
    }
  }

 private:
  struct Worker {
    bool busy = false, asked = false;
    Part part{};
    double start = 0;  // of exploring
    double since = 0;
  };

  std::size_t position(const Worker& worker, double time) const {
    const double done = std::max(0.0, (time - worker.start) / cost_);
    return worker.part.begin + static_cast<std::size_t>(done);
  }

  // Is the worker done, or has it something to give?
  void answer(Worker& worker, double time) {
    if (!worker.busy || capacity_ < 1) return;
    const std::size_t at = position(worker, time);
    if (at >= worker.part.end) {
      worker.busy = worker.asked = false;
      --capacity_;
      return;
    }
    if (!worker.asked || time < worker.start) return;
    worker.asked = false;
    --capacity_;
    worker.since = time;
    const Path& here = paths_[at];
    if (at + 1 >= worker.part.end) return;
    const std::size_t depth = common(here, paths_[worker.part.end - 1]);
    const auto first = std::partition_point(paths_.begin() + static_cast<std::ptrdiff_t>(at),
                                            paths_.begin() + static_cast<std::ptrdiff_t>(worker.part.end),
                                            [&](const Path& path) { return common(here, path) > depth; });
    const auto cut = static_cast<std::size_t>(first - paths_.begin());
    if (cut >= worker.part.end || cut <= at) return;
    stock_.push_back({cut, worker.part.end, depth});
    worker.part.end = cut;
    worker.part.depth = depth + 1;
    ++parts_;
  }

  void handOut(double time) {
    for (Worker& worker : workers_) {
      if (worker.busy || stock_.empty() || capacity_ < 1) continue;
      const auto best = std::ranges::min_element(stock_, {}, &Part::depth);
      worker = {.busy = true, .asked = false, .part = *best, .start = time + kTakeUp, .since = time};
      stock_.erase(best);
      --capacity_;
    }
  }

  void askForParts(double time) {
    const auto idle = static_cast<std::size_t>(std::ranges::count(workers_, false, &Worker::busy));
    const auto asked = static_cast<std::size_t>(std::ranges::count(workers_, true, &Worker::asked));
    const std::size_t wanted = idle + std::max<std::size_t>(1, workers_.size() / 4);
    if (stock_.size() + asked >= wanted) return;
    std::vector<Worker*> givers;
    for (Worker& worker : workers_) {
      if (worker.busy && !worker.asked && time - worker.since >= kLeastSeconds) givers.push_back(&worker);
    }
    std::ranges::stable_sort(givers, {}, [](const Worker* w) { return w->part.depth; });
    givers.resize(std::min(givers.size(), wanted - stock_.size() - asked));
    for (Worker* const giver : givers) giver->asked = true;
  }

  const std::vector<Path>& paths_;
  double cost_;
  std::vector<Worker> workers_;
  std::vector<Part> stock_;
  std::size_t parts_ = 1;
  double capacity_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Simulates how workers share an exploration");
  std::vector<std::string> programs;
  std::vector<std::size_t> workers = {2, 16, 256};
  std::string model = "rc11";
  std::uint64_t every = 10;
  double scale = 1;
  app.add_option("programs", programs, "programs such as \"ainc(9)\"")->required();
  app.add_option("--workers", workers, "how many")->delimiter(',')->capture_default_str();
  app.add_option("--model", model, "the model")->capture_default_str();
  app.add_option("--every", every, "record every so many executions")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--scale", scale, "executions take so many times as long as measured")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  fmt::print("| program | executions | one core | workers | time | speed-up | efficiency | parts "
             "|\n|---|---|---|---|---|---|---|---|\n");
  for (const std::string& program : programs) {
    const Recording recording = record(program, model, every);
    const double alone = recording.seconds * scale;
    for (const std::size_t count : workers) {
      const Finish result = Simulation(recording, count, scale).run();
      fmt::print("| {} | {} | {:.1f} s | {} | {:.2f} s | {:.2f} | {:.0f}% | {} |\n", program, recording.executions, alone,
                 count, result.seconds, alone / result.seconds, 100 * alone / result.seconds / static_cast<double>(count),
                 result.parts);
    }
  }
  return 0;
}
