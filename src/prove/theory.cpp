#include "prove/theory.h"

#include <algorithm>
#include <bit>
#include <map>

#include "prove/time_limit.h"

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

namespace {

// Union, sequence or iteration of what `build` makes of the parts.
template <class Build>
Piece combine(NetBuilder& net, const Kat& term, Build build) {
  const Piece first = build(*term.args[0]);
  if (term.kind == KatKind::star) return net.star(first);
  const Piece second = build(*term.args[1]);
  return term.kind == KatKind::unite ? net.unite(first, second) : net.sequence(first, second);
}

struct Brackets {
  Letter open;
  Letter close;
};

Brackets bracketsOf(Filter filter) {
  switch (filter) {
    case Filter::sameLocation: return {Letter::openLoc, Letter::closeLoc};
    case Filter::otherLocation: return {Letter::openOther, Letter::closeOther};
    case Filter::sameThread: return {Letter::openInt, Letter::closeInt};
    case Filter::otherThread: return {Letter::openExt, Letter::closeExt};
  }
  return {Letter::openLoc, Letter::closeLoc};
}

ClassSet accessClasses() { return classes::kRead | classes::kWrite; }

// ---- Left-hand sides

// Steps of program order that may leave the location, and others inside it.
constexpr LetterSet kMoves = lettersOf(Letter::po, Letter::poOther, Letter::pair) | kDependencies;
constexpr LetterSet kOrdered = kMoves | lettersOf(Letter::poLoc, Letter::rfi, Letter::rmw);

// A cycle, or a word whose ends are of one location, with a single run of program order that may leave the location:
// the run as a whole does not. States: 0 no such step yet; 1 after the only run; 2 within it, in brackets; 3 within the
// first of several runs, which stays as it is; 4 after it; 5 more runs, or steps of which nothing is known. The guess
// in state 0 is checked by what follows, so a word comes out in one way only.
std::vector<NetBuilder::Move> staysInLocation(unsigned state, Letter letter) {
  const bool move = has(kMoves, letter);
  if (letter == Letter::closeSame) return {{state, {letter}}};
  if (!move && !has(kSameLocation, letter)) {
    if (state == 0 || state >= 3) return {{5, {letter}}};
    return {};
  }
  switch (state) {
    case 0: {
      if (!move) return {{0, {letter}}};
      std::vector<NetBuilder::Move> moves{{2, {Letter::openLoc, letter}}, {3, {letter}}};
      if (letter == Letter::po) moves.push_back({1, {Letter::poLoc}});
      if (has(kDependencies, letter)) moves.push_back({1, {Letter::openLoc, letter, Letter::closeLoc}});
      return moves;
    }
    case 1:
      if (move) return {};
      return {{1, {letter}}};
    case 2:
      if (!has(kOrdered, letter)) return {};
      if (!move) return {{2, {letter}}};
      return {{2, {letter}}, {1, {letter, Letter::closeLoc}}};
    case 3: return {{has(kOrdered, letter) ? 3U : 4U, {letter}}};
    case 4: return {{move ? 5U : 4U, {letter}}};
    default: return {{5, {letter}}};
  }
}
const std::vector<bool> kStayed{true, true, false, false, false, false};
const std::vector<bool> kUnknown{false, false, false, false, false, true};
const std::vector<bool> kStayedOrUnknown{true, true, false, false, false, true};

// States: 0 within the thread so far; 1 has left it once, for certain; 2 anything.
std::vector<NetBuilder::Move> leavesThreadOnce(unsigned state, Letter letter) {
  if (has(kBrackets | kSameThread, letter)) return {{state, {letter}}};
  if (has(kOtherThread, letter)) return {{state == 0 ? 1U : 2U, {letter}}};
  return {{2, {letter}}};
}

// States: 0 at the first event; 1 in its location for certain; 2 anything.
std::vector<NetBuilder::Move> leavesLocation(unsigned state, Letter letter) {
  if (has(kBrackets, letter)) return {{state, {letter}}};
  return {{has(kSameLocation, letter) && state != 2 ? 1U : 2U, {letter}}};
}

class LeftBuilder {
 public:
  // `ordered`: the filters e & loc to be written as communication.
  LeftBuilder(NetBuilder& net, bool mapped, const std::vector<const Kat*>& ordered)
      : net_(net), mapped_(mapped), ordered_(ordered) {}

