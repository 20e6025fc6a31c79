// A part of the tree of an exploration, as a value that can be sent to another process or kept in a file.
//
// The exploration is a walk through a tree, the same walk every time: the trail of choice points, with how often each has
// moved on, says where the walk is, and the graph (its events, rf and co) follows from it. So that is what a part is
// named by:
//
//   path   for each choice point of the trail: what it is, whose, and its ordinal: how often it has moved on
//   base   how many of them, from the first, are somebody else's to move on
//
// It stands for everything that comes after the path, by moving on the choice points from number `base` up. What is left of
// an exploration that is under way is therefore a Subtree itself, and giving work away cuts it in two: somebody else
// gets the alternatives of the shallowest choice point that has some, the larger part as a rule, and its base goes past
// that one. A digest of the graph goes along; whoever takes the subtree up compares it with the graph that it has got.
//
// TruSt keeps nothing but the graph: what revisits what is decided where the write is added, from the graph alone. So
// parts of the tree need to know nothing of each other, and this is all there is to sharing work.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "program/operation.h"

namespace heddle::explore {

struct PathStep {
  char kind = 'e';  // e: an event, c: a choice, r: a read, w: a write, v: a revisit, s: stuck threads, x: a crash
  ThreadId thread = 0;
  std::uint32_t ordinal = 0;
  bool operator==(const PathStep&) const = default;
};

struct Subtree {
  std::vector<PathStep> path;
  std::uint32_t base = 0;
  std::uint64_t digest = 0;
  bool here = false;  // begins with the execution that the path leads to, not after it

  // The whole tree.
  bool isRoot() const { return path.empty(); }
  bool operator==(const Subtree&) const = default;
};

// Which of two disjoint parts of the same tree is explored first?
std::strong_ordering compareStarts(const Subtree& a, const Subtree& b);

// For messages, files and people: "0 5e2f... e0 w0:1 r2". parseSubtree throws std::invalid_argument.
std::string toText(const Subtree& subtree);
Subtree parseSubtree(std::string_view text);

// A subtree does not lead where it should: it is of another program, or the program is not deterministic.
class WrongSubtree : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A node of the tree, and how to get there.
struct Node {
  std::vector<PathStep> path;
  std::vector<std::uint32_t> heights;  // of the trail where it came by nodes, this one included
  std::uint64_t kind = 0;              // the number of events, and a digest of what else its graph looks like
};
using NodeVisitor = std::function<void(Node)>;

// An exploration that is under way, between two executions.
class Divisible {
 public:
  virtual ~Divisible() = default;
  // What is left of it.
  virtual Subtree rest() const = 0;
  // Where it is: the execution that is in the graph now.
  virtual Subtree here() const = 0;
  // Gives a large part of the rest away; none if there seems to be nothing worth giving.
  virtual std::optional<Subtree> split() = 0;

  // The tree node by node (parallel/sample.h). What was under way is given up.
  // Goes to the node, shows the nodes right below, and says whether its graph is full.
  virtual bool expand(const Node& node, const NodeVisitor& child) = 0;
  // Shows the observer the full graph that the node is, and says whether it has seen enough.
  virtual bool report(const Node& node) = 0;
};

// Is asked, between two executions, when ExploreOptions::interrupt is set: go on?
class Attendant {
 public:
  virtual ~Attendant() = default;
  virtual bool attend(Divisible& exploration) = 0;
  // For an observer or a program that takes long over one execution: must it give up, and throw StopHere?
  virtual bool isUrgent() const { return false; }
};

// An observer or a program does not get to the end of what it is doing, which is to be done again the next time.
struct StopHere {};

// What an exploration makes of that: what is left, with what it was doing.
struct Stopped {
  Subtree rest;
};

}  // namespace heddle::explore
