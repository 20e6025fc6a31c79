#include "bench/naive_mixed.h"

#include <algorithm>
#include <map>
#include <set>

#include "mixer/lifted_axioms.h"
#include "mixer/mixed_consistency.h"
#include "mixer/mixed_graph.h"

namespace heddle::bench {

using mixer::MixedGraph;

namespace {

// What an operation on one byte is a part of; kept in Operation::expected, which loads and stores do not use.
struct Part {
  OperationKind kind;
  unsigned byte, size;

  Value packed() const { return static_cast<Value>(kind) << 16 | byte << 8 | size; }
  static Part of(const Operation& operation) {
    const Value v = operation.expected();
    return {static_cast<OperationKind>(v >> 16), static_cast<unsigned>(v >> 8 & 0xff), static_cast<unsigned>(v & 0xff)};
  }
};

// A program whose accesses are all of one byte, but for mutexes.
class ByteProgram final : public Program {
 public:
  explicit ByteProgram(Program& whole) : whole_(whole), threads_(whole.threadCount()) {}

  unsigned threadCount() const override { return whole_.threadCount(); }
  unsigned initialThreads() const override { return whole_.initialThreads(); }
  void reset() override {
    whole_.reset();
    marks_.clear();
    threads_.assign(threads_.size(), {});
  }
  Mark mark(ThreadId thread) override {
    marks_.push_back({whole_.mark(thread), threads_[thread]});
    return static_cast<Mark>(marks_.size() - 1);
  }
  void rewind(ThreadId thread, Mark mark) override {
    whole_.rewind(thread, marks_[mark].whole);
    threads_[thread] = marks_[mark].state;
  }
  void release(Mark mark) override {
    whole_.release(marks_[mark].whole);
    marks_.resize(mark);
  }
  Value initialValue(Address address, unsigned size) const override { return whole_.initialValue(address, size); }
  std::string locationName(Address address, unsigned size) const override { return whole_.locationName(address, size); }
  std::string sourceText(std::uint32_t source) const override { return whole_.sourceText(source); }

  Operation advance(ThreadId thread) override {
    State& state = threads_[thread];
    if (state.done == 0) state.operation = whole_.advance(thread);
    Operation part = state.operation;
    if (!isSplit(part)) return part;
    const bool reading = state.done < reads(state);
    const unsigned byte = reading ? state.done : state.done - reads(state);
    part.setExpected(Part{state.operation.kind, byte, state.operation.size}.packed());
    // Whether a compare-exchange fails shows when all bytes are read; until then the weaker order has to do.
    if (reading && part.kind == OperationKind::cas) part.order = part.failureOrder;
    part.kind = reading ? OperationKind::load : OperationKind::store;
    part.address += byte;
    part.size = 1;
    part.setOperand((state.stored >> (8 * byte)) & 0xff);
    return part;
  }

  void resume(ThreadId thread, Result result) override {
    State& state = threads_[thread];
    const Operation& operation = state.operation;
    if (!isSplit(operation)) return whole_.resume(thread, result);
    if (state.done < reads(state)) {
      state.value |= (result.value & 0xff) << (8 * state.done);
      if (state.done + 1 == operation.size) decide(state);
    }
    if (++state.done < reads(state) + (state.writes ? operation.size : 0u)) return;
    whole_.resume(thread, {.value = state.value, .success = state.writes});
    state = {};
  }

 private:
  struct State {
    Operation operation;
    unsigned done = 0;  // parts
    Value value = 0;    // read so far
    Value stored = 0;
    bool writes = false;
  };
  struct MarkRecord {
    Mark whole;
    State state;
  };

  static bool isSplit(const Operation& operation) {
    switch (operation.kind) {
      case OperationKind::load:
      case OperationKind::store:
      case OperationKind::rmw:
      case OperationKind::cas: return true;
      default: return false;
    }
  }
  static unsigned reads(State& state) {
    if (state.operation.kind != OperationKind::store) return state.operation.size;
    state.writes = true;
    state.stored = state.operation.operand();
    return 0;
  }
  static void decide(State& state) {
    const Operation& operation = state.operation;
    if (operation.kind == OperationKind::rmw) {
      state.writes = true;
      state.stored = applyRmw(operation.rmw, state.value, operation.operand(), operation.size);
    } else if (operation.kind == OperationKind::cas) {
      state.writes = state.value == truncate(operation.expected(), operation.size);
      state.stored = operation.operand();
    }
  }

