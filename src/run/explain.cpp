#include "run/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/cat.h"
#include "model/library.h"
#include "program/lock.h"
#include "relations/happens_before.h"
#include "run/steps.h"
#include "trace/words.h"
#include "why/models.h"
#include "why/remedies.h"

namespace heddle::run {

namespace {

constexpr std::size_t kEffort = 20'000'000;  // words of relations: about 0.1 s
constexpr std::size_t kMostEvents = 400;     // of which relations are computed

class GraphMaker {
 public:
  GraphMaker(const ExecutionView& graph, const SourceNames& names, const ExplainOptions& options)
      : graph_(graph), names_(names), options_(options), cells_(graph), racing_(options.race.size(), why::kNothing) {}

  why::Graph make() {
    for (const EventId id : inCausalOrder(graph_)) {
      if (isRelevant(graph_, *options_.trace, id)) add(id);
    }
    for (std::size_t r = 0; r < options_.race.size(); ++r) addPlain(r);
    if (racing_.size() == 2) result_.race = {racing_[0], racing_[1]};
    return std::move(result_);
  }

 private:
  void add(EventId id) {
    const Event& event = graph_[id];
    const Operation& operation = graph_.operation(id);
    why::Event made{.thread = event.thread,
                    .kind = event.kind,
                    .cls = event.cls,
                    .order = orderOf(event.cls),
                    .rmw = event.rmw,
                    .isSecondOfUpdate = event.isWrite() && event.rmw,
                    .isFailure = isFailure(id),
                    .before = {},
                    .reads = {},
                    .writes = {},
                    .site = siteOf(id, operation)};
    (event.isRead() ? made.reads : made.writes) = cells_.of(id);
    for (const EventId before : eventsBefore(graph_, id)) addBefore(before, made);
    if (event.isRead()) addLeaving(id, made);
    // A plain access comes before the thread's next event, and before the thread is joined.
    for (std::size_t r = 0; r < options_.race.size(); ++r) {
      const RacingAccess& access = options_.race[r];
      if (access.event != kNone) continue;
      const bool isNext = access.thread == event.thread && access.index != 0 && access.index <= event.index;
      const bool joins =
          event.kind == EventKind::thread && operation.kind == OperationKind::join && event.partner == access.thread;
      if (!isNext && !joins) continue;
      addPlain(r);
      made.before.push_back(racing_[r]);
    }
    number_[id] = result_.events.size();
    for (std::size_t r = 0; r < options_.race.size(); ++r) {
      if (options_.race[r].event == id) racing_[r] = result_.events.size();
    }
    result_.events.push_back(std::move(made));
  }

  bool isFailure(EventId id) const {
    const Operation& operation = graph_.operation(id);
    return operation.kind == OperationKind::cas && !operation.isAttempt() && graph_[id].isRead() && !graph_[id].rmw;
  }

  void addBefore(EventId before, why::Event& made) const {
    if (const auto found = number_.find(before); found != number_.end()) made.before.push_back(found->second);
  }

  // Readers of a lock that have left it come before who takes it for writing, as in graph/lock_order.h.
  void addLeaving(EventId taking, why::Event& made) const {
    if (!graph_[taking].rmw || graph_.operation(taking).lock == LockOp::read) return;
    EventId write = graph_.sourcesOf(taking).front().write;
    while (!isInitial(write) && graph_[write].rmw && graph_.operation(write).lock == LockOp::read) {
      if (graph_.operation(write).kind == OperationKind::rmw) addBefore(write, made);
      write = graph_.sourcesOf(graph_[write].poPrev).front().write;
    }
  }

  void addPlain(std::size_t race) {
    const RacingAccess& access = options_.race[race];
    if (racing_[race] != why::kNothing || access.event != kNone) return;
    const EventKind kind = access.writes ? EventKind::write : EventKind::read;
    why::Event made{.thread = access.thread,
                    .kind = kind,
                    .cls = eventClass(kind, Order::plain, false),
                    .order = Order::plain,
                    .rmw = false,
                    .isSecondOfUpdate = false,
                    .isFailure = false,
                    .before = {},
                    .reads = {},
                    .writes = {},
                    .site = why::kNothing};
    EventId last = graph_.last(access.thread);
    while (access.index != 0 && last != kNone && graph_[last].thread == access.thread && graph_[last].index >= access.index) {
      last = graph_[last].poPrev;
    }
    if (last != kNone) addBefore(last, made);
    racing_[race] = result_.events.size();
    result_.events.push_back(std::move(made));
  }

