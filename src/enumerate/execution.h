// A complete execution as the evaluation of a model sees it: events with their sets, and the base relations as matrices.
//
// Events are numbered: the initial writes first, one for each location, then those of each thread in program order.
#pragma once

#include <array>
#include <vector>

#include "model/base_relations.h"
#include "model/event_class.h"
#include "program/event_tag.h"
#include "relations/bit_matrix.h"

namespace heddle::enumerate {

struct Event {
  EventClass cls = kInitialWriteClass;
  EventTags tags = 0;
  bool isRead = false, isWrite = false, hasLocation = false;
  int thread = -1;  // of an initial write
  Address address = 0;
  Value value = 0;
};

inline constexpr std::size_t kBaseRelations = static_cast<std::size_t>(model::BaseRelation::ctrl) + 1;

struct Execution {
  std::vector<Event> events;
  std::array<relations::BitMatrix, kBaseRelations> base;

  std::size_t size() const { return events.size(); }
  relations::BitMatrix& operator[](model::BaseRelation relation) { return base[static_cast<std::size_t>(relation)]; }
  const relations::BitMatrix& operator[](model::BaseRelation relation) const {
    return base[static_cast<std::size_t>(relation)];
  }
};

}  // namespace heddle::enumerate
