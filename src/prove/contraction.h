// Communication in its shortest form: rb ; co for rb, rf ; rb for co, co ; co for co, without the events in between (so
// what is written is larger, or the same). The pair of a longer stretch may be of one thread or of two, so both letters
// are written. Two reads of one write are as good as one where rb follows; where it does not, the stretch between them
// is kept.
#pragma once

#include "prove/automaton.h"

namespace heddle::prove {

// With `pairs`, rf ; rmw is known to be inside co, and is taken for it where a stretch can go on with it.
Automaton contractedWords(const Automaton& plain, bool pairs);

}  // namespace heddle::prove