  Piece build(const Kat& term) {
    switch (term.kind) {
      case KatKind::never: return net_.never();
      case KatKind::test: return net_.test(net_.atoms().mask(term.test));
      case KatKind::letters:
        // A step inside a read-modify-write passes no fence of a mapping, so it is told from other steps of program
        // order.
        if (has(term.letters, Letter::rmw) || (mapped_ && (term.letters & kAnyOrder) != 0)) {
          return net_.unite(net_.letters(term.letters & ~only(Letter::rmw)), pairs());
        }
        return net_.letters(term.letters);
      case KatKind::unite:
      case KatKind::sequence:
      case KatKind::star: return combine(net_, term, [&](const Kat& part) { return build(part); });
      case KatKind::filter: return filter(term);
    }
    return net_.never();
  }

  Piece buildCycles(const Kat& term) { return possibleCycles(build(term)); }
  // The cycles of x+.
  Piece buildClosure(const Kat& term) { return possibleCycles(closure(term)); }

 private:
  Piece possibleCycles(const Piece& words) {
    const Piece inPlace = net_.transduce(compact(words), 6, staysInLocation, kStayedOrUnknown);
    return net_.transduce(compact(inPlace), 3, leavesThreadOnce, {true, false, true});
  }

  // The same words with as few states as possible: what is done with them next multiplies the states.
  Piece compact(const Piece& words) { return net_.words(reduce(net_.normalForm(words, true))); }

  // x+. How communication and two reads of one write are best written depends on what follows them, so a cycle is
  // rotated to end with something else, or, if there is nothing else, with communication. A cycle of nothing but reads
  // of one write is written with what is kept between them.
  Piece closure(const Kat& term) {
    // The last letter: 0 something else, 1 communication (rf ; rmw is some), 2 two reads of one write.
    const auto last = [](unsigned, Letter letter) -> std::vector<NetBuilder::Move> {
      const bool same = has(lettersOf(Letter::sameSource, Letter::closeSame), letter);
      return {{same ? 2U : has(kRf | kCo | kRb | only(Letter::rmw), letter) ? 1U : 0U, {letter}}};
    };
    const auto kept = [](unsigned, Letter letter) -> std::vector<NetBuilder::Move> {
      if (letter == Letter::sameSource) return {};
      if (letter == Letter::closeSame) return {{1, {Letter::closeExt}}};  // a bracket that nothing has opened
      return {{0, {letter}}};
    };
    const Automaton once = reduce(net_.normalForm(build(term), true));
    const auto ending = [&](const std::vector<bool>& accepting) {
      return net_.transduce(net_.words(once), 3, last, accepting);
    };
    const Piece mixed = net_.sequence(net_.star(net_.words(once)), ending({true, false, false}));
    const Piece seen = net_.sequence(net_.star(ending({false, true, true})), ending({false, true, false}));
    const Piece same = net_.plus(net_.transduce(net_.words(once), 2, kept, {false, true}));
    return net_.unite(net_.unite(mixed, seen), same);
  }

  Piece bracketed(const Piece& inner, Filter filter) {
    const Brackets brackets = bracketsOf(filter);
    const Piece open = net_.letters(only(brackets.open));
    const Piece begun = net_.sequence(open, inner);
    return net_.sequence(begun, net_.letters(only(brackets.close)));
  }

  // rmw: the two halves have one order.
  Piece pairs() {
    std::vector<std::pair<Mask, Mask>> known;
    Piece result = net_.never();
    for (const Order order : {Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst}) {
      const auto maskOf = [&](EventKind kind) {
        return net_.atoms().mask(cellsOfClasses(ClassSet{1} << eventClass(kind, order, true)));
      };
      const std::pair<Mask, Mask> ends{maskOf(EventKind::read), maskOf(EventKind::write)};
      if (std::find(known.begin(), known.end(), ends) != known.end()) continue;
      known.push_back(ends);
      const Piece begun = net_.sequence(net_.test(ends.first), net_.letters(only(Letter::rmw)));
      result = net_.unite(result, net_.sequence(begun, net_.test(ends.second)));
    }
    return result;
  }

