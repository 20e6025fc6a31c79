#include "explore/state_set_search.h"

#include <algorithm>
#include <map>

#include "util/hash.h"

namespace heddle::explore {

StateSetSearch::StateSetSearch(const model::Automaton& automaton, const ProgramClasses& classes)
    : states_(static_cast<unsigned>(automaton.states())),
      single_(automaton.form == model::Form::singleCycles),
      words_((2 * states_ + 63) / 64) {
  for (const auto& transitions : automaton.transitions) {
    std::vector<Step>& steps = transitions_.emplace_back();
    for (const model::Transition& t : transitions) {
      steps.push_back({classes.mask(t.guard), t.letter, t.filtered, t.wrap, t.to});
      for (unsigned cls = 0; cls < rows_.size(); ++cls) {
        if ((steps.back().guard >> cls & 1) == 0) continue;
        const auto isSame = [&](const Row& row) { return row.letter == t.letter && row.filtered == t.filtered; };
        if (std::ranges::any_of(rows_[cls], isSame)) continue;
        rows_[cls].push_back({t.letter, t.filtered, static_cast<EventClass>(cls), 0});
      }
    }
  }
  for (std::vector<Row>& rows : rows_) {
    for (Row& row : rows) row.number = rowCount_++;
  }
  forgetSets();
}

std::size_t StateSetSearch::Hash::operator()(const std::vector<Word>& set) const {
  std::uint64_t hash = 1;
  for (const Word word : set) hash = util::mix(hash, word);
  return hash;
}

void StateSetSearch::forgetSets() {
  sets_.clear();
  numbers_.clear();
  steps_.clear();
  joined_.assign(kJoins, {});
  for (auto& departures : departures_) departures.clear();
  intern(std::vector<Word>(words_));
}

StateSetSearch::SetId StateSetSearch::intern(std::vector<Word> set) {
  const auto [found, isNew] = numbers_.try_emplace(std::move(set), static_cast<SetId>(sets_.size()));
  if (isNew) {
    sets_.push_back(found->first);
    steps_.resize(sets_.size() * rowCount_, kUnknown);
  }
  return found->second;
}

StateSetSearch::SetId StateSetSearch::findJoin(SetId a, SetId b) {
  std::vector<Word> both = sets_[a];
  for (std::size_t i = 0; i < words_; ++i) both[i] |= sets_[b][i];
  const SetId result = intern(std::move(both));
  joined_[placeOf(a, b)] = {a, b, result};
  return result;
}

StateSetSearch::SetId StateSetSearch::findStep(SetId set, const Row& row) {
  std::vector<Word> result(words_);
  for (unsigned bit = 0; bit < 2 * states_; ++bit) {
    if (!has(set, bit)) continue;
    const bool wrapped = bit >= states_;
    for (const Step& t : transitions_[bit % states_]) {
      if (t.letter != row.letter || t.filtered != row.filtered || !contains(t.guard, row.cls)) continue;
      if (single_ && wrapped && t.wrap) continue;
      const unsigned to = t.to + (wrapped || t.wrap ? states_ : 0);
      result[to / 64] |= Word{1} << to % 64;
    }
  }
  const SetId found = intern(std::move(result));
  return steps_[std::size_t{set} * rowCount_ + row.number] = found;
}

void StateSetSearch::reach(EventId id, SetId set) {
  Reached& reached = reached_[id - kFirstEvent];
  if (reached.epoch != epoch_) reached = {epoch_, kNone, false};
  const SetId both = join(reached.set, set);
  if (both == reached.set) return;
  reached.set = both;
  if (reached.waits) return;
  reached.waits = true;
  work_.push_back(id);
}

const std::vector<StateSetSearch::Departure>& StateSetSearch::departuresOf(EventClass cls, std::uint64_t rows) {
  const auto [place, isNew] = departures_[cls].try_emplace(rows);
  if (!isNew) return place->second;
  std::map<std::vector<SetId>, std::vector<unsigned>> grouped;
  for (unsigned state = 0; state < states_; ++state) {
    std::vector<Word> alone(words_);
    alone[state / 64] |= Word{1} << state % 64;
    const SetId set = intern(std::move(alone));
    std::vector<SetId> steps;
    bool leaves = false;
    for (std::size_t i = 0; i < rows_[cls].size(); ++i) {
      steps.push_back((rows >> std::min<std::size_t>(i, 63) & 1) != 0 ? step(set, rows_[cls][i]) : kNone);
      leaves = leaves || steps.back() != kNone;
    }
    if (leaves) grouped[std::move(steps)].push_back(state);
  }
  for (auto& [steps, states] : grouped) place->second.push_back({steps, states});
  return place->second;
}

}  // namespace heddle::explore
