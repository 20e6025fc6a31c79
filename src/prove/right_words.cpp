// Right-hand sides, saturated: the rules of theory.h as automata.
#include <algorithm>
#include <bit>
#include <map>

#include "prove/term_words.h"
#include "prove/theory.h"
#include "prove/time_limit.h"

namespace heddle::prove {

namespace {

constexpr LetterSet kInThread =
    lettersOf(Letter::po, Letter::poLoc, Letter::poOther, Letter::rfi, Letter::rmw) | kDependencies | kPastFences;

class RightBuilder {
 public:
  RightBuilder(NetBuilder& net, const Facts& facts, std::vector<Assumption>& assumptions, Mask real, LetterSet alive)
      : net_(net), facts_(facts), assumptions_(assumptions), real_(real), alive_(alive) {}

  Piece build(const Kat& term) {
    switch (term.kind) {
      case KatKind::never: return net_.never();
      case KatKind::test: return net_.test(net_.atoms().mask(term.test) & real_);
      case KatKind::letters: {
        const Piece begun = net_.sequence(net_.test(real_), leaf(term.letters));
        return net_.sequence(begun, net_.test(real_));
      }
      case KatKind::unite:
      case KatKind::sequence:
      case KatKind::star: return combine(net_, term, [&](const Kat& part) { return build(part); });
      case KatKind::filter: {
        const Piece begun = net_.sequence(steps(only(bracketsOf(term.filter).open)), build(*term.args[0]));
        const Piece bracketed = net_.sequence(begun, steps(only(bracketsOf(term.filter).close)));
        return net_.unite(bracketed, known(build(*term.args[0]), term.filter));
      }
    }
    return net_.never();
  }

 private:
  // Only letters that left-hand sides have.
  Piece steps(LetterSet set) { return net_.letters(set & alive_); }

  // ---- Base relations

  // A term has the same relations many times.
  Piece leaf(LetterSet set) {
    const auto [known, fresh] = leaves_.try_emplace({set, depth_});
    if (fresh) known->second = reduce(net_.normalForm(saturated(set), false));
    return net_.words(known->second);
  }

  Piece saturated(LetterSet set) {
    Piece result = steps(set);
    if (set == (LetterSet{1} << kLetters) - 1) return result;  // any step at all
    const auto add = [&](const Piece& piece) { result = net_.unite(result, piece); };
    if (has(set, Letter::po)) add(order());
    if (has(set, Letter::poLoc)) add(orderInLocation());
    if (has(set, Letter::poOther)) add(orderElsewhere());
    if (has(set, Letter::rfi)) add(past(Letter::enterRf, Letter::leaveRf));
    if (hasAll(set, kCo)) {
      add(coherence());
    } else if (has(set, Letter::coe)) {
      add(known(coherence(), Filter::otherThread));
    } else if (has(set, Letter::coi)) {
      add(known(coherence(), Filter::sameThread));
    }
    if (hasAll(set, kRb)) {
      add(readsBefore());
    } else if (has(set, Letter::rbe)) {
      add(known(readsBefore(), Filter::otherThread));
    } else if (has(set, Letter::rbi)) {
      add(known(readsBefore(), Filter::sameThread));
    }
    addAssumed(set, result);
    if ((set & facts_.transitive) != 0 && (set & (set - 1)) == 0) result = net_.plus(result);
    return result;
  }

  LetterSet coherentLetters() const {
    return (facts_.internalCoherence ? only(Letter::coi) : 0) | (facts_.internalReadsBefore ? only(Letter::rbi) : 0);
  }
  LetterSet inOrder() const { return kInThread | coherentLetters(); }
  LetterSet inLocation() const { return lettersOf(Letter::poLoc, Letter::rfi, Letter::rmw) | coherentLetters(); }

  // po-loc or rfi past inserted fences.
  Piece past(Letter enter, Letter leave) {
    const Piece begun = net_.sequence(steps(only(enter)), net_.star(steps(only(Letter::po))));
    return net_.sequence(begun, steps(only(leave)));
  }
  Piece readsFrom() { return net_.unite(steps(kRf), past(Letter::enterRf, Letter::leaveRf)); }

