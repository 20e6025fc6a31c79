// Can a fence that is inserted into a program add behaviour? (Thesis chapter 3: monotonicity.)
//
// It cannot if every execution that is consistent with the fence is consistent without it. Without the fence the other
// events, and the base relations between them, are what they were. So it is enough that the relation of each axiom has,
// between the other events, no pair without the fence that it does not have with it: such a relation is said to `keep`
// its pairs. Base relations, union, intersection, sequence and iteration do. What can fail is what stands on the right
// of a difference or under a complement: that must not `gain` pairs by the fence, as `po ; [F] ; po` does.
//
// Whether a relation gains pairs is a question about languages: is every word of it that passes through inserted fences
// also one of the relation on the other events? In `(po | rf)+` a `po ; [fence] ; po` is covered by `po`; in
// `po ; [F] ; po` it is not.
//
// An axiom that may lose pairs refutes nothing by itself. Executions that break it are built from its words, with
// what is subtracted left out, and taken at random; a fence is inserted at every place of each. One that the fence makes
// consistent refutes the claim. If there is none the answer is `not decided`.
#pragma once

#include "prove/prover.h"

namespace heddle::prove {

// May a fence of this order be inserted anywhere in a program, without a new execution of the rest? (Not between the
// two events of a read-modify-write, which is one instruction.) The inserted fence of the counterexample is marked.
Answer mayInsertFence(const model::Model& model, Order order, const ProverLimits& limits = {});

}  // namespace heddle::prove
