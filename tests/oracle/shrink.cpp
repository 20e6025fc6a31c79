// The simplifications, as edits of the n-th statement of a program, and the loop that tries them. See shrink.h.
#include "shrink.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

namespace heddle::oracle {

namespace {

// An edit changes the statement at `index` of a block, or returns false if it has nothing to do there.
using Edit = bool (*)(Block& block, std::size_t index);

void splice(Block& block, std::size_t index, const Block& replacement) {
  const Block copy = replacement;
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(index));
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(index), copy.begin(), copy.end());
}

bool removeStatement(Block& block, std::size_t index) {
  splice(block, index, {});
  return true;
}

bool keepBody(Block& block, std::size_t index) {
  const Statement& s = block[index];
  if (s.kind != StatementKind::branch && s.kind != StatementKind::critical && s.kind != StatementKind::attempt) {
    return false;
  }
  if (!s.otherwise.empty()) return false;
  splice(block, index, s.body);
  return true;
}

bool dropElse(Block& block, std::size_t index) {
  const bool had = !block[index].otherwise.empty();
  block[index].otherwise.clear();
  return had;
}

bool swapSides(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::branch || s.otherwise.empty()) return false;
  s.body = s.otherwise;
  s.otherwise.clear();
  s.condition.equal = !s.condition.equal;
  return true;
}

bool keepFailure(Block& block, std::size_t index) {
  const Statement& s = block[index];
  if (s.kind != StatementKind::attempt || s.otherwise.empty()) return false;
  splice(block, index, s.otherwise);
  return true;
}

bool attemptToLock(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::attempt || !s.otherwise.empty()) return false;
  s.kind = StatementKind::critical;
  return true;
}

bool dropJoin(Block& block, std::size_t index) {
  const bool had = block[index].joined;
  block[index].joined = false;
  return had;
}

// The statements after the spawn's join are not touched, only those before it move out.
bool emptySpawnBody(Block& block, std::size_t index) {
  if (block[index].kind != StatementKind::spawn || block[index].body.empty()) return false;
  const Block body = std::move(block[index].body);
  block[index].body.clear();
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(index) + 1, body.begin(), body.end());
  return true;
}

bool updateToLoad(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::rmw && s.kind != StatementKind::cas) return false;
  s.kind = StatementKind::load;
  s.order = Order::relaxed;
  return true;
}

bool updateToStore(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::rmw && s.kind != StatementKind::cas) return false;
  s.kind = StatementKind::store;
  s.order = Order::relaxed;
  return true;
}

bool casToExchange(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::cas) return false;
  s.kind = StatementKind::rmw;
  s.op = RmwOp::exchange;
  return true;
}

bool simpleOp(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::rmw || s.op == RmwOp::exchange) return false;
  s.op = RmwOp::exchange;
  return true;
}

bool strongCas(Block& block, std::size_t index) {
  const bool was = block[index].weak;
  block[index].weak = false;
  return was;
}

bool relaxOrder(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.order == Order::relaxed || s.order == Order::plain) return false;
  s.order = Order::relaxed;
  return true;
}

// One step down for those that must stay stronger than relaxed.
bool weakenOrder(Block& block, std::size_t index) {
  Statement& s = block[index];
  const bool fenceOrUpdate = s.kind == StatementKind::fence || s.kind == StatementKind::rmw || s.kind == StatementKind::cas;
  if (s.order == Order::seq_cst && fenceOrUpdate) {
    s.order = Order::acq_rel;
  } else if (s.order == Order::seq_cst) {
    s.order = s.kind == StatementKind::store ? Order::release : Order::acquire;
  } else if (s.order == Order::acq_rel) {
    s.order = Order::release;
  } else if (s.order == Order::release && fenceOrUpdate) {
    s.order = Order::acquire;
  } else {
    return false;
  }
  return true;
}

bool acqRelToAcquire(Block& block, std::size_t index) {
  const bool was = block[index].order == Order::acq_rel;
  if (was) block[index].order = Order::acquire;
  return was;
}

