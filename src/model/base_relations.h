// The base relations of models, and the letters that automata step along (base_names.def).
//
// A transitive base relation is the iteration of its immediate edges, so that a search over a graph walks sparse edges
// only:
//
//     po = po1 ; po1*     co = co1 ; co1*     rb = rb1 ; co1*     (po1: the next event of the thread, ...)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/event_class.h"

namespace heddle::model {

#define RELATION(id, name, ...) id,
enum class BaseRelation : std::uint8_t {
#include "model/base_names.def"
};

// What an automaton steps along: edges of the graph, or what is left of a composite relation by a filter.
#define LETTER(id, ...) id,
enum class Letter : std::uint8_t {
#include "model/base_names.def"
  filtered,
};

#define FILTER(id, text) id,
enum class Filter : std::uint8_t {
#include "model/base_names.def"
};

// first ; then*
struct Path {
  Letter first;
  std::optional<Letter> then = std::nullopt;
};

struct BaseRelationInfo {
  BaseRelation relation;
  std::string_view name;
  std::optional<Path> edges = std::nullopt;        // how a search follows it
  std::optional<Path> sameThread = std::nullopt;   // ... and follows this `& int`, `& ext`, `& loc`, if there is a better way
  std::optional<Path> otherThread = std::nullopt;  // than to filter
  std::optional<Path> sameLocation = std::nullopt;
  std::optional<Filter> filter = std::nullopt;      // what `e & this` keeps of e
  std::optional<Filter> complement = std::nullopt;  // and `e \ this`
  bool isDependency = false;                        // a model that names it is explored by src/causal
};

struct LetterInfo {
  std::string_view name;  // also of the function of graph/edges.h that follows it
  std::string_view text;  // for people
  ClassSet domain, range;
  bool inProgramOrder = false;                  // what it leads to is po-later
  std::optional<Letter> within = std::nullopt;  // a letter that has all the edges of this one
  bool divided = false;                         // it has no other edges than the letters within it
  bool inViews = false;                         // known when the event it leads to is added: views can be passed on along it
};

// nullptr if there is none of this name.
const BaseRelationInfo* findBaseRelation(std::string_view name);

// A filtered letter has no function and no text of its own, and any domain and range.
const LetterInfo& infoOf(Letter letter);
// The letters that a letter is divided into, or itself alone.
std::vector<Letter> partsOf(Letter letter);

struct FilterInfo {
  std::string_view name;
  std::string_view text;
};
const FilterInfo& infoOf(Filter filter);

}  // namespace heddle::model
