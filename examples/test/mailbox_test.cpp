// A mailbox for one letter, and its tests: `heddle test examples/test`.
//
//! rc20: verified executions=3 blocked=0 test=a_letter_arrives
//! rc20,sc: verified test=two_writers_one_letter
//! rc20: error=data-race test=a_letter_arrives flags="-- -DBUG"

#include <heddle/test.h>

#include <atomic>

class Mailbox {
 public:
  bool put(int letter) {
    State empty = State::empty;
    if (!state_.compare_exchange_strong(empty, State::writing, std::memory_order_acquire)) return false;
    letter_ = letter;
#ifdef BUG
    state_.store(State::full, std::memory_order_relaxed);
#else
    state_.store(State::full, std::memory_order_release);
#endif
    return true;
  }

  bool take(int& letter) {
    if (state_.load(std::memory_order_acquire) != State::full) return false;
    letter = letter_;
    state_.store(State::empty, std::memory_order_release);
    return true;
  }

 private:
  enum class State { empty, writing, full };
  std::atomic<State> state_{State::empty};
  int letter_ = 0;
};

HEDDLE_TEST(a_letter_arrives) {
  Mailbox mailbox;
  heddle::threads([&] { heddle_assert(mailbox.put(7)); },
                  [&] {
                    int letter = 0;
                    if (mailbox.take(letter)) heddle_assert(letter == 7);
                  });
}

HEDDLE_TEST(two_writers_one_letter) {
  Mailbox mailbox;
  int put = 0, other = 0;
  heddle::threads([&] { put = mailbox.put(1) ? 1 : 0; }, [&] { other = mailbox.put(2) ? 1 : 0; });
  heddle_assert(put + other == 1);
}