bool relaxFailureOrder(Block& block, std::size_t index) {
  const bool was = block[index].failureOrder != Order::relaxed;
  block[index].failureOrder = Order::relaxed;
  return was;
}

bool isEmpty(const Operand& operand) { return operand.reg < 0 && operand.constant == 0; }

bool firstElement(Block& block, std::size_t index) {
  const bool had = !isEmpty(block[index].index);
  block[index].index = {};
  return had;
}

bool constantIndex(Block& block, std::size_t index) {
  Operand& element = block[index].index;
  if (element.reg < 0) return false;
  element = {.constant = 1};
  return true;
}

// Only the dependency is left, where it is enough.
bool zeroUse(Operand& operand) {
  if (operand.reg < 0 || operand.use == RegisterUse::zero) return false;
  operand.use = RegisterUse::zero;
  operand.otherReg = -1;
  return true;
}

bool zeroValue(Block& block, std::size_t index) { return zeroUse(block[index].value); }
bool zeroIndex(Block& block, std::size_t index) { return zeroUse(block[index].index); }

bool wholeRegister(Block& block, std::size_t index) {
  const bool was = block[index].value.use == RegisterUse::lowBit;
  if (was) block[index].value.use = RegisterUse::value;
  return was;
}

bool wholeCondition(Block& block, std::size_t index) {
  const bool was = block[index].condition.use == RegisterUse::lowBit;
  if (was) block[index].condition.use = RegisterUse::value;
  return was;
}

bool constantExpected(Block& block, std::size_t index) {
  const bool had = block[index].expected.reg >= 0;
  if (had) block[index].expected = {};
  return had;
}

bool constantOperand(Block& block, std::size_t index) {
  Operand& value = block[index].value;
  if (value.reg < 0) return false;
  value = {.constant = 1};
  return true;
}

bool oneRegister(Block& block, std::size_t index) {
  const bool had = block[index].value.otherReg >= 0;
  block[index].value.otherReg = -1;
  return had;
}

bool smallConstant(Block& block, std::size_t index) {
  Operand& value = block[index].value;
  if (value.constant >= 0 && value.constant <= 2) return false;
  value.constant = 1;
  return true;
}

bool smallExpected(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.kind != StatementKind::cas || (s.expected.constant >= 0 && s.expected.constant <= 2)) return false;
  s.expected.constant = 0;
  return true;
}

bool narrowAccess(Block& block, std::size_t index) {
  Statement& s = block[index];
  if (s.size < 2) return false;
  s.size /= 2;
  return true;
}

bool firstBytes(Block& block, std::size_t index) { return std::exchange(block[index].offset, 0u) != 0; }

bool alwaysUnlock(Block& block, std::size_t index) {
  const bool had = block[index].unlock != Unlock::always;
  block[index].unlock = Unlock::always;
  return had;
}

bool neverUnlock(Block& block, std::size_t index) {
  const bool had = block[index].unlock == Unlock::conditional;
  if (had) block[index].unlock = Unlock::never;
  return had;
}

bool firstMutex(Block& block, std::size_t index) {
  const bool had = block[index].mutex != 0;
  block[index].mutex = 0;
  return had;
}

constexpr std::array<Edit, 33> edits = {
    removeStatement,  keepBody,      dropElse,      swapSides,     keepFailure,     dropJoin,          emptySpawnBody,
    updateToLoad,     updateToStore, attemptToLock, alwaysUnlock,  neverUnlock,     firstMutex,        casToExchange,
    simpleOp,         strongCas,     relaxOrder,    weakenOrder,   acqRelToAcquire, relaxFailureOrder, constantOperand,
    oneRegister,      smallConstant, smallExpected, narrowAccess,  firstBytes,      firstElement,      constantIndex,
    constantExpected, zeroValue,     zeroIndex,     wholeRegister, wholeCondition};

// Applies an edit to statement number `n` in the order of the text, counting `n` down on the way; `found` says
// that there is such a statement, the result that the edit changed it.
bool editNth(Block& block, std::size_t& n, Edit edit, bool& found) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (n == 0) {
      found = true;
      return edit(block, i);
    }
    --n;
    const bool changed = editNth(block[i].body, n, edit, found) || (!found && editNth(block[i].otherwise, n, edit, found));
    if (found) return changed;
  }
  return false;
}

