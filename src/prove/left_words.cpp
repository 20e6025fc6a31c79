// Left-hand sides: the words of a term, and those of them that can be cycles.
//
// A left-hand side is not saturated, but what its words say is written so that the right-hand side can make use of it:
// a run of program order that cannot have left the location is put in brackets, a step inside a read-modify-write is
// told from other program order, and e & loc is written as communication where it is known to be that.
#include <algorithm>

#include "prove/contraction.h"
#include "prove/term_words.h"
#include "prove/theory.h"

namespace heddle::prove {

namespace {

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
        return net_.atoms().mask(cellsOfClasses(ClassSet::of(eventClass(kind, order, true))));
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
    const Piece written =
        net_.unite(between(writes, net_.letters(kCo), writes), between(writes, net_.unite(net_.letters(kRf), later), reads));
    const Piece differ = net_.sequence(net_.letters(kRb), net_.letters(kRf));
    const Piece kept = net_.sequence(build(inner), net_.letters(only(Letter::closeSame)));
    const Piece same = net_.unite(net_.letters(only(Letter::sameSource)), kept);
    const Piece read = net_.unite(between(reads, net_.letters(kRb), writes), between(reads, net_.unite(differ, same), reads));
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

void restrictEvents(Automaton& automaton, Mask events) {
  for (auto& steps : automaton.steps) {
    for (Step& step : steps) step.guard &= events;
    std::erase_if(steps, [](const Step& step) { return step.guard == 0; });
  }
  for (Mask& mask : automaton.accept) mask &= events;
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
  if (contracted) result = contractedWords(result, facts_.pairsCohere);
  result = expandFences(result);
  return result;
}

}  // namespace heddle::prove