  // e & loc, if e agrees with the order of writes: from a write it is co or co? ; rf, from a read rb, or else the two
  // reads see different writes in their order or the same one. In the last case e itself is kept as well: Contraction
  // chooses.
  Piece asCommunication(const Kat& inner) {
    const Mask reads = net_.atoms().mask(cellsOfClasses(classes::kRead));
    const Mask writes = net_.atoms().mask(cellsOfClasses(classes::kWrite));
    const auto between = [&](Mask from, const Piece& piece, Mask to) {
      const Piece begun = net_.sequence(net_.test(from), piece);
      return net_.sequence(begun, net_.test(to));
    };
    const Piece later = net_.sequence(net_.letters(kCo), net_.letters(kRf));
    const Piece written = net_.unite(between(writes, net_.letters(kCo), writes),
                                     between(writes, net_.unite(net_.letters(kRf), later), reads));
    const Piece differ = net_.sequence(net_.letters(kRb), net_.letters(kRf));
    const Piece kept = net_.sequence(build(inner), net_.letters(only(Letter::closeSame)));
    const Piece same = net_.unite(net_.letters(only(Letter::sameSource)), kept);
    const Piece read =
        net_.unite(between(reads, net_.letters(kRb), writes), between(reads, net_.unite(differ, same), reads));
    return net_.unite(written, read);
  }

  Piece filter(const Kat& term) {
    const Kat& inner = *term.args[0];
    if (term.filter == Filter::sameLocation && std::find(ordered_.begin(), ordered_.end(), &inner) != ordered_.end()) {
      return asCommunication(inner);
    }
    const unsigned kind = 1U << static_cast<unsigned>(term.filter);
    // Brackets of one kind do not nest, so that the closing one that follows an opening one is its own.
    if ((open_ & kind) != 0) return build(inner);
    open_ |= kind;
    const Piece result =
        term.filter == Filter::sameLocation ? inLocation(inner) : bracketed(possible(inner, term.filter), term.filter);
    open_ &= ~kind;
    return result;
  }

  // Without the words whose letters contradict the filter.
  Piece possible(const Kat& inner, Filter filter) {
    switch (filter) {
      case Filter::otherThread: return net_.transduce(build(inner), 3, leavesThreadOnce, {false, true, true});
      case Filter::sameThread: return net_.transduce(build(inner), 3, leavesThreadOnce, {true, false, true});
      case Filter::otherLocation: {
        // An event without a location is not of the same location as itself.
        const Mask access = net_.atoms().mask(cellsOfClasses(accessClasses()));
        const Piece same = net_.transduce(build(inner), 3, leavesLocation, {true, false, false});
        const Piece none = net_.sequence(same, net_.test(net_.atoms().all() & ~access));
        return net_.unite(none, net_.transduce(build(inner), 3, leavesLocation, {false, false, true}));
      }
      case Filter::sameLocation: break;
    }
    return build(inner);
  }

  Piece inLocation(const Kat& inner) {
    const Mask access = net_.atoms().mask(cellsOfClasses(accessClasses()));
    const Piece kept = net_.transduce(build(inner), 6, staysInLocation, kStayed);
    const Piece rest = net_.transduce(build(inner), 6, staysInLocation, kUnknown);
    const Piece both = net_.unite(kept, bracketed(rest, Filter::sameLocation));
    const Piece begun = net_.sequence(net_.test(access), both);
    return net_.sequence(begun, net_.test(access));
  }

  static constexpr LetterSet kAnyOrder = lettersOf(Letter::po, Letter::poLoc);

  NetBuilder& net_;
  bool mapped_;
  const std::vector<const Kat*>& ordered_;
  unsigned open_ = 0;  // the filters around the term being built
};

// Writes communication in its shortest form: rb ; co for rb, rf ; rb for co, co ; co for co, without the events in
// between (so what is written is larger, or the same). The pair of a longer stretch may be of one thread or of two, so
// both letters are written. With `pairs`, rf ; rmw is known to be inside co, and is taken for it where a stretch can go
// on with it. Flags of a state: 0 nothing, 1 a write has been reached by co or rb: no co and no rf ; rb may follow, 2 a
// read has been reached by rf: no rb may follow, 3 the same after a stretch: no rmw may follow either. Two reads of one
// write are as good as one where rb follows; where it does not, the stretch between them is kept.
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

void restrictEvents(Automaton& automaton, Mask events) {
  for (auto& steps : automaton.steps) {
    for (Step& step : steps) step.guard &= events;
    std::erase_if(steps, [](const Step& step) { return step.guard == 0; });
  }
  for (Mask& mask : automaton.accept) mask &= events;
}

// ---- Right-hand sides

constexpr LetterSet kInThread = lettersOf(Letter::po, Letter::poLoc, Letter::poOther, Letter::rfi, Letter::rmw) |
                                kDependencies | kPastFences;

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

