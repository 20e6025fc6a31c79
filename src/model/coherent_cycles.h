// What coherence makes superfluous in an axiom `acyclic r`.
//
// In a graph that is coherent, irreflexive (po ; eco), a write that follows an access of its location in program order is co-later
// than it, or than what it reads from. And what co and rb connect within a thread is in program order:
//
//     po-loc ; [W]  <=  co | rb        coi | rbi  <=  po-loc ; [W]
//
// So if r contains po-loc ; [W], coe and rbe, it may as well contain co and rb, and has the same cycles. Then a part of r that is in
// one or more of the others' steps adds none: ARMv8's obs | lws is rfe | co | rb, and RISC-V does without po-loc ; [W] and
// (fre ; rfe) & int. What is left out so are filtered letters (regex.h), each step along which is a search of its own.
#pragma once

#include "model/regex.h"

namespace heddle::model {

RegexPtr withoutImpliedByCoherence(const RegexPtr& relation);

}  // namespace heddle::model