  std::size_t siteOf(EventId id, const Operation& operation) {
    const OperationKind kind = operation.kind;
    const bool isFence = kind == OperationKind::fence;
    const bool isAccess =
        kind == OperationKind::load || kind == OperationKind::store || kind == OperationKind::rmw || kind == OperationKind::cas;
    const Order order = operation.order;
    if ((!isAccess && !isFence) || order == Order::plain) return why::kNothing;
    if (isFence && (operation.isEndOfLife() || operation.kernelFence() || operation.machineFence())) return why::kNothing;
    if (trace::isLockUpdate(operation, names_.isLock(operation.address))) return why::kNothing;
    const std::optional<trace::Place> place = names_.placeOfOrder(operation.source);
    if (!place || place->line == 0) return why::kNothing;
    const auto isPutIn = [&](const trace::Change& change) {
      return isFence && why::isFence(change.kind) && change.file == place->file && change.line == place->line &&
             change.column == place->column && change.part == place->part;
    };
    if (std::ranges::any_of(options_.changed, isPutIn)) return why::kNothing;
    const auto [known, isNew] =
        sites_.try_emplace({place->file, place->line, place->column, place->part}, result_.sites.size());
    const std::string word = trace::wordOf(trace::kindOf(operation, false));
    const std::string what = isAccess ? word + ' ' + names_.location(operation.address, operation.size) : word;
    if (isNew) {
      why::Site site{.file = place->file,
                     .line = place->line,
                     .column = place->column,
                     .part = place->part,
                     .what = what,
                     .kind = graph_[id].kind,
                     .order = order,
                     .isUpdate = kind == OperationKind::rmw || kind == OperationKind::cas,
                     .failureOrder = operation.failureOrder,
                     .succeeds = false,
                     .fails = false};
      result_.sites.push_back(std::move(site));
    } else if (result_.sites[known->second].what != what) {
      result_.sites[known->second].what = "the " + word;  // of several locations
    }
    (isFailure(id) ? result_.sites[known->second].fails : result_.sites[known->second].succeeds) = true;
    return known->second;
  }

  const ExecutionView& graph_;
  const SourceNames& names_;
  const ExplainOptions& options_;
  const Cells cells_;
  why::Graph result_;
  std::vector<std::size_t> racing_;
  std::unordered_map<EventId, std::size_t> number_;  // of events
  std::map<std::tuple<std::string, unsigned, unsigned, unsigned>, std::size_t> sites_;
};

void findRemedies(const why::Graph& graph, const model::Model& model, trace::Why& why) {
  why::RemedySearch search(model, relations::happensBeforeOf(model));
  search.add(graph);
  const why::Remedies remedies = search.find(kEffort);
  why.remediesSearched = true;
  why.searchCutShort = remedies.cutShort;
  for (const why::Found& found : remedies.found) {
    trace::Remedy& remedy = why.remedies.emplace_back(trace::Remedy{.changes = {}, .axiom = found.axiom});
    for (const why::Strengthening& change : found.changes) remedy.changes.push_back(search.describe(change));
  }
}

void findCycle(const Steps& steps, const ExplainOptions& options, trace::Why& why) {
  static constexpr const char* kLinks[] = {"po", "rf", "co", "rb"};
  for (const auto& [step, link] : trace::findCycle(steps.all())) {
    const auto number = options.trace->numbers->find(steps.eventOf(step));
    if (number == options.trace->numbers->end()) return why.cycle.clear();
    why.cycle.push_back({number->second, kLinks[static_cast<unsigned>(link)]});
  }
}

}  // namespace

why::Graph graphOf(const ExecutionView& graph, const SourceNames& names, const ExplainOptions& options) {
  return GraphMaker(graph, names, options).make();
}

bool hasTransactions(const ExecutionView& graph) {
  for (EventId id = graph.newest(); id != kNone; id = graph[id].orderPrev) {
    if (graph.operation(id).kind == OperationKind::transaction) return true;
  }
  return false;
}

trace::Why explain(const ExecutionView& graph, const SourceNames& names, const ExplainOptions& options) {
  trace::Why why;
  why.model = options.modelName;
  why.isRace = options.isRace;
  const Steps steps(graph, [&](EventId id) { return isRelevant(graph, *options.trace, id); });
  why.isInterleaving = trace::interleave(steps.all()).unexplained.empty();
  if (!why.isInterleaving) findCycle(steps, options, why);
  why.noOrderHelps = why.isInterleaving && !why.isRace && options.model != nullptr && options.model->builtin;
  if (options.model == nullptr || steps.all().size() > kMostEvents) return why;
  if (why.isInterleaving && options.race.empty()) return why;
  try {
    const why::Graph relations = graphOf(graph, names, options);
    if (!why.isInterleaving) {
      why.models = why::judgeByModels(relations, graph.hasMixedSizes());
      for (trace::Why::ModelVerdict& verdict : why.models) {
        if (verdict.model == options.modelName) verdict.verdict = trace::Why::Verdict::allowed;  // it has just been explored
      }
    }
    if (!why.isRace || relations.race) findRemedies(relations, *options.model, why);
  } catch (const model::CatError&) {
    why.remediesSearched = false;  // a model of one's own, which is not evaluated like this: nothing is known of changes
  }
  return why;
}

}  // namespace heddle::run
