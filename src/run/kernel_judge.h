// Which complete executions the Linux kernel's memory model allows, and whether they have data races.
//
// The kernel's model (models/lkmm.cat) is not regular: RCU counts grace periods against critical sections. So a program is explored
// under a weaker model (models/explored/lkmm.cat), and each complete execution is judged here, by the text of the kernel's model.
// Executions that it forbids are passed over. Nothing is lost that way, as the exploration visits every execution of the weaker
// model; and nothing comes twice.
//
// Most executions need no evaluation. If po | rf | co | rb has no cycle, the execution is sequentially consistent; hb, pb and
// whatever plain-coherence forbids are made of paths of these, so they have no cycle either. Only RCU can forbid it then, and only if
// there is a grace period.
//
// Errors. A thread that has failed stops, and the others go on to the end: the error counts if the model allows the graph that is
// complete otherwise. That it is asked of the complete graph matters: a grace period that others wait for ends only after the
// critical sections before it, and what these still do may contradict what has been seen. If the model allows an execution, it
// allows every part of it that is closed under po and rf, with sections that are cut off ending where they are cut
// (kernel_execution.h): all its operators but the pairing of sections are monotone, and a section that ends earlier orders less. So
// no error of an execution that is allowed is lost.
//
// Data races are those of the kernel's definition, the flag `data-race` of the model. Plain accesses are events where happens-before
// (races-by of the weaker model) does not order them; where it does, the kernel's definition does as well: each step of it, from a
// release to an acquire that reads from it, is in vis and in xbstar, and program order before the one and after the other bounds what is
// plain.
//
// A heap block is used after it has been freed if an access to it is not ordered before the `free`, which is a plain write of the
// block: by the same definition, whether a grace period is missing or not. So `free` is an event, and the plain accesses to the
// block are events of the evaluation, unless happens-before orders them already. Memory keeps the block as it was.
#pragma once

#include <optional>
#include <vector>

#include "enumerate/evaluator.h"
#include "explore/observer.h"
#include "memory/memory.h"
#include "model/ast.h"
#include "run/kernel_execution.h"

namespace heddle::run {

class KernelJudge {
 public:
  explicit KernelJudge(const model::Model& model);

  bool allows(const ExecutionView& graph);
  // Of the graph that was last asked about, and is allowed: two accesses that race. `raceView`: happens-before.
  std::optional<explore::Race> findRace(const ExecutionView& graph, std::size_t raceView);
  // Likewise: an access to a block that is not before the end of its life.
  struct LateAccess {
    EventId end = kNone;
    memory::AccessInfo access;
  };
  std::optional<LateAccess> findLateAccess(const ExecutionView& graph, std::size_t raceView, const memory::Memory& memory);

 private:
  bool isSequentiallyConsistent(const ExecutionView& graph);
  static bool hasGracePeriod(const ExecutionView& graph);
  static bool mayRace(const ExecutionView& graph, std::size_t raceView);
  void evaluate(const ExecutionView& graph);
  bool isBefore(std::size_t access, std::size_t end);

  KernelExecution execution_;
  enumerate::Evaluator evaluator_;
  std::size_t dataRace_ = 0;                                          // which flag
  std::size_t readBeforeWrite_, writeBeforeRead_, writeBeforeWrite_;  // relations of the model
  bool isAssembled_ = false;  // the execution is that of the last graph, without plain accesses
  std::vector<PlainAccess> accesses_;
  std::vector<std::uint32_t> waiting_;  // by event, from kFirstEvent: how many come right before it and are not done
  std::vector<EventId> ready_;
};

}  // namespace heddle::run
