#include "run/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "relations/happens_before.h"
#include "run/explain.h"
#include "why/remedies.h"

namespace heddle::run {

namespace {

constexpr unsigned kMostExplorations = 30;
constexpr std::size_t kSearchEffort = 400'000'000;

unsigned costOf(const trace::Change& change) {
  if (why::isFence(change.kind)) return change.to == "seq_cst" ? 8 : 5;
  if (change.to == "seq_cst") return 4;
  return change.to == "acq_rel" ? 3 : 2;
}

unsigned costOf(const std::vector<trace::Change>& changes) {
  unsigned cost = 0;
  for (const trace::Change& change : changes) cost += costOf(change);
  return cost;
}

class Suggester {
 public:
  Suggester(const CheckOptions& options, const Checker& check)
      : options_(options),
        check_(check),
        model_(options.model->source()),
        search_(model_, relations::happensBeforeOf(model_)) {}

  trace::Why::Suggestion run(const CheckResult& first) {
    if (const auto reason = giveUp(first)) return failed(*reason);
    search_.add(*first.failure);
    while (suggestion_.explorations < kMostExplorations) {
      const why::Remedies remedies = search_.find(kSearchEffort);
      if (remedies.found.empty()) {
        return failed(remedies.cutShort ? "the executions are too large to look at all changes"
                                        : "no change of memory orders forbids all the failing executions that were found");
      }
      std::vector<trace::Change> changes = cheapest(remedies);
      const CheckResult result = explore(changes);
      if (!result.hasError()) {
        if (result.verdict != CheckResult::Verdict::verified && result.verdict != CheckResult::Verdict::bounded) {
          return failed("the exploration with a change was not finished: " + result.incompleteReason);
        }
        suggestion_.found = true;
        suggestion_.changes = std::move(changes);
        return suggestion_;
      }
      if (const auto reason = giveUp(result)) return failed(*reason);
      search_.add(*result.failure);
    }
    return failed(fmt::format("{} changes were tried, and the program failed with each", suggestion_.explorations));
  }

 private:
  // Why no change of orders can help against this execution.
  static std::optional<std::string> giveUp(const CheckResult& result) {
    if (!result.failure || !result.execution.why) return "what went wrong has no orders to change";
    const trace::Why& why = *result.execution.why;
    const std::string where = result.execution.error ? result.execution.error->title : "";
    if (why.noOrderHelps) {
      return fmt::format("an interleaving leads to an error ({}), which no memory order forbids", where);
    }
    return std::nullopt;
  }

  trace::Why::Suggestion failed(std::string text) {
    suggestion_.text = std::move(text);
    return suggestion_;
  }

  std::vector<trace::Change> cheapest(const why::Remedies& remedies) const {
    std::vector<trace::Change> best;
    for (const why::Found& found : remedies.found) {
      std::vector<trace::Change> changes;
      for (const why::Strengthening& change : found.changes) changes.push_back(search_.describe(change));
      if (best.empty() || costOf(changes) < costOf(best)) best = std::move(changes);
    }
    return best;
  }

  CheckResult explore(const std::vector<trace::Change>& changes) {
    CheckOptions changed = options_;
    changed.changes = changes;
    changed.showOutput = false;
    changed.compiled = [] {};
    changed.control.checkpointFile.clear();
    changed.control.resume.reset();
    ++suggestion_.explorations;
    return check_(changed);
  }

  const CheckOptions& options_;
  const Checker& check_;
  const model::Model model_;
  why::RemedySearch search_;
  trace::Why::Suggestion suggestion_;
};

Order orderNamed(const std::string& name) {
  for (const Order order : {Order::relaxed, Order::acquire, Order::release, Order::acq_rel}) {
    if (name == trace::orderName(order)) return order;
  }
  return Order::seq_cst;
}

}  // namespace

void suggestChanges(const CheckOptions& options, const Checker& check, CheckResult& result) {
  result.execution.why->suggestion = {Suggester(options, check).run(result)};
}

std::vector<native::OrderChange> changesOf(const std::vector<trace::Change>& changes) {
  std::vector<native::OrderChange> made;
  for (const trace::Change& change : changes) {
    made.push_back({.file = change.file,
                    .line = change.line,
                    .column = change.column,
                    .part = change.part,
                    .order = orderNamed(change.to),
                    .failure = change.kind == trace::Change::Kind::failure,
                    .fenceBefore = change.kind == trace::Change::Kind::fenceBefore,
                    .fenceAfter = change.kind == trace::Change::Kind::fenceAfter});
  }
  return made;
}

}  // namespace heddle::run
