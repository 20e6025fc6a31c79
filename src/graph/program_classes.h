// The classes of the events of one program, numbered below 64: what Event::cls is, and what a ClassMask is a set of.
#pragma once

#include <vector>

#include "model/event_class.h"

namespace heddle {

class ProgramClasses {
 public:
  // Throws LimitError if there are too many.
  explicit ProgramClasses(ClassSet classes);

  ClassSet set() const { return set_; }
  // The number of a class that the program has; the class itself if it is a fixed one.
  EventClass number(EventClass cls) const;
  // The fixed classes of a set, and those others that the program has.
  ClassMask mask(ClassSet set) const;

 private:
  ClassSet set_;
  std::vector<EventClass> others_;  // numbered from kFixedClasses on
};

}  // namespace heddle