  Piece leaf(LetterSet set) {
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
        LetterSet set = term.letters;
        if (has(set, Letter::po)) set |= inOrder();
        if (has(set, Letter::poLoc)) return orderInLocation();
        if (has(set, Letter::rfi)) return net_.unite(steps(set), past(Letter::enterRf, Letter::leaveRf));
        return steps(set);
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
    // States: 0, 1 outside, before and after the step that leaves; 2, 3 inside `same` brackets (or a step past fences);
    // 4 inside `other` ones.
    const auto machine = [=](unsigned state, Letter letter) -> std::vector<NetBuilder::Move> {
      if (state >= 2) {
        const bool arrives = location && has(lettersOf(Letter::leaveLoc, Letter::leaveRf), letter);
        if (state < 4 && (letter == same.close || arrives)) return {{state - 2, {letter}}};
        if (state == 4 && letter == other.close) return {{1, {letter}}};
        return {{state, {letter}}};
      }
      const bool departs = location && has(lettersOf(Letter::enterLoc, Letter::enterRf), letter);
      if (letter == same.open || departs) return {{state + 2, {letter}}};
      if (letter == other.open && needsOne && state == 0) return {{4, {letter}}};
      if (has(stay, letter)) return {{state, {letter}}};
      if (has(leave, letter) && needsOne && state == 0) return {{1, {letter}}};
      return {};
    };
    const Piece words = net_.transduce(piece, 5, machine, {!needsOne, needsOne, false, false, false});
    if (filter != Filter::sameLocation) return words;
    return net_.sequence(net_.test(net_.atoms().mask(cellsOfClasses(accessClasses()))), words);
  }

  NetBuilder& net_;
  const Facts& facts_;
  std::vector<Assumption>& assumptions_;
  Mask real_;
  LetterSet alive_;
  unsigned depth_ = 0;
};

// A bracket steps from an event to itself, and a right-hand side need not look at it; except that between an opening
// bracket it has read and the closing one, it must not pass over brackets of that kind, or it would take the end of
// another stretch for the end of this one.
void ignoreBrackets(Automaton& automaton, Mask all) {
  constexpr std::pair<Letter, Letter> kPairs[] = {{Letter::openLoc, Letter::closeLoc},
                                                  {Letter::openOther, Letter::closeOther},
                                                  {Letter::openInt, Letter::closeInt},
                                                  {Letter::openExt, Letter::closeExt}};
  std::vector<LetterSet> open(automaton.size(), 0);  // brackets of the kinds that may be open
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned s = 0; s < automaton.size(); ++s) {
      for (const Step& step : automaton.steps[s]) {
        for (unsigned l = 0; l < kLetters; ++l) {
          if ((step.letters >> l & 1) == 0) continue;
          LetterSet inside = open[s];
          for (const auto& [first, last] : kPairs) {
            if (static_cast<Letter>(l) == first) inside |= lettersOf(first, last);
            if (static_cast<Letter>(l) == last) inside &= ~lettersOf(first, last);
          }
          changed |= (inside & ~open[step.to]) != 0;
          open[step.to] |= inside;
        }
      }
    }
  }
  for (unsigned s = 0; s < automaton.size(); ++s) {
    if ((kBrackets & ~open[s]) != 0) automaton.steps[s].push_back({all, kBrackets & ~open[s], s});
  }
}

