// The reads of recovery as choices of the exploration (explore/recovery.h): which writes each may find.
//
// What recovery has found so far is a snapshot (model.h), a part for each run of bytes that accesses of the program treat alike. A read
// of other bytes may find each write that the model allows with the rest; the newest comes first. If it reads several such
// runs at once it chooses for all of them. What it has read before is what it was.
#pragma once

#include <memory>
#include <vector>

#include "explore/recovery.h"
#include "persist/model.h"
#include "program/program.h"

namespace heddle::persist {

class RecoveryReads final : public explore::Recovery {
 public:
  RecoveryReads(std::unique_ptr<Model> model, const Program& program, ThreadId thread)
      : model_(std::move(model)), program_(program), thread_(thread) {}

  // Where happens-before is among the views of an event.
  void setHappensBefore(std::size_t view) { model_->setHappensBefore(view); }

  ThreadId thread() const override { return thread_; }
  void begin(const ExecutionView& graph) override;
  std::uint32_t choices(const ExecutionView& graph, EventId read) override;
  Value found(const ExecutionView& graph, EventId read, std::uint32_t choice) override;

  // ---- For reports, of a graph with recovery in it.

  // What a read of recovery has found: the value, and the writes, without initial ones: one, unless it has read several locations at once.
  Value valueOf(const ExecutionView& graph, EventId read);
  std::vector<EventId> foundBy(const ExecutionView& graph, EventId read);
  // Must a durable write have persisted, or not have persisted, for recovery to find what it did?
  enum class Fate : std::uint8_t { unknown, persisted, lost };
  Fate fateOf(const ExecutionView& graph, EventId write);

 private:
  struct Piece {
    ByteRange bytes;  // of the read
    std::size_t part = 0;
  };
  struct Read {
    EventId event = kNone;
    std::vector<Piece> pieces;
    std::size_t before = 0;                                // parts that were there before; it has added the others
    std::vector<std::vector<std::uint32_t>> options = {};  // by choice: the positions of the parts that it has added
  };

  void dropFrom(EventId event);
  const Read& readOf(const ExecutionView& graph, EventId event);
  Value valueOf(const ExecutionView& graph, const Read& read) const;
  void follow(const ExecutionView& graph);
  void addPieces(const ExecutionView& graph, Read& read);
  void findOptions(std::size_t first, std::size_t next, std::vector<std::vector<std::uint32_t>>& options);

  std::unique_ptr<Model> model_;
  const Program& program_;
  ThreadId thread_;
  bool begun_ = false;  // the model knows the execution
  std::vector<Part> parts_;
  std::vector<Read> reads_;
};

}  // namespace heddle::persist