  Program& whole_;
  std::vector<State> threads_;
  std::vector<MarkRecord> marks_;
};

// Puts the bytes of a full graph together and judges the whole.
class Judge final : public explore::Observer {
 public:
  Judge(Program& program, const model::CompiledModel& model, NaiveResult& result)
      : program_(program), model_(model), result_(result) {}

  bool execution(const ExecutionView& graph) override {
    ++result_.explored;
    result_.consistent += isConsistent(graph);
    return true;
  }

 private:
  struct Whole {
    ThreadId thread;
    EventKind kind;
    bool rmw = false;
    Operation operation;
    std::vector<EventId> bytes;  // its events, by address
    EventId id = kNone;          // in the graph that is put together
  };

  // The accesses and other events of each thread, in program order.
  void collect(const ExecutionView& graph) {
    wholes_.clear();
    owner_.clear();
    for (unsigned t = 0; t < graph.threads(); ++t) {
      for (EventId id = graph.first(static_cast<ThreadId>(t)); id != kNone; id = graph[id].poNext) {
        const Event& event = graph[id];
        const Operation& operation = graph.operation(id);
        const bool access = operation.kind == OperationKind::load || operation.kind == OperationKind::store;
        const bool first = !access || Part::of(operation).byte == 0;
        if (first) {
          wholes_.push_back({static_cast<ThreadId>(t), event.kind, event.rmw, operation, {}});
          if (access) {
            wholes_.back().operation.size = static_cast<std::uint8_t>(Part::of(operation).size);
            if (event.isWrite() && Part::of(operation).kind != OperationKind::store) {
              Whole& read = wholes_[wholes_.size() - 2];
              wholes_.back().rmw = read.rmw = true;
              read.operation.order = operation.order;
            }
          }
        }
        wholes_.back().bytes.push_back(id);
        owner_[id] = wholes_.size() - 1;
      }
    }
  }

  // No cycle of rf | co | rb on whole accesses: nothing is torn.
  bool isWhole(const ExecutionView& graph) const {
    relations::BitMatrix com;
    com.reset(wholes_.size());
    for (const auto& [id, whole] : owner_) {
      const Event& event = graph[id];
      if (event.isWrite()) {
        if (event.coNext != kNone) com.set(whole, owner_.at(event.coNext));
        for (EventId r = event.firstReader; r != kNone; r = graph[r].readerNext) com.set(whole, owner_.at(r));
      } else if (event.isRead()) {
        const EventId next = graph[event.rf].coNext;
        if (next != kNone && owner_.at(next) != whole) com.set(whole, owner_.at(next));
      }
    }
    com.close();
    return !com.hasLoop();
  }

  bool isConsistent(const ExecutionView& graph) {
    collect(graph);
    if (!isWhole(graph)) return false;
    mixer::MixedConsistency consistency(model_, program_, false);
    MixedGraph whole(graph.threads(), consistency.views().count(), program_);
    if (!rebuild(graph, whole, consistency)) return false;
    std::vector<EventId> all;
    for (EventId id = whole.newest(); id != kNone; id = whole[id].orderPrev) {
      all.push_back(id);
      if (whole[id].location != 0 && !consistency.isCoherent(whole, id)) return false;
      if (whole[id].isWrite() && whole[id].rmw && !isAtomic(whole, id)) return false;
    }
    return consistency.holdsOtherwise(whole, all);
  }

  // Adds the accesses in an order that extends po and rf. False: there is none.
  bool rebuild(const ExecutionView& graph, MixedGraph& whole, mixer::MixedConsistency& consistency) {
    std::size_t added = 0;
    for (bool progress = true; progress;) {
      progress = false;
      for (Whole& w : wholes_) {
        if (w.id != kNone || !isReady(graph, w)) continue;
        add(graph, whole, consistency, w);
        progress = true;
        ++added;
      }
    }
    return added == wholes_.size();
  }