  // Words of program order. The swapped pair is ordered only through a third event (transform.h).
  Piece order() {
    Piece step = steps(inOrder());
    addAssumed(only(Letter::po), step);
    if (!facts_.swapped) return net_.plus(step);
    const auto around = [&] {
      Piece any = steps(inOrder() | only(Letter::pair));
      addAssumed(only(Letter::po), any);
      return net_.star(any);
    };
    const Piece begun = net_.sequence(around(), step);
    return net_.sequence(begun, around());
  }

  Piece orderInLocation() {
    Piece step = net_.unite(steps(inLocation()), past(Letter::enterLoc, Letter::leaveLoc));
    step = net_.unite(step, past(Letter::enterRf, Letter::leaveRf));
    addAssumed(only(Letter::poLoc), step);
    const Piece begun = net_.sequence(steps(only(Letter::openLoc)), order());
    const Piece bracketed = net_.sequence(begun, steps(only(Letter::closeLoc)));
    return net_.plus(net_.unite(step, bracketed));
  }

  // To another location, or to or from an event that has none.
  Piece orderElsewhere() {
    const LetterSet stay = inLocation();
    const LetterSet leave = only(Letter::poOther);
    const Mask access = net_.atoms().mask(cellsOfClasses(accessClasses()));
    const Piece step = net_.sequence(net_.star(steps(stay)), steps(leave));
    const Piece direct = net_.sequence(step, net_.star(steps(stay)));
    const Piece fromElse = net_.sequence(net_.test(net_.atoms().all() & ~access), order());
    const Piece toElse = net_.sequence(order(), net_.test(net_.atoms().all() & ~access));
    const Piece begun = net_.sequence(steps(only(Letter::openOther)), order());
    const Piece bracketed = net_.sequence(begun, steps(only(Letter::closeOther)));
    return net_.unite(net_.unite(direct, bracketed), net_.unite(fromElse, toElse));
  }

  Piece coherenceStep() {
    const Piece fromRead = net_.sequence(readsFrom(), steps(kRb));
    Piece step = net_.unite(steps(kCo), fromRead);
    const Mask writes = net_.atoms().mask(cellsOfClasses(classes::kWrite));
    for (const KatPtr& word : facts_.coherenceWords) {
      // The word is taken as it is, with smaller letters allowed but co not saturated again: this is the recursion's
      // end.
      const Piece begun = net_.sequence(net_.test(writes), plain(*word));
      step = net_.unite(step, net_.sequence(begun, net_.test(writes)));
    }
    addAssumed(kCo, step);
    return step;
  }
  Piece coherence() { return net_.plus(coherenceStep()); }
  Piece readsBefore() {
    Piece first = steps(kRb);
    addAssumed(kRb, first);
    return net_.sequence(first, net_.star(coherenceStep()));
  }

  // A term whose program order may be any smaller relation, and nothing else saturated.
  Piece plain(const Kat& term) {
    switch (term.kind) {
      case KatKind::letters: {
        Piece result = steps(term.letters);
        if (has(term.letters, Letter::po)) result = net_.unite(result, order());
        if (has(term.letters, Letter::poLoc)) result = net_.unite(result, orderInLocation());
        if (has(term.letters, Letter::rfi)) result = net_.unite(result, past(Letter::enterRf, Letter::leaveRf));
        return result;
      }
      case KatKind::unite:
      case KatKind::sequence:
      case KatKind::star: return combine(net_, term, [&](const Kat& part) { return plain(part); });
      case KatKind::filter: {
        const Piece begun = net_.sequence(steps(only(bracketsOf(term.filter).open)), plain(*term.args[0]));
        return net_.sequence(begun, steps(only(bracketsOf(term.filter).close)));
      }
      default: return build(term);
    }
  }

  // ---- Assumptions x <= r

  void addAssumed(LetterSet set, Piece& piece) {
    if (depth_ >= 2) return;
    for (Assumption& assumption : assumptions_) {
      if (assumption.right.size() != 1 || assumption.right[0].steps.size() != 1) continue;
      const LetterSet target = assumption.right[0].steps[0];
      if ((target & ~set) != 0) continue;
      assumption.used = true;
      ++depth_;
      piece = net_.unite(piece, build(*assumption.left));
      --depth_;
    }
  }

  // ---- Filters

