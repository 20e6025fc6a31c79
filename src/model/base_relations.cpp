#include "model/base_relations.h"

#include <algorithm>
#include <array>

namespace heddle::model {

namespace {

constexpr ClassSet kGraphEvents = kAllClasses & ~classes::kInitial;

#define RELATION(id, text, ...) BaseRelationInfo{.relation = BaseRelation::id, .name = text __VA_OPT__(, ) __VA_ARGS__},
constexpr std::array kRelations = {
#include "model/base_names.def"
};

#define LETTER(id, form, from, to, ...) \
  LetterInfo{.name = #id, .text = form, .domain = from, .range = to __VA_OPT__(, ) __VA_ARGS__},
constexpr std::array kLetters = {
#include "model/base_names.def"
    LetterInfo{.name = "", .text = "", .domain = kAllClasses, .range = kAllClasses}};

#define FILTER(id, form) FilterInfo{.name = #id, .text = form},
constexpr std::array kFilters = {
#include "model/base_names.def"
};

}  // namespace

const BaseRelationInfo* findBaseRelation(std::string_view name) {
  const auto found = std::ranges::find(kRelations, name, &BaseRelationInfo::name);
  return found == kRelations.end() ? nullptr : found;
}

const LetterInfo& infoOf(Letter letter) { return kLetters[static_cast<std::size_t>(letter)]; }

std::vector<Letter> partsOf(Letter letter) {
  if (!infoOf(letter).divided) return {letter};
  std::vector<Letter> parts;
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    if (kLetters[i].within == letter) parts.push_back(static_cast<Letter>(i));
  }
  return parts;
}

const FilterInfo& infoOf(Filter filter) { return kFilters[static_cast<std::size_t>(filter)]; }

}  // namespace heddle::model
