//! rc20: verified executions=36
//! rc20: error=assertion-failure line=@end flags="-- -DBUG"
// A task executor on the standard library, and more of the library than it ever uses: what does not run costs nothing.
// BUG: which tasks can begin is asked while others are already running; one that becomes ready meanwhile begins twice.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

struct Task {
  std::string name;
  std::function<void()> work;
  std::vector<Task*> after;
  std::atomic<int> left{0};
  std::variant<int, std::string, std::vector<int>> tag;
};

class Graph {
 public:
  Task* add(std::string name, std::function<void()> work) {
    tasks.push_back(std::make_unique<Task>());
    tasks.back()->name = std::move(name);
    tasks.back()->work = std::move(work);
    return tasks.back().get();
  }
  static void edge(Task* before, Task* after) {
    before->after.push_back(after);
    after->left.fetch_add(1, std::memory_order_relaxed);
  }
  std::string text() const {
    std::ostringstream out;
    for (const auto& task : tasks) {
      out << std::setw(8) << task->name << ": ";
      for (const Task* next : task->after) out << next->name << ' ';
      if (const auto* number = std::get_if<int>(&task->tag)) out << std::hex << *number;
      if (const auto* list = std::get_if<std::vector<int>>(&task->tag)) out << list->size();
      out << '\n';
    }
    return out.str();
  }

  std::vector<std::unique_ptr<Task>> tasks;
};

class Executor {
 public:
  Executor() : worker_([this] { work(); }) {}
  ~Executor() {
    {
      std::lock_guard guard(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  std::future<void> run(Graph& graph) {
    left_ = static_cast<int>(graph.tasks.size());
    std::future<void> done = done_.get_future();
#ifdef BUG
    for (const auto& task : graph.tasks)
      if (task->left.load(std::memory_order_acquire) == 0) schedule(task.get());
#else
    std::vector<Task*> first;
    for (const auto& task : graph.tasks)
      if (task->left.load(std::memory_order_acquire) == 0) first.push_back(task.get());
    for (Task* task : first) schedule(task);
#endif
    return done;
  }

 private:
  void schedule(Task* task) {
    {
      std::lock_guard guard(mutex_);
      queue_.push_back([this, task] { finish(task); });
    }
    changed_.notify_one();
  }
  void finish(Task* task) {
    task->work();
    for (Task* next : task->after)
      if (next->left.fetch_sub(1, std::memory_order_acq_rel) == 1) schedule(next);
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) done_.set_value();
  }
  void work() {
    for (;;) {
      std::function<void()> next;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
        if (queue_.empty()) return;
        next = std::move(queue_.front());
        queue_.pop_front();
      }
      next();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool stop_ = false;
  std::atomic<int> left_{0};
  std::promise<void> done_;
  std::thread worker_;
};

int main(int argc, char**) {
  Graph graph;
  int value = 1;
  Task* const add = graph.add("add", [&] { value += 1; });
  Task* const twice = graph.add("double", [&] { value *= 2; });
  Graph::edge(add, twice);
  if (argc > 1) {
    std::map<std::string, int> counts;
    for (const auto& task : graph.tasks) ++counts[task->name];
    std::shuffle(graph.tasks.begin(), graph.tasks.end(), std::mt19937(1));
    std::sort(graph.tasks.begin(), graph.tasks.end());
    std::cout << graph.text() << counts.size();
  }
  {
    Executor executor;
    executor.run(graph).get();
  }
  assert(value == 4);  // @end
}