  // The words of a piece whose ends are known to be related so, by the letters alone. A stretch between brackets of the
  // right kind counts as one step.
  Piece known(const Piece& piece, Filter filter) {
    const bool needsOne = filter == Filter::otherLocation || filter == Filter::otherThread;
    const bool location = filter == Filter::sameLocation || filter == Filter::otherLocation;
    const LetterSet stay = location ? kSameLocation : kSameThread;
    const LetterSet leave = location ? kOtherLocation : kOtherThread;
    const Brackets same = bracketsOf(location ? Filter::sameLocation : Filter::sameThread);
    const Brackets other = bracketsOf(location ? Filter::otherLocation : Filter::otherThread);
    const LetterSet brackets =
        (lettersOf(same.open, same.close) | (needsOne ? lettersOf(other.open, other.close) : 0)) & alive_;
    // States: 0, 1 outside, before and after the step that leaves; 2, 3 inside `same` brackets; 4 inside `other` ones;
    // 5, 6 in a step past fences. Brackets of one kind do not nest.
    const auto machine = [=](unsigned state, Letter letter) -> std::vector<NetBuilder::Move> {
      const bool departs = location && has(lettersOf(Letter::enterLoc, Letter::enterRf), letter);
      const bool arrives = location && has(lettersOf(Letter::leaveLoc, Letter::leaveRf), letter);
      switch (state) {
        case 2:
        case 3:
          if (letter == same.close) return {{state - 2, {letter}}};
          break;
        case 4:
          if (letter == other.close) return {{1, {letter}}};
          break;
        case 5:
        case 6:
          if (arrives) return {{state - 5, {letter}}};
          break;
        default: break;
      }
      if (state >= 2) {
        if (has(brackets, letter)) return {};
        return {{state, {letter}}};
      }
      if (letter == same.open) return {{state + 2, {letter}}};
      if (departs) return {{state + 5, {letter}}};
      if (letter == other.open && needsOne && state == 0) return {{4, {letter}}};
      if (has(stay, letter)) return {{state, {letter}}};
      if (has(leave, letter) && needsOne && state == 0) return {{1, {letter}}};
      return {};
    };
    const Piece words =
        net_.transduce(withBrackets(piece, brackets), 7, machine, {!needsOne, needsOne, false, false, false, false, false});
    if (filter != Filter::sameLocation) return words;
    return net_.sequence(net_.test(net_.atoms().mask(cellsOfClasses(accessClasses()))), words);
  }

  // The words of a piece with brackets anywhere in them.
  Piece withBrackets(const Piece& piece, LetterSet brackets) {
    if (brackets == 0) return piece;
    Automaton automaton = reduce(net_.normalForm(piece, false));
    for (unsigned s = 0; s < automaton.size(); ++s) automaton.steps[s].push_back({net_.atoms().all(), brackets, s});
    return net_.words(automaton);
  }

