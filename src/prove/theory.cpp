#include "prove/theory.h"

namespace heddle::prove {

bool finiteWords(const Kat& term, std::vector<Word>& words) {
  constexpr std::size_t kMost = 8;
  switch (term.kind) {
    case KatKind::never: words.clear(); return true;
    case KatKind::test: words = {{{term.test}, {}}}; return true;
    case KatKind::letters: words = {{{allCells(), allCells()}, {term.letters}}}; return true;
    case KatKind::unite: {
      std::vector<Word> more;
      if (!finiteWords(*term.args[0], words) || !finiteWords(*term.args[1], more)) return false;
      words.insert(words.end(), more.begin(), more.end());
      return words.size() <= kMost;
    }
    case KatKind::sequence: {
      std::vector<Word> first;
      std::vector<Word> second;
      if (!finiteWords(*term.args[0], first) || !finiteWords(*term.args[1], second)) return false;
      words.clear();
      for (const Word& a : first) {
        for (const Word& b : second) {
          Word both = a;
          both.tests.back() &= b.tests.front();
          both.tests.insert(both.tests.end(), b.tests.begin() + 1, b.tests.end());
          both.steps.insert(both.steps.end(), b.steps.begin(), b.steps.end());
          words.push_back(std::move(both));
        }
      }
      return words.size() <= kMost;
    }
    case KatKind::star:
    case KatKind::filter: return false;
  }
  return false;
}

}  // namespace heddle::prove
