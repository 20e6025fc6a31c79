// Executions by bytes, and what a model says of them: the section "Mixed sizes" of docs/models.md, literally.
//
// rf and co are chosen for each byte. The models' relations are between whole accesses: two accesses are related if a
// byte of them is. Beyond its own axioms a model asks that rf | co | rb, lifted, has no cycle, and that nothing comes
// between a read-modify-write and what it read on any byte.
//
// Transactions: the section of that name, as literally. With txn for "in the same transaction",
// weaklift(r) = txn ; (r \ txn) ; txn and stronglift(r) = txn? ; (r \ txn) ; txn?.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "evaluate.h"
#include "model/ast.h"

namespace heddle::oracle {

inline constexpr unsigned initialWrite = maxEvents;  // in place of the number of an event

struct ByteExecution {
  std::vector<Event> events;                    // without initial writes; a place here is an event's number
  std::vector<EventSet> poBefore;               // for each event, all that are before it in po
  std::vector<std::vector<unsigned>> sources;   // for each read and each byte of it, the write this is from
  std::map<Address, std::vector<unsigned>> co;  // for each byte accessed, the writes that cover it, in order
  std::map<Address, std::uint8_t> initial;      // the initial value of each byte accessed

  // The write of a read-modify-write stands right after its read.
  bool isUpdate(unsigned event) const { return events[event].rmw && events[event].kind == EventKind::write; }
};

struct LiftedExecution {
  Execution x;  // the initial writes are its first events
  Relation rb;
  unsigned initials = 0;
};

// An initial write for each byte, or one for all bytes in a row: no axiom can tell.
LiftedExecution lift(const ByteExecution& bytes, bool initialForEachByte);

// On every byte of every read-modify-write: nothing between the write read and its own.
bool isAtomic(const ByteExecution& bytes);

// Asks several models at once.
class MixedJudge {
 public:
  explicit MixedJudge(const std::vector<const model::Model*>& models);
  std::vector<bool> consistent(const ByteExecution& bytes, const LiftedExecution& lifted);
  // Of the execution asked about last.
  const Relation* happensBefore(std::size_t model) { return evaluator_.happensBefore(model); }

 private:
  // An axiom for transactions: acyclic stronglift(first), or irreflexive stronglift(first) ; stronglift(second).
  struct Lifted {
    Evaluator::Node first;
    std::optional<Evaluator::Node> second;
  };
  bool isLifted(std::size_t model, const Relation& txn);

  Evaluator evaluator_;
  std::size_t models_;
  std::vector<std::vector<Lifted>> lifted_;  // by model
};

// The text of ra-msa as this section has it.
extern const char* const raMsaText;

}  // namespace heddle::oracle