  NetBuilder& net_;
  const Facts& facts_;
  std::vector<Assumption>& assumptions_;
  Mask real_;
  LetterSet alive_;
  unsigned depth_ = 0;  // of assumptions that are being built
  std::map<std::pair<LetterSet, unsigned>, Automaton> leaves_;
};

// A bracket steps from an event to itself, and a right-hand side need not look at it; except that between an opening
// bracket it has read and the closing one, it must not pass over brackets of that kind, or it would take the end of
// another stretch for the end of this one. Which states are between such brackets is plain only as long as no states
// are merged. So the others are marked then, by steps to themselves with letters that no word has, and the marks become
// brackets when the automaton is done.
struct Passable {
  LetterSet mark;
  LetterSet brackets;
};
constexpr Passable passable(unsigned kind, LetterSet brackets) {
  static_assert(kLetters + 5 <= 64);
  return {LetterSet{1} << (63 - kind), brackets};
}
constexpr Passable kPassable[] = {
    passable(0, lettersOf(Letter::openLoc, Letter::closeLoc)), passable(1, lettersOf(Letter::openOther, Letter::closeOther)),
    passable(2, lettersOf(Letter::openInt, Letter::closeInt)), passable(3, lettersOf(Letter::openExt, Letter::closeExt)),
    passable(4, only(Letter::closeSame))};
constexpr LetterSet kMarks = LetterSet{0x1f} << 59;

// For each state, the brackets of the kinds that may be open there.
std::vector<LetterSet> openBrackets(const Automaton& automaton) {
  std::vector<LetterSet> open(automaton.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned s = 0; s < automaton.size(); ++s) {
      for (const Step& step : automaton.steps[s]) {
        LetterSet inside = (step.letters & ~kBrackets) != 0 ? open[s] : 0;
        for (const Passable& kind : kPassable) {
          const LetterSet first = kind.brackets & (~kind.brackets + 1);
          const LetterSet last = kind.brackets & ~first;
          if ((step.letters & first) != 0) inside |= open[s] | (last != 0 ? kind.brackets : 0);
          if ((step.letters & last) != 0) inside |= open[s] & ~kind.brackets;
        }
        changed |= (inside & ~open[step.to]) != 0;
        open[step.to] |= inside;
      }
    }
  }
  return open;
}

void markPassable(Automaton& automaton, Mask all, bool atStart) {
  const std::vector<LetterSet> open = openBrackets(automaton);
  for (unsigned s = atStart ? 0 : 1; s < automaton.size(); ++s) {
    LetterSet marks = 0;
    for (const Passable& kind : kPassable) marks |= (kind.brackets & open[s]) == 0 ? kind.mark : 0;
    if (marks != 0) automaton.steps[s].push_back({all, marks, s});
  }
}

void passBrackets(Automaton& automaton) {
  for (auto& steps : automaton.steps) {
    for (Step& step : steps) {
      for (const Passable& kind : kPassable) step.letters |= (step.letters & kind.mark) != 0 ? kind.brackets : 0;
      step.letters &= ~kMarks;
    }
  }
}

// The marks of a state that lead from it to itself.
LetterSet marksOf(const Automaton& automaton, unsigned state, Mask all) {
  LetterSet marks = 0;
  for (const Step& step : automaton.steps[state]) {
    if (step.guard == all && step.to == state) marks |= step.letters & kMarks;
  }
  return marks;
}

// The events that some of the letters can lead to, and leave.
Mask rangeOf(const Atoms& atoms, LetterSet letters) {
  Mask range = 0;
  for (; letters != 0; letters &= letters - 1) range |= atoms.range(static_cast<unsigned>(std::countr_zero(letters)));
  return range;
}
Mask domainOf(const Atoms& atoms, LetterSet letters) {
  Mask domain = 0;
  for (; letters != 0; letters &= letters - 1) domain |= atoms.domain(static_cast<unsigned>(std::countr_zero(letters)));
  return domain;
}

// The states to which a word leads from a state, whatever the events and letters it leaves open are.
std::vector<unsigned> statesAfter(const Automaton& automaton, const Atoms& atoms, unsigned from, const Word& word, Mask start) {
  std::vector<unsigned> states{from};
  for (std::size_t i = 0; i < word.steps.size(); ++i) {
    const Mask reached = i == 0 ? start : rangeOf(atoms, word.steps[i - 1]);
    const Mask guard = atoms.mask(word.tests[i]) & reached & domainOf(atoms, word.steps[i]);
    std::vector<unsigned> next;
    for (const unsigned s : states) {
      std::map<unsigned, LetterSet> letters;
      for (const Step& step : automaton.steps[s]) {
        if ((guard & ~step.guard) == 0) letters[step.to] |= step.letters;
      }
      for (const auto& [to, set] : letters) {
        if (hasAll(set, word.steps[i])) next.push_back(to);
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    states = std::move(next);
  }
  return states;
}

// Can `a` do in one step whatever `b` can at these events, and come to the same state? (Where both pass a bracket they
// stay what they are.)
bool covers(const Automaton& automaton, unsigned a, unsigned b, Mask events, Mask all) {
  if (a == b) return true;
  if ((automaton.accept[b] & events & ~automaton.accept[a]) != 0) return false;
  const LetterSet marks = marksOf(automaton, a, all);
  return std::all_of(automaton.steps[b].begin(), automaton.steps[b].end(), [&](const Step& step) {
    const LetterSet letters = step.to == b ? step.letters & ~marks : step.letters;
    if ((step.guard & events) == 0 || letters == 0) return true;
    return std::any_of(automaton.steps[a].begin(), automaton.steps[a].end(), [&](const Step& other) {
      return other.to == step.to && (step.guard & events & ~other.guard) == 0 && hasAll(other.letters, letters);
    });
  });
}

// The events that a word can end at.
Mask endsOf(const Atoms& atoms, const Word& word) {
  const Mask range = word.steps.empty() ? atoms.all() : rangeOf(atoms, word.steps.back());
  return range & atoms.mask(word.tests.back());
}

// The states from which everything is accepted that is accepted after each of the words.
std::vector<unsigned> statesAfterAll(const Automaton& automaton, const Atoms& atoms, unsigned from,
                                     const std::vector<Word>& words, Mask start) {
  std::vector<std::vector<unsigned>> reached;
  std::vector<unsigned> candidates;
  for (const Word& word : words) {
    reached.push_back(statesAfter(automaton, atoms, from, word, start));
    candidates.insert(candidates.end(), reached.back().begin(), reached.back().end());
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::erase_if(candidates, [&](unsigned q) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Mask ends = endsOf(atoms, words[i]);
      const bool some = std::any_of(reached[i].begin(), reached[i].end(),
                                    [&](unsigned other) { return covers(automaton, other, q, ends, atoms.all()); });
      if (!some) return true;
    }
    return false;
  });
  return candidates;
}

// Adds the words of `assumed` from `from` to the states in `targets`. Returns how many steps that took.
std::size_t addWords(Automaton& automaton, const Automaton& assumed, unsigned from, const std::vector<unsigned>& targets,
                     Mask all) {
  const LetterSet closed = ~kMarks | marksOf(automaton, from, all);
  const unsigned base = automaton.size();
  automaton.steps.resize(base + assumed.size());
  automaton.accept.resize(base + assumed.size(), 0);
  std::size_t added = 0;
  for (unsigned s = 0; s < assumed.size(); ++s) {
    const unsigned self = s == 0 ? from : base + s;
    added += assumed.steps[s].size();
    for (Step step : assumed.steps[s]) {
      step.to += base;
      step.letters &= closed;
      if (step.letters != 0) automaton.steps[self].push_back(step);
    }
    if (assumed.accept[s] == 0) continue;
    for (const unsigned target : targets) {
      automaton.accept[self] |= automaton.accept[target] & assumed.accept[s];
      const std::vector<Step> onwards = automaton.steps[target];
      for (Step step : onwards) {
        step.guard &= assumed.accept[s];
        if (step.guard != 0) automaton.steps[self].push_back(step);
      }
      added += onwards.size();
    }
  }
  return added;
}

bool leadsBackToStart(const Automaton& automaton) {
  for (unsigned s = 0; s < automaton.size(); ++s) {
    for (const Step& step : automaton.steps[s]) {
      if (step.to == 0) return true;
    }
  }
  return false;
}

}  // namespace

Automaton Theory::right(const KatPtr& term) const {
  NetBuilder net(atoms_);
  RightBuilder builder(net, facts_, assumptions_, real_, alive_);
  Automaton result = net.normalForm(builder.build(*term), false);
  markPassable(result, atoms_.all(), true);
  result = reduce(result);
  constexpr unsigned kRounds = 2;
  constexpr std::size_t kMostSteps = 100000;  // an assumption that feeds itself would go on for ever
  std::size_t added = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    const unsigned before = result.size();
    for (Assumption& assumption : assumptions_) {
      const bool letter = assumption.right.size() == 1 && assumption.right[0].steps.size() == 1;
      if (assumption.right.empty() || letter) continue;
      NetBuilder assumedNet(atoms_);
      RightBuilder assumedBuilder(assumedNet, facts_, assumptions_, real_, alive_);
      Automaton assumed = assumedNet.normalForm(assumedBuilder.build(*assumption.left), false);
      markPassable(assumed, atoms_.all(), false);
      assumed = reduce(assumed);
      if (leadsBackToStart(assumed)) continue;  // its start would be more than a beginning
      Mask start = assumed.accept[0];
      for (const Step& step : assumed.steps[0]) start |= step.guard;
      const unsigned states = result.size();
      for (unsigned s = 0; s < states && added < kMostSteps; ++s) {
        TimeLimit::check();
        const std::vector<unsigned> targets = statesAfterAll(result, atoms_, s, assumption.right, start);
        if (targets.empty()) continue;
        added += addWords(result, assumed, s, targets, atoms_.all());
        assumption.used = true;
      }
    }
    result = reduce(result);
    if (result.size() == before) break;
  }
  passBrackets(result);
  return result;
}

}  // namespace heddle::prove
