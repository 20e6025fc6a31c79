// A mailbox for one letter. Any thread may put one in; one thread takes them out.
#pragma once

#include <atomic>

namespace mailbox {

class Mailbox {
 public:
  // False: there is a letter in it already.
  bool put(int letter) {
    State empty = State::empty;
    if (!state_.compare_exchange_strong(empty, State::writing, std::memory_order_acquire)) return false;
    letter_ = letter;
    state_.store(State::full, kAnnounce);
    return true;
  }

  // False: there is none.
  bool take(int& letter) {
    if (state_.load(std::memory_order_acquire) != State::full) return false;
    letter = letter_;
    state_.store(State::empty, std::memory_order_release);
    return true;
  }

 private:
#ifdef MAILBOX_BUG
  static constexpr auto kAnnounce = std::memory_order_relaxed;
#else
  static constexpr auto kAnnounce = std::memory_order_release;
#endif
  enum class State { empty, writing, full };
  std::atomic<State> state_{State::empty};
  int letter_ = 0;
};

}  // namespace mailbox
