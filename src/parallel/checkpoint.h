// A run that is not complete, as a file: what has been found, and which parts of the tree are left.
//
//     { "heddle-checkpoint": 2, "checksum": "...", "about": { ... }, "agreements": "...",
//       "parts": [ { "start": SUBTREE, "rest": SUBTREE or null if it is done, "findings": "..." or null }, ... ] }
//
// A failure is kept in the same way, as a run that has one execution left: the one with the error. Only the first word differs,
// so that none is taken for the other. What `check --json` prints has it, too, as the field "replay".
//
// `about` says what was run: "version" and "executable" of heddle, "command" (words), and "program", whatever identifies
// what is explored. A run that goes on must agree in all but the words.
//
// A file is replaced in one step: it is written beside the old one, brought to the disk, and renamed. Of a run that checkpoints
// there are two generations: FILE, and FILE.previous, the one before it. "checksum" is that of all the rest. A file that is
// missing, torn or changed is noticed by it, and the older one is used. What went on since then is explored again, so nothing
// is lost and nothing comes twice: each generation is a whole state of the run.
#pragma once

#include <cstdint>
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

struct About {
  std::string version, executable;
  std::vector<std::string> command;
  std::string program;
  std::string folder = {};  // where the command was given
};

struct Checkpoint {
  struct Part {
    explore::Subtree start;
    std::optional<explore::Subtree> rest;
    std::optional<std::string> findings;
  };
  std::string file;
  std::string kind;     // "checkpoint" or "failure"
  std::string problem;  // why the older generation was read; empty: it was not
  About about;
  std::string agreements;
  std::vector<Part> parts;

  bool isFailure() const { return kind == "failure"; }
};

// These throw CheckpointError, which says which file.
Checkpoint readCheckpoint(const std::string& file);
Checkpoint readFailure(const std::string& file);
// `older`: what becomes of the file that is there. It is the generation before this one, or it is damaged or of another run.
enum class Older : std::uint8_t { kept, damaged, foreign };
void writeCheckpoint(const std::string& file, const About& about, const Task& task, const Ledger& ledger, Older older);
std::string failureText(const About& about, const Task& task, const explore::Subtree& execution);
void writeFailure(const std::string& file, const std::string& text);
// Refuses a checkpoint that was made by another heddle, or for another program.
void requireSame(const Checkpoint& checkpoint, const About& about);
// What has been explored; and the task is told what those who did so had agreed on.
Ledger ledgerOf(const Checkpoint& checkpoint, Task& task);

}  // namespace heddle::parallel
