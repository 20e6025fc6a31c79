//! rc20: verified executions=138 blocked=72 flags="--leaks"
//! rc20: error=data-race line=@push flags="-- -DBUG"
// A queue whose operations are messages: threads put them into a list, and the first one runs those of the others too. It does
// not do so for ever: after some messages it hands the rest over to the thread whose message is next. (M. Kokologiannakis'
// thesis, figure 9.6, shows a mistake in such a queue that was proposed for a library.) BUG: it is handed over by a relaxed
// store, and the next combiner does not see what the last one did.
#include <atomic>
#include <cassert>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#ifdef BUG
constexpr auto handOver = std::memory_order_relaxed;
#else
constexpr auto handOver = std::memory_order_release;
#endif

template <class Data>
class Combiner {
 public:
  class Message {
   public:
    virtual void run(Data& data) = 0;

   protected:
    Message() = default;
    ~Message() = default;

   private:
    friend class Combiner;
    std::atomic<Message*> next_{nullptr};
    std::atomic<bool> done_{false};
  };

  // Returns when the message has been run.
  void send(Message& message) {
    Message* const previous = last_.exchange(&message, std::memory_order_acq_rel);
    if (previous != nullptr) {
      previous->next_.store(&message, std::memory_order_release);
      while (successor_.load(std::memory_order_acquire) != &message) {
        if (message.done_.load(std::memory_order_acquire)) return;
        std::this_thread::yield();
      }
      successor_.store(nullptr, std::memory_order_relaxed);
    }
    combine(message);
  }

 private:
  static constexpr int limit = 2;

  void combine(Message& own) {
    Message* message = &own;
    for (int count = 1;; ++count) {
      message->run(data_);
      Message* const next = after(message);
      if (message != &own) message->done_.store(true, std::memory_order_release);
      if (next == nullptr) return;
      if (count == limit) {
        successor_.store(next, handOver);
        return;
      }
      message = next;
    }
  }

  // The message after this one; none if this is the last, and then the next to come is a combiner.
  Message* after(Message* message) {
    Message* next = message->next_.load(std::memory_order_acquire);
    if (next != nullptr) return next;
    Message* last = message;
    if (last_.compare_exchange_strong(last, nullptr, std::memory_order_release, std::memory_order_relaxed)) return nullptr;
    while ((next = message->next_.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
    return next;
  }

  Data data_;
  std::atomic<Message*> last_{nullptr};
  std::atomic<Message*> successor_{nullptr};  // whose thread is to go on
};

template <class T>
class CombiningQueue {
 public:
  void push(T value) {
    Push message(std::move(value));
    combiner_.send(message);
  }

  std::optional<T> pop() {
    Pop message;
    combiner_.send(message);
    return std::move(message.value);
  }

 private:
  using Message = typename Combiner<std::deque<T>>::Message;

  struct Push final : Message {
    explicit Push(T pushed) : value(std::move(pushed)) {}
    void run(std::deque<T>& items) override { items.push_back(std::move(value)); }  // @push

    T value;
  };

  struct Pop final : Message {
    void run(std::deque<T>& items) override {
      if (items.empty()) return;
      value = std::move(items.front());
      items.pop_front();
    }

    std::optional<T> value;
  };

  Combiner<std::deque<T>> combiner_;
};

int main() {
  CombiningQueue<int> queue;
  int popped = 0;
  std::thread first([&queue] { queue.push(1); });
  std::thread second([&queue] { queue.push(2); });
  std::thread third([&queue, &popped] { popped = queue.pop().value_or(0); });
  first.join();
  second.join();
  third.join();
  int rest = 0;
  while (const std::optional<int> value = queue.pop()) rest += *value;
  assert(popped + rest == 3);
}
