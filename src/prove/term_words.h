// What left-hand and right-hand sides have in common when terms become automata.
#pragma once

#include "prove/automaton.h"
#include "prove/kat.h"

namespace heddle::prove {

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

inline Brackets bracketsOf(Filter filter) {
  switch (filter) {
    case Filter::sameLocation: return {Letter::openLoc, Letter::closeLoc};
    case Filter::otherLocation: return {Letter::openOther, Letter::closeOther};
    case Filter::sameThread: return {Letter::openInt, Letter::closeInt};
    case Filter::otherThread: return {Letter::openExt, Letter::closeExt};
  }
  return {Letter::openLoc, Letter::closeLoc};
}

inline ClassSet accessClasses() { return classes::kRead | classes::kWrite; }

}  // namespace heddle::prove
