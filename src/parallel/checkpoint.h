// A run that is not complete, as a file: what has been found, and which parts of the tree are left.
//
//     { "heddle-checkpoint": 1, "about": { ... }, "agreements": "...",
//       "parts": [ { "start": SUBTREE, "rest": SUBTREE or null if it is done, "findings": "..." or null }, ... ] }
//
// `about` says which program, which version, which options; whoever resumes compares it. A file is replaced in one
// step: it is written beside the old one and renamed, so at any moment there is one that is whole.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/ledger.h"
#include "parallel/task.h"

namespace heddle::parallel {

class CheckpointError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Checkpoint {
  struct Part {
    Subtree start;
    std::optional<Subtree> rest;
    std::optional<std::string> findings;
  };
  std::string about;  // a JSON object
  std::string agreements;
  std::vector<Part> parts;
};

// Both throw CheckpointError, which says which file.
Checkpoint readCheckpoint(const std::string& file);
void writeCheckpoint(const std::string& file, const std::string& about, const Task& task, const Ledger& ledger);

Ledger ledgerOf(const Checkpoint& checkpoint, const Task& task);

}  // namespace heddle::parallel