// The states to which a word leads from a state, whatever the events and letters it leaves open are.
std::vector<unsigned> statesAfter(const Automaton& automaton, const Atoms& atoms, unsigned from, const Word& word,
                                  Mask start) {
  std::vector<unsigned> states{from};
  for (std::size_t i = 0; i < word.steps.size(); ++i) {
    Mask guard = atoms.mask(word.tests[i]);
    if (i == 0) guard &= start;
    std::vector<unsigned> next;
    for (const unsigned s : states) {
      std::map<unsigned, LetterSet> reached;
      for (const Step& step : automaton.steps[s]) {
        if ((guard & ~step.guard) == 0) reached[step.to] |= step.letters;
      }
      for (const auto& [to, set] : reached) {
        if (hasAll(set, word.steps[i])) next.push_back(to);
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    states = std::move(next);
  }
  return states;
}

// Can `a` do in one step whatever `b` can at these events, and come to the same state?
bool covers(const Automaton& automaton, unsigned a, unsigned b, Mask events) {
  if (a == b) return true;
  if ((automaton.accept[b] & events & ~automaton.accept[a]) != 0) return false;
  return std::all_of(automaton.steps[b].begin(), automaton.steps[b].end(), [&](const Step& step) {
    if ((step.guard & events) == 0) return true;
    return std::any_of(automaton.steps[a].begin(), automaton.steps[a].end(), [&](const Step& other) {
      return other.to == step.to && (step.guard & events & ~other.guard) == 0 && hasAll(other.letters, step.letters);
    });
  });
}

// The events that a word can end at.
Mask endsOf(const Atoms& atoms, const Word& word) {
  Mask range = word.steps.empty() ? atoms.all() : 0;
  for (LetterSet rest = word.steps.empty() ? 0 : word.steps.back(); rest != 0; rest &= rest - 1) {
    range |= atoms.range(static_cast<unsigned>(std::countr_zero(rest)));
  }
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
                                    [&](unsigned other) { return covers(automaton, other, q, ends); });
      if (!some) return true;
    }
    return false;
  });
  return candidates;
}

