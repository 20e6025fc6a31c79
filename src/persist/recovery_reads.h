// The reads of recovery as choices of the exploration (explore/recovery.h): which writes each may find.
//
// What recovery has found so far is a snapshot (model.h), a part for each run of bytes that accesses of the program treat alike. A read
// of other bytes may find each write that the model allows with the rest; the newest comes first. If it reads several such
// runs at once it chooses for all of them. What it has read before is what it was, and what it has written itself is what it wrote.
//
// Where recovery has crashed, too (recovery_writes.h), there are two snapshots, one on top of the other: what had persisted of
// recovery's own writes; and where that is none, what had persisted of the program's.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "explore/recovery.h"
#include "persist/model.h"
#include "persist/recovery_writes.h"
#include "program/program.h"

namespace heddle::persist {

class RecoveryReads final : public explore::Recovery {
 public:
  using MakeModel = std::function<std::unique_ptr<Model>()>;
  RecoveryReads(const MakeModel& makeModel, Program& program, ThreadId thread)
      : ofProgram_{makeModel()}, ofRecovery_{makeModel()}, program_(program), thread_(thread), writes_(program) {}

  // Where happens-before is among the views of an event. Where there is one thread, it is po.
  void setHappensBefore(std::size_t view) { ofProgram_.model->setHappensBefore(view); }

  // Who says whether an execution is complete though some threads wait. By default it is not.
  void setCompleteness(std::function<bool()> isComplete) { isComplete_ = std::move(isComplete); }

  ThreadId thread() const override { return thread_; }
  bool crashesWhileSomeWait() const override { return isComplete_ && isComplete_(); }
  void begin(const ExecutionView& graph) override;
  std::uint32_t choices(const ExecutionView& graph, EventId read) override;
  Value found(const ExecutionView& graph, EventId read, std::uint32_t choice) override;
  void resumeAfter(EventId event) override { dropFrom(event + 1); }

  // ---- For reports, of a graph with recovery in it.

  // What a read of recovery has found: the value, and the writes, without initial ones: one, unless it has read several locations at once.
  Value valueOf(const ExecutionView& graph, EventId read);
  std::vector<EventId> foundBy(const ExecutionView& graph, EventId read);
  // Must a durable write have persisted, or not have persisted, for recovery to find what it did?
  enum class Fate : std::uint8_t { unknown, persisted, lost };
  Fate fateOf(const ExecutionView& graph, EventId write);

 private:
  // What a crash has left.
  struct Crash {
    std::unique_ptr<Model> model;
    std::vector<Part> parts = {};
    bool begun = false;  // the model knows the execution
  };
  using Option = std::vector<std::uint32_t>;  // positions of the parts that a read has added
  struct Piece {
    ByteRange bytes;  // of the read
    Crash* crash = nullptr;
    std::size_t part = 0;
  };
  struct Read {
    EventId event = kNone;
    ByteRange bytes = {};
    RecoveryWrites::Written own = {};
    bool isAgain = false;  // after the second crash
    std::vector<Piece> pieces = {};
    std::size_t before = 0, beforeAgain = 0;  // parts that were there before; it has added the others
    std::vector<Option> options = {};         // by choice
  };

  void dropFrom(EventId event);
  void noteSteps(const ExecutionView& graph, EventId read);
  const ExecutionView& executionOf(const Crash& crash, const ExecutionView& graph);
  void beginModel(Crash& crash, const ExecutionView& graph);
  std::vector<ByteRange> addPieces(Crash& crash, const ExecutionView& graph, const std::vector<ByteRange>& ranges, Read& read);
  std::vector<ByteRange> lostAgain(const Read& read, std::vector<ByteRange> others) const;
  template <class F>
  void forEachOption(Crash& crash, std::size_t next, const F& visit);
  void findOptionsAgain(const ExecutionView& graph, Read& read);
  void chooseAgain(const ExecutionView& graph, Read& read, const Option& option);
  const Read& readOf(const ExecutionView& graph, EventId event);
  Value valueOf(const ExecutionView& graph, const Read& read);
  void follow(const ExecutionView& graph);

  Crash ofProgram_, ofRecovery_;
  Program& program_;
  ThreadId thread_;
  std::function<bool()> isComplete_;
  RecoveryWrites writes_;
  std::vector<Read> reads_;
};

}  // namespace heddle::persist
