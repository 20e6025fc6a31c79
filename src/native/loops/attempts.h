// Loops that take back what they have changed, if that was in vain (ZNE, thesis section 7.2.6).
//
//     for (;;) {
//       if (x.fetch_add(n) is good enough) break;      the attempt
//       x.fetch_sub(n);                                 is taken back
//       while (x.load() is not good enough) pause();    what may follow
//     }
//
// What happens to such a loop is told in explore/zero_net_effect.cpp: the addition becomes an attempt, which waits if
// it would fail. Then nothing after it is executed in vain, so there must be nothing in it that could go wrong, or that
// anybody else could see, but for the flicker: additions and loads of the same location, fences, and what only passes
// the time. It must not take for ever, either: a loop in there counts, or ends when another attempt would be good
// enough. The loop is left nowhere else once the attempt has failed, and carries nothing round that matters. What comes
// before the attempt has no effect.
//
// A test-and-set, `while (x.exchange(1) == 1) pause();`, is an attempt, too. What it does in vain is to write what was
// there, so that it need not be taken back, and nobody can notice it.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <optional>
#include <unordered_set>

#include "native/instrument/attempt_marks.h"
#include "native/instrument/shared_state.h"

namespace heddle::native {

// The attempt of a loop, if it is one of these. `relevant`: see relevance.h.
std::optional<Attempt> findAttempt(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                                   const BuildOptions& options, const std::unordered_set<const llvm::Instruction*>& relevant);

// In a loop that is left by one compare-exchange that succeeds and in no other way, and in which nothing else happens than loads
// of the same location, every round but the last is in vain, whatever the accesses have read. So they do not notice what
// attempts take back (explore/zero_net_effect.cpp). Marks them, if the loop is one of these: the writer of a lock whose readers
// try. In the last round a load before the exchange might still have found what was taken back afterwards. But it could also
// have found what the exchange finds, if that makes it go on to the exchange, and if it synchronises no more.
void markAllInVain(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                   const BuildOptions& options, const std::unordered_set<const llvm::Instruction*>& relevant);

// An addition, that is, and not an exchange.
bool adds(const llvm::AtomicRMWInst& rmw);

}  // namespace heddle::native
