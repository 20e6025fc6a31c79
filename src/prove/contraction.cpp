#include "prove/contraction.h"

#include <algorithm>

namespace heddle::prove {

namespace {

// Flags of a state: 0 nothing, 1 a write has been reached by co or rb: no co and no rf ; rb may follow, 2 a read has
// been reached by rf: no rb may follow, 3 the same after a stretch: no rmw may follow either.
class Contraction {
 public:
  Contraction(const Automaton& plain, bool pairs) : plain_(plain), pairs_(pairs) {
    for (unsigned i = 0; i < 4 * plain.size(); ++i) {
      result_.steps.emplace_back();
      result_.accept.push_back(plain.accept[i / 4]);
    }
  }

  Automaton run() {
    for (unsigned s = 0; s < plain_.size(); ++s) {
      for (const Step& step : plain_.steps[s]) {
        for (unsigned flag = 0; flag < 4; ++flag) addStep(s, flag, step);
        addFromRead(s, step);
      }
    }
    return reduce(result_);
  }

 private:
  void add(unsigned s, unsigned flag, const Step& step, LetterSet letters, unsigned to, unsigned nextFlag) {
    if (letters != 0) result_.steps[4 * s + flag].push_back({step.guard, letters, 4 * to + nextFlag});
  }

  void addStep(unsigned s, unsigned flag, const Step& step) {
    const LetterSet written = kRf | kCo | kRb | lettersOf(Letter::sameSource, Letter::closeSame);
    add(s, flag, step, step.letters & ~(written | (flag == 3 ? only(Letter::rmw) : 0)), step.to, 0);
    add(s, flag, step, step.letters & kRf, step.to, flag == 1 && pairs_ ? 3 : 2);
    add(s, flag, step, step.letters & only(Letter::closeSame), step.to, pairs_ ? 3 : 2);
    const LetterSet first = step.letters & ((flag == 1 ? 0 : kCo) | (flag >= 2 ? 0 : kRb));
    if (first != 0) {
      add(s, flag, step, first, step.to, 1);
      addStretch(s, flag, step, ((first & kCo) != 0 ? kCo : 0) | ((first & kRb) != 0 ? kRb : 0), closure(step.to));
    }
    if (flag < 2 && has(step.letters, Letter::sameSource)) {
      for (const unsigned end : overtaking(step.to, true)) addStretch(s, flag, step, kRb, endsFrom(end));
    }
  }

  // rf ; rb ... for co
  void addFromRead(unsigned s, const Step& step) {
    if ((step.letters & kRf) == 0) return;
    for (const unsigned end : overtaking(step.to)) {
      for (const unsigned flag : {0U, 2U, 3U}) addStretch(s, flag, step, kCo, endsFrom(end));
    }
  }

  void addStretch(unsigned s, unsigned flag, const Step& step, LetterSet letters, const std::vector<unsigned>& ends) {
    for (const unsigned end : ends) add(s, flag, step, letters, end, 1);
  }

  // The states after sameSource* ; rb. After sameSource, rmw is as good as rb.
  std::vector<unsigned> overtaking(unsigned read, bool shared = false) const {
    std::vector<unsigned> reads{read};
    std::vector<unsigned> ends;
    const auto visit = [](std::vector<unsigned>& list, unsigned s) {
      if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
    };
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const bool again = shared || i > 0;
      for (const Step& step : plain_.steps[reads[i]]) {
        if (has(step.letters, Letter::sameSource)) visit(reads, step.to);
        if ((step.letters & (kRb | (again && pairs_ ? only(Letter::rmw) : 0))) != 0) visit(ends, step.to);
      }
    }
    return ends;
  }

  std::vector<unsigned> endsFrom(unsigned write) const {
    std::vector<unsigned> ends = closure(write);
    if (std::find(ends.begin(), ends.end(), write) == ends.end()) ends.push_back(write);
    return ends;
  }

  // The states that a stretch can end in, from a write: (co | rf ; rb | rf ; rmw)+.
  std::vector<unsigned> closure(unsigned from) const {
    std::vector<bool> seen(plain_.size(), false);
    std::vector<unsigned> work{from};
    std::vector<unsigned> ends;
    const auto visit = [&](unsigned s) {
      if (seen[s]) return;
      seen[s] = true;
      ends.push_back(s);
      work.push_back(s);
    };
    while (!work.empty()) {
      const unsigned s = work.back();
      work.pop_back();
      for (const Step& step : plain_.steps[s]) {
        if ((step.letters & kCo) != 0) visit(step.to);
        if ((step.letters & kRf) == 0) continue;
        for (const unsigned end : overtaking(step.to)) visit(end);
        for (const Step& next : plain_.steps[step.to]) {
          if (pairs_ && has(next.letters, Letter::rmw)) visit(next.to);
        }
      }
    }
    return ends;
  }

  const Automaton& plain_;
  bool pairs_;
  Automaton result_;
};

}  // namespace

Automaton contractedWords(const Automaton& plain, bool pairs) { return Contraction(plain, pairs).run(); }

}  // namespace heddle::prove
