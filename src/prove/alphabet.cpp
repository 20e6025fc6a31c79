#include "prove/alphabet.h"

#include <map>
#include <stdexcept>

namespace heddle::prove {

std::string letterName(Letter letter, const std::vector<std::string>& declared) {
  static const char* const kNames[] = {"po",   "po-loc", "po \\ loc", "rfe",        "rfi",  "coe",  "coi",     "rbe",
                                       "rbi",  "rmw",    "rmw^-1",    "addr",       "data", "ctrl", "swapped", "po",
                                       "po",   "po",     "po",        "rf^-1 ; rf", "<loc", "loc>", "<other",  "other>",
                                       "<int", "int>",   "<ext",      "ext>",       "same>"};
  const auto index = static_cast<unsigned>(letter);
  const auto first = static_cast<unsigned>(Letter::declared);
  if (index < first) return kNames[index];
  return index - first < declared.size() ? declared[index - first] : "?";
}

Cells cellsOfClasses(ClassSet classes) {
  Cells result;
  for (unsigned cell = 0; cell < kCells; ++cell) result[cell] = contains(classes, static_cast<EventClass>(classOfCell(cell)));
  return result;
}

Cells allCells() { return ~Cells(); }

Cells cellsOfDeclaredSet(unsigned index) {
  Cells result;
  for (unsigned cell = 0; cell < kCells; ++cell) result[cell] = (declaredSetsOf(cell) >> index & 1) != 0;
  return result;
}

Cells insertedCells() {
  Cells result;
  for (unsigned cell = 0; cell < kCells; ++cell) result[cell] = isInserted(cell);
  return result;
}

namespace {

constexpr ClassSet kNotInitial = kAllClasses & ~classes::kInitial;
constexpr ClassSet kAccess = classes::kRead | classes::kWrite;

ClassSet domainClasses(Letter letter) {
  switch (letter) {
    case Letter::po:
    case Letter::poOther: return kNotInitial;
    case Letter::poLoc:
    case Letter::pair: return kAccess & kNotInitial;
    case Letter::rfe:
    case Letter::coe: return classes::kWrite;
    case Letter::rfi:
    case Letter::coi: return classes::kWrite & kNotInitial;
    case Letter::rbe:
    case Letter::rbi:
    case Letter::addr:
    case Letter::data:
    case Letter::ctrl:
    case Letter::sameSource: return classes::kRead;
    case Letter::rmw: return classes::kRead & classes::kRmw;
    case Letter::rmwInverse: return classes::kWrite & classes::kRmw;
    default: return kAllClasses;
  }
}

ClassSet rangeClasses(Letter letter) {
  switch (letter) {
    case Letter::rfe:
    case Letter::rfi:
    case Letter::sameSource: return classes::kRead;
    case Letter::coe:
    case Letter::coi:
    case Letter::rbe:
    case Letter::rbi:
    case Letter::data: return classes::kWrite & kNotInitial;
    case Letter::addr: return kAccess & kNotInitial;
    case Letter::ctrl: return kNotInitial;
    case Letter::rmw: return classes::kWrite & classes::kRmw;
    case Letter::rmwInverse: return classes::kRead & classes::kRmw;
    default: return domainClasses(letter);
  }
}

// The classes that programs have: a read-modify-write is atomic, no load is a release and no store an acquire.
bool exists(unsigned cls) {
  const auto c = static_cast<EventClass>(cls);
  const Order order = orderOf(c);
  if (contains(classes::kInitial, c)) return true;
  const bool rmw = contains(classes::kRmw, c);
  if (contains(classes::kChoice | classes::kThread, c)) return false;
  if (contains(classes::kFence, c)) return true;
  if (rmw) return order != Order::plain;
  if (contains(classes::kRead, c)) return order != Order::release && order != Order::acq_rel;
  return order != Order::acquire && order != Order::acq_rel;
}

}  // namespace

Cells domainOf(Letter letter) {
  if (letter >= Letter::openLoc) return allCells();
  const Cells cells = cellsOfClasses(domainClasses(letter));
  // An inserted event is a fence, in program order only.
  return has(kSameLocation | kDependencies | only(Letter::pair), letter) ? cells & ~insertedCells() : cells;
}

Cells rangeOf(Letter letter) {
  if (letter >= Letter::openLoc) return allCells();
  const Cells cells = cellsOfClasses(rangeClasses(letter));
  return has(kSameLocation | only(Letter::pair), letter) ? cells & ~insertedCells() : cells;
}

Atoms::Atoms(const std::vector<Cells>& tests, unsigned declaredSets, bool inserted) {
  std::map<std::vector<bool>, Cells> parts;
  for (unsigned cell = 0; cell < kCells; ++cell) {
    if (!exists(classOfCell(cell)) || declaredSetsOf(cell) >> declaredSets != 0 || (isInserted(cell) && !inserted)) continue;
    // Only a fence can have been inserted.
    if (isInserted(cell) && !contains(classes::kFence, static_cast<EventClass>(classOfCell(cell)))) continue;
    std::vector<bool> signature;
    for (const Cells& test : tests) signature.push_back(test[cell]);
    parts[signature].set(cell);
  }
  if (parts.size() > 64) throw std::length_error("too many kinds of events");
  for (auto& [signature, cells] : parts) cells_.push_back(cells);
  for (unsigned l = 0; l < kLetters; ++l) {
    domains_.push_back(mask(domainOf(static_cast<Letter>(l))));
    ranges_.push_back(mask(rangeOf(static_cast<Letter>(l))));
  }
}

Mask Atoms::mask(const Cells& test) const {
  Mask result = 0;
  for (unsigned atom = 0; atom < size(); ++atom) {
    if ((cells_[atom] & test).any()) result |= Mask{1} << atom;
  }
  return result;
}

}  // namespace heddle::prove
