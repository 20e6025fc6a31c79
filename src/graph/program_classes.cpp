#include "graph/program_classes.h"

#include <algorithm>

#include "graph/trail.h"

namespace heddle {

ProgramClasses::ProgramClasses(ClassSet classes) : set_(classes) {
  for (unsigned cls = kFixedClasses; cls < kMostClasses; ++cls) {
    if (contains(classes, static_cast<EventClass>(cls))) others_.push_back(static_cast<EventClass>(cls));
  }
  if (kFixedClasses + others_.size() > 64) throw LimitError("the program has too many kinds of events for one exploration");
}

EventClass ProgramClasses::number(EventClass cls) const {
  if (cls < kFixedClasses) return cls;
  return static_cast<EventClass>(kFixedClasses + (std::ranges::find(others_, cls) - others_.begin()));
}

ClassMask ProgramClasses::mask(ClassSet set) const {
  ClassMask result = fixedMask(set);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    if (contains(set, others_[i])) result |= ClassMask{1} << (kFixedClasses + i);
  }
  return result;
}

}  // namespace heddle
