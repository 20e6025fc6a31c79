// The letters of guarded words: the relations that a word steps along, and the tests it makes between the steps.
//
// A word of a proof is an alternation of events and steps, `a0 l1 a1 l2 ... an` (thesis section 3.2). A step is a
// letter: a part of a base relation that no model can divide further. rf is the union of the letters rfe and rfi, and
// so on. Eight letters are brackets: they step from an event to itself and say of the stretch between an opening and
// its closing bracket that its two ends are of one location, of different locations, of one thread, or of different
// threads. So a word keeps what `e & loc` says of a composite e. (A ninth has no opening bracket: it ends a stretch
// between two reads of one write.)
//
// Executions are considered from the moment when all threads exist: there are no events of thread creation and join,
// and po is within threads.
//
// An event is one of the classes of event_class.h, extended by what a query adds: sets it declares, and the mark of a
// fence that a compilation scheme has inserted. A query distinguishes only a few of these; the cells of the coarsest
// partition that its tests and the ends of the letters do not cut are its atoms, and a test is then a mask of atoms.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "model/event_class.h"

namespace heddle::prove {

// clang-format off
enum class Letter : std::uint8_t {
  po, poLoc, poOther,  // program order; within, outside of one location
  rfe, rfi, coe, coi, rbe, rbi,
  rmw, rmwInverse,
  addr, data, ctrl,
  pair,  // the two accesses that a transformation swaps (transform.h)
  enterLoc, leaveLoc, enterRf, leaveRf,  // po-loc and rfi past inserted fences: to the first, from the last of them
  sameSource,  // two reads of one write
  openLoc, closeLoc, openOther, closeOther, openInt, closeInt, openExt, closeExt,
  closeSame,  // closes a stretch between two reads of one write
  declared,  // the first of the relations that a query declares
};
// clang-format on

inline constexpr unsigned kDeclaredRelations = 12;
inline constexpr unsigned kLetters = static_cast<unsigned>(Letter::declared) + kDeclaredRelations;

using LetterSet = std::uint64_t;

constexpr LetterSet only(Letter letter) { return LetterSet{1} << static_cast<unsigned>(letter); }
template <typename... Letters>
constexpr LetterSet lettersOf(Letters... letters) {
  return (only(letters) | ...);
}
constexpr LetterSet declaredLetter(unsigned index) { return only(Letter::declared) << index; }
constexpr bool has(LetterSet set, Letter letter) { return (set & only(letter)) != 0; }
constexpr bool hasAll(LetterSet set, LetterSet part) { return (set & part) == part; }

inline constexpr LetterSet kRf = lettersOf(Letter::rfe, Letter::rfi);
inline constexpr LetterSet kCo = lettersOf(Letter::coe, Letter::coi);
inline constexpr LetterSet kRb = lettersOf(Letter::rbe, Letter::rbi);
inline constexpr LetterSet kDependencies = lettersOf(Letter::addr, Letter::data, Letter::ctrl);
inline constexpr LetterSet kBrackets =
    lettersOf(Letter::openLoc, Letter::closeLoc, Letter::openOther, Letter::closeOther, Letter::openInt, Letter::closeInt,
              Letter::openExt, Letter::closeExt, Letter::closeSame);
// Letters that stay in a location, in a thread, and that leave a thread.
inline constexpr LetterSet kSameLocation =
    kRf | kCo | kRb | lettersOf(Letter::rmw, Letter::rmwInverse, Letter::poLoc, Letter::sameSource);
inline constexpr LetterSet kSameThread =
    kDependencies | lettersOf(Letter::po, Letter::poLoc, Letter::poOther, Letter::rfi, Letter::coi, Letter::rbi, Letter::rmw,
                              Letter::rmwInverse, Letter::pair, Letter::enterLoc, Letter::leaveLoc, Letter::enterRf,
                              Letter::leaveRf);
inline constexpr LetterSet kOtherThread = lettersOf(Letter::rfe, Letter::coe, Letter::rbe);
// po-loc and rfi, written past inserted fences.
inline constexpr LetterSet kPastFences = lettersOf(Letter::enterLoc, Letter::leaveLoc, Letter::enterRf, Letter::leaveRf);
inline constexpr LetterSet kOtherLocation = lettersOf(Letter::poOther, Letter::pair);

// "po", "po & loc", "<loc", ...; declared relations by their names.
std::string letterName(Letter letter, const std::vector<std::string>& declared);

// Everything a test can ask of an event: its class, inserted by a mapping or not, in each declared set or not.
inline constexpr unsigned kDeclaredSets = 4;
inline constexpr unsigned kCells = kEventClasses * 2 * (1U << kDeclaredSets);
using Cells = std::bitset<kCells>;

constexpr unsigned cellOf(unsigned eventClass, bool inserted, unsigned declaredSets) {
  return eventClass + kEventClasses * ((inserted ? 1 : 0) + 2 * declaredSets);
}
constexpr unsigned classOfCell(unsigned cell) { return cell % kEventClasses; }
constexpr bool isInserted(unsigned cell) { return (cell / kEventClasses) % 2 != 0; }
constexpr unsigned declaredSetsOf(unsigned cell) { return cell / (2 * kEventClasses); }

Cells allCells();
Cells cellsOfClasses(ClassSet classes);
Cells cellsOfDeclaredSet(unsigned index);
Cells insertedCells();

Cells domainOf(Letter letter);
Cells rangeOf(Letter letter);

// A test of a query, as a mask of its atoms.
using Mask = std::uint64_t;

// The atoms of a query: the partition of the cells by a list of tests.
class Atoms {
 public:
  // Of a query with so many declared sets, with or without inserted fences. Throws std::length_error when there are
  // more than 64.
  Atoms(const std::vector<Cells>& tests, unsigned declaredSets, bool inserted);

  unsigned size() const { return static_cast<unsigned>(cells_.size()); }
  Mask all() const { return size() == 64 ? ~Mask{0} : (Mask{1} << size()) - 1; }
  Mask mask(const Cells& test) const;
  const Cells& cells(unsigned atom) const { return cells_[atom]; }
  Mask domain(unsigned letter) const { return domains_[letter]; }
  Mask range(unsigned letter) const { return ranges_[letter]; }

 private:
  std::vector<Cells> cells_;
  std::vector<Mask> domains_;  // of the letters
  std::vector<Mask> ranges_;
};

}  // namespace heddle::prove
