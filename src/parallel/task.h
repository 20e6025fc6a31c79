// What is shared: the exploration of one program, as a front end describes it.
//
// A run explores parts of a tree (explore/subtree.h), perhaps in several processes and with pauses in between. What it
// finds in a part is a value that can be sent, kept, and added up in the order of the parts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "explore/explorer.h"

namespace heddle::parallel {

class Findings {
 public:
  virtual ~Findings() = default;
  virtual std::uint64_t executions() const = 0;
  virtual std::uint64_t blocked() const = 0;
  // Adds what was found in a part that comes later in the tree.
  virtual void add(const Findings& later) = 0;
  virtual std::string toText() const = 0;
};

// How the exploration of a part has ended.
struct PartEnd {
  explore::Statistics statistics;
  explore::Subtree here;  // where it was stopped, if it is not complete
  bool early = false;     // in the midst of that execution, because it was urgent
};

// The exploration goes on an assumption that is not true of this program. Nothing that was found counts: the run is to start
// again in another mode (run/mode.h), of which this has the text.
class WrongMode : public std::runtime_error {
 public:
  explicit WrongMode(const std::string& mode) : std::runtime_error("explored in the wrong mode"), mode_(mode) {}
  const std::string& mode() const { return mode_; }

 private:
  std::string mode_;
};

class Task {
 public:
  virtual ~Task() = default;
  // Throws WrongMode, LimitError, ProgramError, and whatever is a fault of ours.
  virtual PartEnd explore(const explore::Subtree& part, const std::atomic<bool>& attention, explore::Attendant& attendant) = 0;
  // Where in the tree the execution is that has the error, if one has been found.
  virtual std::optional<explore::Subtree> failure() const { return std::nullopt; }
  // An error has been found, in this process. Looks for a shorter execution with it, which takes the place of the one that is known.
  virtual void shortenFailure() {}
  // What was found since the last time, or since a part was begun.
  virtual std::unique_ptr<Findings> takeFindings() = 0;
  // Nothing that was found counts.
  virtual void forget() = 0;
  // Throws std::exception if it is not such a text.
  virtual std::unique_ptr<Findings> parseFindings(const std::string& text) const = 0;
  // What else those who explore parts have to agree on, and have come to know only by exploring.
  // setAgreements throws std::exception if it is not such a text.
  virtual std::string agreements() const { return ""; }
  virtual void setAgreements(const std::string&) {}
  // The same, while it is being explored on several machines. Who explores asks the settler that was set, if there is one, what has
  // to be agreed on and is not known yet; the answer is what settle says on the first machine.
  using Settler = std::function<std::string(const std::string& question)>;
  virtual void setSettler(Settler) {}
  virtual std::string settle(const std::string& /*question*/) { return ""; }
  // In a new process, before it explores anything.
  virtual void enterProcess() {}
};

}  // namespace heddle::parallel
