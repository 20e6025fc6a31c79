//! rc20: verified executions=10 blocked=6 flags="--leaks"
//! rc20: error=data-race line=@end flags="-- -DBUG"
// Flat combining, after D. Hendler, I. Incze, N. Shavit and M. Tzafrir, "Flat combining and the synchronization-parallelism
// tradeoff" (SPAA 2010): a thread writes down what it wants, and then either gets the lock and does what all have written down,
// or waits until somebody has done it. BUG: the combiner says relaxed that a request is done.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <map>
#include <string>
#include <thread>

#ifdef BUG
constexpr auto finish = std::memory_order_relaxed;
#else
constexpr auto finish = std::memory_order_release;
#endif

template <class Data, std::size_t Threads>
class FlatCombiner {
 public:
  // Runs `function` on the data, in this thread or another one.
  template <class Function>
  void apply(std::size_t self, Function function) {
    FunctionRequest<Function> request(function);
    std::atomic<Request*>& mine = slots_[self].request;
    mine.store(&request, std::memory_order_release);
    while (mine.load(std::memory_order_acquire) != nullptr) {
      if (locked_.load(std::memory_order_relaxed) || locked_.exchange(true, std::memory_order_acquire)) {
        std::this_thread::yield();
        continue;
      }
      combine();
      locked_.store(false, std::memory_order_release);
    }
  }  // @end of the request, which the combiner has used

 private:
  struct Request {
    virtual void run(Data& data) = 0;

   protected:
    ~Request() = default;
  };

  template <class Function>
  struct FunctionRequest final : Request {
    explicit FunctionRequest(Function& called) : function(called) {}
    void run(Data& data) override { function(data); }

    Function& function;
  };

  void combine() {
    for (Slot& slot : slots_) {
      Request* const request = slot.request.load(std::memory_order_acquire);
      if (request == nullptr) continue;
      request->run(data_);
      slot.request.store(nullptr, finish);
    }
  }

  struct alignas(64) Slot {
    std::atomic<Request*> request{nullptr};
  };

  Data data_;
  std::array<Slot, Threads> slots_;
  alignas(64) std::atomic<bool> locked_{false};
};

int main() {
  using Scores = std::map<std::string, int>;
  FlatCombiner<Scores, 2> scores;
  auto player = [&scores](std::size_t self, int points) {
    int before = -1;
    scores.apply(self, [&before, points](Scores& map) {
      before = map["team"];
      map["team"] += points;
    });
    assert(before == 0 || before == 3 - points);
  };
  std::thread first(player, 0, 1), second(player, 1, 2);
  first.join();
  second.join();
  int sum = 0;
  scores.apply(0, [&sum](const Scores& map) { sum = map.at("team"); });
  assert(sum == 3);
}