  // Are its predecessors in po and rf there?
  bool isReady(const ExecutionView& graph, const Whole& w) const {
    const auto there = [&](EventId id) { return id == kNone || isInitial(id) || wholes_[owner_.at(id)].id != kNone; };
    if (!there(graph[w.bytes.front()].poPrev)) return false;
    if (w.operation.kind == OperationKind::join && !there(graph.last(w.operation.thread))) return false;
    return w.kind != EventKind::read || std::ranges::all_of(w.bytes, [&](EventId id) { return there(graph[id].rf); });
  }

  void add(const ExecutionView& graph, MixedGraph& whole, mixer::MixedConsistency& consistency, Whole& w) {
    const Operation& operation = w.operation;
    Order order = operation.order;
    if (operation.kind == OperationKind::lock) order = Order::acquire;
    if (operation.kind == OperationKind::unlock) order = Order::release;
    if (w.kind == EventKind::thread) order = Order::plain;
    w.id = whole.append(w.thread, w.kind, eventClass(w.kind, order, w.rmw));
    whole.operation(w.id) = operation;
    whole[w.id].rmw = w.rmw;
    if (w.kind == EventKind::thread) {
      const ThreadId other = operation.thread;
      whole[w.id].partner = other;
      if (operation.kind == OperationKind::spawn) {
        whole.setStart(other, w.id);
      } else {
        if (whole.last(other) != kNone) clock::join(whole.porf(w.id), whole.porf(whole.last(other)), whole.chunks());
        whole.setJoin(other, w.id);
      }
    }
    if (w.kind == EventKind::read || w.kind == EventKind::write) {
      whole.occupy(w.id, operation.address, operation.size);
      w.kind == EventKind::read ? connect(graph, whole, w) : place(graph, whole, w);
    }
    consistency.computeViews(whole, w.id);
  }

  void connect(const ExecutionView& graph, MixedGraph& whole, const Whole& w) const {
    std::map<EventId, mixer::Bytes> sources;
    for (std::size_t i = 0; i < w.bytes.size(); ++i) {
      const EventId source = graph[w.bytes[i]].rf;
      const EventId id = isInitial(source) ? whole[w.id].location : wholes_[owner_.at(source)].id;
      const std::size_t count = w.bytes.size() == 1 ? w.operation.size : 1;  // a mutex is one location
      sources[id] |= MixedGraph::bytesOf(whole.access(w.id).offset + static_cast<unsigned>(i), static_cast<unsigned>(count));
    }
    std::vector<mixer::ByteSource> list;
    for (const auto& [id, bytes] : sources) list.push_back({id, bytes});
    whole.setSources(w.id, list);
  }

  // Behind those writes of each byte that it is co-after.
  void place(const ExecutionView& graph, MixedGraph& whole, Whole& w) const {
    std::vector<mixer::BytePlace> places;
    whole.forEachCell(w.id, [&](const mixer::ByteCell& cell) {
      const auto byte = static_cast<unsigned>(std::countr_zero(cell.bytes)) - whole.access(w.id).offset;
      std::set<EventId> before;
      const EventId own = w.bytes[w.bytes.size() == 1 ? 0 : byte];
      for (EventId e = graph[own].coPrev; !isInitial(e); e = graph[e].coPrev) before.insert(wholes_[owner_.at(e)].id);
      const auto position = std::ranges::count_if(cell.order, [&](EventId e) { return before.contains(e); });
      places.push_back({cell.bytes, static_cast<std::uint32_t>(position)});
    });
    whole.setValue(w.id, 0);
    whole.place(w.id, places);
  }

  static bool isAtomic(const MixedGraph& whole, EventId write) {
    bool atomic = true;
    whole.forEachCell(write, [&](const mixer::ByteCell& cell) {
      atomic = atomic && MixedGraph::next(cell, whole.sourceOf(whole[write].poPrev, cell.bytes)) == write;
    });
    return atomic;
  }

  Program& program_;
  const model::CompiledModel& model_;
  NaiveResult& result_;
  std::vector<Whole> wholes_;
  std::map<EventId, std::size_t> owner_;  // of an event of bytes
};

}  // namespace

NaiveResult exploreNaively(Program& program, const model::CompiledModel& model) {
  NaiveResult result;
  ByteProgram bytes(program);
  Judge judge(program, model, result);
  explore::Explorer explorer(bytes, model, {.spurious = false}, judge);
  result.statistics = explorer.run();
  return result;
}

}  // namespace heddle::bench
