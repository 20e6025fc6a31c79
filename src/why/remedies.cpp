#include "why/remedies.h"

#include <algorithm>

#include "trace/words.h"

namespace heddle::why {

using Kind = trace::Change::Kind;

namespace {

// The orders that something may be given, the weakest first; they need not be stronger than the one it has.
std::vector<Order> ordersOf(const Site& site, Kind kind) {
  if (kind == Kind::failure) return {Order::acquire, Order::seq_cst};
  if (isFence(kind) || site.kind == EventKind::fence || site.isUpdate) {
    return {Order::acquire, Order::release, Order::acq_rel, Order::seq_cst};
  }
  return {site.kind == EventKind::read ? Order::acquire : Order::release, Order::seq_cst};
}

}  // namespace

void RemedySearch::add(const Graph& graph) {
  auto added = std::make_unique<Case>(graph);
  std::vector<std::size_t> numbers;
  for (const Site& site : graph.sites) {
    const auto same = [&](const Site& known) {
      return known.file == site.file && known.line == site.line && known.column == site.column && known.part == site.part;
    };
    const auto known = std::ranges::find_if(sites_, same);
    numbers.push_back(static_cast<std::size_t>(known - sites_.begin()));
    if (known == sites_.end()) {
      sites_.push_back(site);
    } else {
      known->succeeds |= site.succeeds;
      known->fails |= site.fails;
    }
  }
  for (Event& event : added->graph.events) {
    if (event.site != kNothing) event.site = numbers[event.site];
  }
  added->graph.sites.clear();
  cases_.push_back(std::move(added));
}

std::optional<std::string> RemedySearch::forbids(Case& of, const std::vector<Strengthening>& changes) {
  const bool fences = std::ranges::any_of(changes, [](const Strengthening& change) { return isFence(change.kind); });
  std::optional<Relabelled>& execution = fences ? of.fenced : of.plain;
  std::optional<Judge>& judge = fences ? of.fencedJudge : of.plainJudge;
  if (!execution) {
    execution.emplace(of.graph, fences);
    judge.emplace(*execution, model_, of.graph.race ? happensBefore_ : nullptr);
  }
  const std::size_t size = execution->size();
  spent_ += size * size * ((size + 63) / 64);
  execution->assign(changes);
  if (const auto axiom = judge->forbiddenBy()) return axiom;
  if (of.graph.race && judge->isOrdered(of.graph.race->first, of.graph.race->second)) return "";
  return std::nullopt;
}

std::optional<std::string> RemedySearch::forbids(const std::vector<Strengthening>& changes) {
  std::optional<std::string> last;
  for (const auto& of : cases_) {
    last = forbids(*of, changes);
    if (!last) return std::nullopt;
  }
  return last;
}

std::vector<Strengthening> RemedySearch::strongestAccesses() const {
  std::vector<Strengthening> all;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    for (const Kind kind : {Kind::access, Kind::failure}) {
      const Order strongest = ordersOf(sites_[s], kind).back(), own = orderOf(sites_[s], kind);
      const bool occurs = kind == Kind::failure ? sites_[s].fails : sites_[s].succeeds;
      if (occurs && join(own, strongest) != own) all.push_back({s, kind, strongest});
    }
  }
  return all;
}

std::vector<Strengthening> RemedySearch::strongestFences() const {
  std::vector<Strengthening> all;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    if (sites_[s].kind == EventKind::fence) continue;
    for (const Kind kind : {Kind::fenceBefore, Kind::fenceAfter}) all.push_back({s, kind, Order::seq_cst});
  }
  return all;
}

Found RemedySearch::weaken(std::vector<Strengthening> changes) {
  std::string axiom = forbids(changes).value_or("");
  for (Strengthening& change : changes) {
    const Order strongest = change.order, own = orderOf(sites_[change.site], change.kind);
    for (const Order order : ordersOf(sites_[change.site], change.kind)) {
      if (order == strongest) break;
      if (!isFence(change.kind) && join(own, order) == own) continue;
      change.order = order;
      if (const auto by = forbids(changes)) {
        axiom = *by;
        break;
      }
      change.order = strongest;
    }
  }
  return {std::move(changes), std::move(axiom)};
}

// All sets of one or two of them, none of which contains another that helps.
void RemedySearch::findAmong(const std::vector<Strengthening>& strongest, std::size_t size, Remedies& result) {
  for (std::size_t i = 0; i < strongest.size(); ++i) {
    for (std::size_t j = i + 1; j < (size == 1 ? i + 2 : strongest.size()); ++j) {
      if (spent_ > most_) {
        result.cutShort = true;
        return;
      }
      std::vector<Strengthening> changes{strongest[i]};
      if (size == 2) changes.push_back(strongest[j]);
      if (forbids(changes)) result.found.push_back(weaken(std::move(changes)));
    }
  }
}

void RemedySearch::findFewest(std::vector<Strengthening> changes, Remedies& result) {
  if (!forbids(changes)) return;
  for (std::size_t i = changes.size(); i > 0; --i) {
    if (spent_ > most_) {
      result.cutShort = true;
      return;
    }
    std::vector<Strengthening> fewer = changes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (forbids(fewer)) changes = std::move(fewer);
  }
  result.found.push_back(weaken(std::move(changes)));
}

Remedies RemedySearch::find(std::size_t effort) {
  Remedies result;
  spent_ = 0;
  most_ = effort;
  const std::vector<Strengthening> accesses = strongestAccesses(), fences = strongestFences();
  const bool accessesHelp = forbids(accesses).has_value();
  const auto goesOn = [&] { return result.found.empty() && !result.cutShort; };
  if (accessesHelp) findAmong(accesses, 1, result);
  if (!goesOn()) return result;
  const bool fencesHelp = forbids(fences).has_value();
  if (fencesHelp) findAmong(fences, 1, result);
  if (accessesHelp && goesOn()) findAmong(accesses, 2, result);
  if (fencesHelp && goesOn()) findAmong(fences, 2, result);
  if (accessesHelp && goesOn()) findFewest(accesses, result);
  if (fencesHelp && goesOn()) findFewest(fences, result);
  return result;
}

trace::Change RemedySearch::describe(const Strengthening& change) const {
  const Site& site = sites_[change.site];
  trace::Change shown{.kind = change.kind,
                      .file = site.file,
                      .line = site.line,
                      .column = site.column,
                      .part = site.part,
                      .what = site.what,
                      .from = "",
                      .to = trace::orderName(change.order)};
  if (!isFence(change.kind)) {
    const Order own = orderOf(site, change.kind);
    shown.from = trace::orderName(own);
    shown.to = trace::orderName(join(own, change.order));
  }
  return shown;
}

}  // namespace heddle::why