std::size_t countStatements(const Block& block) {
  std::size_t count = block.size();
  for (const Statement& s : block) count += countStatements(s.body) + countStatements(s.otherwise);
  return count;
}

// Does a round of the loop leave nothing behind, unless it is the last one?
bool isAwait(const Statement& s) {
  bool waits = false;
  for (const Statement& part : s.body) {
    const bool decides = part.reg == s.condition.reg;
    if (part.kind != StatementKind::load && part.kind != StatementKind::cas) return false;
    if (part.kind == StatementKind::cas && !(decides && s.condition.equal && s.condition.constant == 1)) return false;
    waits |= decides;
  }
  return waits;
}

// After a removal some registers may have no value any more: uses of them become constants, and a condition on one
// goes, leaving the body of its `if`.
void repair(Block& block, std::set<int>& known) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    Statement& s = block[i];
    if (s.kind == StatementKind::await && !isAwait(s)) {
      splice(block, i, Block(s.body));
      --i;
      continue;
    }
    if (s.value.reg >= 0 && !known.contains(s.value.reg)) s.value = {.constant = 1};
    if (s.index.reg >= 0 && !known.contains(s.index.reg)) s.index = {};
    if (s.expected.reg >= 0 && !known.contains(s.expected.reg)) s.expected = {};
    if (s.value.otherReg >= 0 && !known.contains(s.value.otherReg)) s.value.otherReg = -1;
    const bool conditional =
        s.kind == StatementKind::branch || s.kind == StatementKind::assume || s.kind == StatementKind::assertion;
    if (conditional && !known.contains(s.condition.reg)) {
      splice(block, i, Block(s.body));
      --i;
      continue;
    }
    const bool sets = s.kind == StatementKind::load || s.kind == StatementKind::rmw || s.kind == StatementKind::cas ||
                      s.kind == StatementKind::choose || s.kind == StatementKind::attempt;
    if (sets) known.insert(s.reg);
    if (s.kind == StatementKind::cas) known.insert(s.expectedReg);
    const bool scope = s.kind == StatementKind::branch || s.kind == StatementKind::attempt;
    std::set<int> copy = known;
    std::set<int>& inside = scope ? copy : known;
    repair(s.body, inside);
    if (s.unlock == Unlock::conditional && !inside.contains(s.condition.reg)) s.unlock = Unlock::always;
    if (scope) inside = known;
    repair(s.otherwise, inside);
  }
}

void repair(RandomProgram& program) {
  for (Block& thread : program.threads) {
    std::set<int> known;
    repair(thread, known);
  }
}

// Makes every plain access of a thread to a location an atomic one.
bool makeAtomic(Block& block, unsigned location) {
  bool changed = false;
  for (Statement& s : block) {
    const bool access = s.kind == StatementKind::load || s.kind == StatementKind::store;
    if (access && s.location == location && s.order == Order::plain) {
      s.order = Order::relaxed;
      changed = true;
    }
    changed |= makeAtomic(s.body, location);
    changed |= makeAtomic(s.otherwise, location);
  }
  return changed;
}

// Takes out the spawn of a thread and renumbers the threads after it.
void forgetThread(Block& block, unsigned thread) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block[i].kind == StatementKind::spawn && block[i].thread == thread) {
      splice(block, i, Block(block[i].body));
      --i;
      continue;
    }
    if (block[i].kind == StatementKind::spawn && block[i].thread > thread) --block[i].thread;
    forgetThread(block[i].body, thread);
    forgetThread(block[i].otherwise, thread);
  }
}

void collectSpawned(const Block& block, std::multiset<unsigned>& threads) {
  for (const Statement& s : block) {
    if (s.kind == StatementKind::spawn) threads.insert(s.thread);
    collectSpawned(s.body, threads);
    collectSpawned(s.otherwise, threads);
  }
}