// Adds the words of `assumed` from `from` to the states in `targets`. Returns how many steps that took.
std::size_t addWords(Automaton& automaton, const Automaton& assumed, unsigned from,
                     const std::vector<unsigned>& targets) {
  const unsigned base = automaton.size();
  automaton.steps.resize(base + assumed.size());
  automaton.accept.resize(base + assumed.size(), 0);
  std::size_t added = 0;
  for (unsigned s = 0; s < assumed.size(); ++s) {
    const unsigned self = s == 0 ? from : base + s;
    added += assumed.steps[s].size();
    for (Step step : assumed.steps[s]) {
      step.to += base;
      automaton.steps[self].push_back(step);
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

Automaton Theory::left(const KatPtr& term, Mask events) const {
  NetBuilder net(atoms_);
  const std::vector<const Kat*> none;
  Automaton result = net.normalForm(LeftBuilder(net, fences_ != nullptr, none).build(*term), true);
  restrictEvents(result, events);
  return expandFences(reduce(result));
}

namespace {

// x of x+, perhaps with tests at the ends (which are left out: there are more cycles without them). Otherwise nullptr.
KatPtr closureIn(const KatPtr& term) {
  if (term->kind != KatKind::sequence) return nullptr;
  const KatPtr& a = term->args[0];
  const KatPtr& b = term->args[1];
  if (b->kind == KatKind::star && b->args[0] == a) return a;
  if (a->kind == KatKind::test) return closureIn(b);
  if (b->kind == KatKind::test) return closureIn(a);
  return nullptr;
}

}  // namespace

Automaton Theory::leftCycles(const KatPtr& term, Mask events, bool contracted) const {
  NetBuilder net(atoms_);
  const std::vector<const Kat*> none;
  const KatPtr closed = closureIn(term);
  const bool ordered = contracted && closed != nullptr && (!facts_.ordered.empty() || fences_ != nullptr);
  LeftBuilder builder(net, fences_ != nullptr, ordered ? facts_.ordered : none);
  Automaton result = net.normalForm(ordered ? builder.buildClosure(*closed) : builder.buildCycles(*term), true);
  restrictEvents(result, events);
  result = reduce(result);
  if (contracted) result = Contraction(result, facts_.pairsCohere).run();
  result = expandFences(result);
  return result;
}

// Writes the fences of the mapping into the words: where a step of program order has some to pass, it passes them.
// Whether it does depends on the event it comes to, so each state is split by what the mapping puts before its event.
Automaton Theory::expandFences(const Automaton& plain) const {
  if (fences_ == nullptr) return plain;
  // A state is split by what stands before its event, so by groups that no group before tells apart.
  std::vector<Mask> targets;
  std::vector<unsigned> examples;
  for (unsigned g = 0; g < fences_->groups.size(); ++g) {
    const auto alike = [&](unsigned other) {
      return std::all_of(fences_->between.begin(), fences_->between.end(),
                         [&](const auto& row) { return row[g] == row[other]; });
    };
    const auto known = std::find_if(examples.begin(), examples.end(), alike);
    if (known != examples.end()) {
      targets[static_cast<std::size_t>(known - examples.begin())] |= fences_->groups[g];
      continue;
    }
    targets.push_back(fences_->groups[g]);
    examples.push_back(g);
  }
  // And a step by what stands behind the event it leaves.
  std::vector<Mask> sources;
  std::vector<unsigned> sourceExamples;
  for (unsigned g = 0; g < fences_->groups.size(); ++g) {
    const auto known = std::find_if(sourceExamples.begin(), sourceExamples.end(),
                                    [&](unsigned other) { return fences_->between[g] == fences_->between[other]; });
    if (known != sourceExamples.end()) {
      sources[static_cast<std::size_t>(known - sourceExamples.begin())] |= fences_->groups[g];
      continue;
    }
    sources.push_back(fences_->groups[g]);
    sourceExamples.push_back(g);
  }
  Automaton result;
  const auto addState = [&](Mask accept) {
    result.steps.emplace_back();
    result.accept.push_back(accept);
    return result.size() - 1;
  };
  const auto count = static_cast<unsigned>(targets.size());
  addState(plain.accept[0]);
  const auto stateOf = [&](unsigned s, unsigned g) { return 1 + s * count + g; };
  for (unsigned s = 0; s < plain.size(); ++s) {
    for (unsigned g = 0; g < count; ++g) addState(plain.accept[s] & targets[g]);
  }
  // A step of program order past fences. A smaller relation says what it is at its ends.
  const auto addPath = [&](unsigned self, Mask guard, Letter letter, const std::vector<Mask>& between, unsigned to) {
    const Letter enter = letter == Letter::poLoc ? Letter::enterLoc
                         : letter == Letter::rfi ? Letter::enterRf
                                                 : Letter::po;
    const Letter leave = letter == Letter::poLoc ? Letter::leaveLoc
                         : letter == Letter::rfi ? Letter::leaveRf
                                                 : Letter::po;
    unsigned at = self;
    Mask events = guard;
    for (const Mask fence : between) {
      const unsigned next = addState(0);
      result.steps[at].push_back({events, only(at == self ? enter : Letter::po), next});
      at = next;
      events = fence;
    }
    result.steps[at].push_back({events, only(leave), to});
  };
  constexpr LetterSet kPassing = lettersOf(Letter::po, Letter::poOther, Letter::poLoc, Letter::rfi);
  const auto addSteps = [&](unsigned self, const Step& step, Mask here) {
    for (LetterSet rest = step.letters; rest != 0; rest &= rest - 1) {
      const auto letter = static_cast<Letter>(std::countr_zero(rest));
      for (std::size_t from = 0; from < sources.size(); ++from) {
        const Mask guard = step.guard & here & sources[from];
        if (guard == 0) continue;
        for (unsigned to = 0; to < count; ++to) {
          const std::vector<Mask>& between = fences_->between[sourceExamples[from]][examples[to]];
          if (between.empty() || !has(kPassing, letter)) {
            result.steps[self].push_back({guard, only(letter), stateOf(step.to, to)});
            continue;
          }
          // (If these are the halves of a read-modify-write, the step from one to the other is also in the words as
          // rmw.)
          addPath(self, guard, letter, between, stateOf(step.to, to));
        }
      }
    }
  };
  for (unsigned s = 0; s < plain.size(); ++s) {
    for (const Step& step : plain.steps[s]) {
      if (s == 0) addSteps(0, step, atoms_.all());
      for (unsigned g = 0; g < count; ++g) addSteps(stateOf(s, g), step, targets[g]);
    }
  }
  return reduce(result);
}

Automaton Theory::right(const KatPtr& term) const {
  NetBuilder net(atoms_);
  RightBuilder builder(net, facts_, assumptions_, real_, alive_);
  Automaton result = net.normalForm(builder.build(*term), false);
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
      const Automaton assumed = reduce(assumedNet.normalForm(assumedBuilder.build(*assumption.left), false));
      if (leadsBackToStart(assumed)) continue;  // its start would be more than a beginning
      Mask start = assumed.accept[0];
      for (const Step& step : assumed.steps[0]) start |= step.guard;
      const unsigned states = result.size();
      for (unsigned s = 0; s < states && added < kMostSteps; ++s) {
        TimeLimit::check();
        const std::vector<unsigned> targets = statesAfterAll(result, atoms_, s, assumption.right, start);
        if (targets.empty()) continue;
        added += addWords(result, assumed, s, targets);
        assumption.used = true;
      }
    }
    result = reduce(result);
    if (result.size() == before) break;
  }
  ignoreBrackets(result, atoms_.all());
  return result;
}

}  // namespace heddle::prove