bool isInBounds(const Block& block, const std::vector<Location>& locations) {
  return std::ranges::all_of(block, [&](const Statement& s) {
    return s.offset + s.size <= locations.at(s.location).size && isInBounds(s.body, locations) &&
           isInBounds(s.otherwise, locations);
  });
}

// A thread that is not initial needs its spawn: a thread that nobody spawns would be an initial one in the text. An
// access to a part of a location lies in it.
bool isWellFormed(const RandomProgram& program) {
  for (const Block& thread : program.threads) {
    if (!isInBounds(thread, program.locations)) return false;
  }
  std::multiset<unsigned> expected, found;
  for (unsigned t = program.initialThreads; t < program.threads.size(); ++t) expected.insert(t);
  for (const Block& thread : program.threads) collectSpawned(thread, found);
  return expected == found;
}

bool removeThread(RandomProgram& program, unsigned thread) {
  if (program.threads.size() < 2 || (thread < program.initialThreads && program.initialThreads < 2)) return false;
  program.threads.erase(program.threads.begin() + thread);
  if (thread < program.initialThreads) --program.initialThreads;
  for (Block& block : program.threads) forgetThread(block, thread);
  return true;
}

// A spawned thread that starts with the others instead. It becomes the last of the initial ones.
bool startAtOnce(RandomProgram& program, unsigned thread) {
  if (thread != program.initialThreads || thread >= program.threads.size()) return false;
  for (Block& block : program.threads) {
    std::function<void(Block&)> unspawn = [&](Block& inner) {
      for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i].kind == StatementKind::spawn && inner[i].thread == thread) splice(inner, i, Block(inner[i].body));
        if (i >= inner.size()) break;
        unspawn(inner[i].body);
        unspawn(inner[i].otherwise);
      }
    };
    unspawn(block);
  }
  ++program.initialThreads;
  return true;
}

}  // namespace

RandomProgram shrink(RandomProgram program, const StillFails& stillFails) {
  const auto accept = [&](RandomProgram candidate) {
    repair(candidate);
    if (!isWellFormed(candidate) || !stillFails(candidate)) return false;
    program = std::move(candidate);
    return true;
  };
  const auto tryThreads = [&](bool (*change)(RandomProgram&, unsigned)) {
    for (unsigned t = static_cast<unsigned>(program.threads.size()); t-- > 0;) {
      RandomProgram candidate = program;
      if (change(candidate, t) && accept(std::move(candidate))) return true;
    }
    return false;
  };
  const auto tryEdits = [&] {
    for (const Edit edit : edits) {
      for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (std::size_t n = countStatements(program.threads[t]); n-- > 0;) {
          RandomProgram candidate = program;
          std::size_t place = n;
          bool found = false;
          if (editNth(candidate.threads[t], place, edit, found) && accept(std::move(candidate))) return true;
        }
      }
    }
    return false;
  };
  const auto tryLocations = [&](auto change) {
    for (std::size_t l = 0; l < program.locations.size(); ++l) {
      RandomProgram candidate = program;
      if (change(candidate.locations[l]) && accept(std::move(candidate))) return true;
    }
    return false;
  };
  const auto tryAtomic = [&] {
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      for (unsigned l = 0; l < program.locations.size(); ++l) {
        RandomProgram candidate = program;
        if (makeAtomic(candidate.threads[t], l) && accept(std::move(candidate))) return true;
      }
    }
    return false;
  };
  const auto startAtZero = [](Location& l) { return std::exchange(l.initial, 0) != 0; };
  const auto simpleSize = [&](Location& l) {
    const unsigned size = !program.mixedSizes ? 4 : l.size > 1 ? l.size / 2 : 1;
    return std::exchange(l.size, size) != size;
  };
  const auto noArray = [](Location& l) { return std::exchange(l.elements, 1u) != 1; };
  while (tryThreads(removeThread) || tryEdits() || tryThreads(startAtOnce) || tryLocations(startAtZero) ||
         tryLocations(simpleSize) || tryLocations(noArray) || tryAtomic()) {}
  return program;
}

}  // namespace heddle::oracle
