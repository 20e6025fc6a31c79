#include "parallel/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "util/fingerprint.h"
#include "util/read_file.h"

namespace heddle::parallel {

using nlohmann::json;

namespace {

constexpr int kFormat = 2;
constexpr const char* kChecksum = "checksum";
constexpr const char* kPrevious = ".previous";
constexpr const char* kReplay = "replay";

// What a file holds: the word that it begins with, and how people call it.
struct FileKind {
  const char *word, *name;
};
constexpr FileKind kCheckpoint = {"heddle-checkpoint", "checkpoint"};
constexpr FileKind kFailure = {"heddle-failure", "failure"};

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw CheckpointError(fmt::format("{}: error: {}", file, why));
}

// The file is not what was written, or it is not there.
class Damaged : public CheckpointError {
 public:
  using CheckpointError::CheckpointError;
};

[[noreturn]] void failAsDamaged(const std::string& file, const std::string& why) {
  throw Damaged(fmt::format("{}: error: {}", file, why));
}

std::string toText(const json& all) { return all.dump(1, ' ', false, json::error_handler_t::replace); }

// Of all but itself.
std::string checksumOf(json all) {
  all.erase(kChecksum);
  return util::fingerprint(toText(all));
}

// So that the new names last, too. Where that is not possible the file system decides.
void syncFolderOf(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// Writes a file so that after a crash there is the old one or the new one. `previous`: the name that the old one gets; empty: none.
void replaceFile(const std::string& file, const FileKind& kind, const std::string& text, const std::string& previous) {
  const std::string beside = fmt::format("{}.{}", file, getpid());
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(file, fmt::format("cannot write the {}: {}", kind.name, std::strerror(errno)));
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  const bool good = written == text.size() && fsync(descriptor) == 0;
  const int problem = errno;
  close(descriptor);
  if (good && !previous.empty()) std::rename(file.c_str(), previous.c_str());  // there may be none
  if (good && std::rename(beside.c_str(), file.c_str()) == 0) return syncFolderOf(file);
  const int reason = good ? errno : problem;
  unlink(beside.c_str());
  fail(file, fmt::format("cannot write the {}: {}", kind.name, std::strerror(reason)));
}

const char* adviceFor(const FileKind& wanted) {
  return wanted.word == kCheckpoint.word ? ": it is a failure, for `heddle replay`"
                                         : ": it is a checkpoint, for `heddle resume`";
}

// What heddle writes is not deep, and what is could not be written as text again: that goes down into it.
json parseShallow(const std::string& text) {
  constexpr int kMostDepth = 16;
  return json::parse(text, [](int depth, json::parse_event_t, const json&) {
    if (depth > kMostDepth) throw std::length_error("too deep");
    return true;
  });
}

// What `check --json` prints has the failure as a field.
json failureIn(json all, const std::string& file) {
  if (!all.is_object() || !all.contains("verdict")) return all;
  if (all.contains(kReplay)) return all[kReplay];
  const json& verdict = all["verdict"];
  fail(file, fmt::format("it has no failing execution to run again: the verdict is {}",
                         verdict.is_string() ? verdict.get<std::string>() : "none"));
}

Checkpoint read(const std::string& file, const FileKind& kind) {
  const std::optional<std::string> text = util::readFile(file);
  if (!text) failAsDamaged(file, fmt::format("cannot open the file: {}", std::strerror(errno)));
  Checkpoint checkpoint;
  try {
    json all = parseShallow(*text);
    if (kind.word == kFailure.word) all = failureIn(std::move(all), file);
    if (!all.is_object() || !all.contains(kind.word)) {
      const bool other = all.is_object() && all.contains(kind.word == kCheckpoint.word ? kFailure.word : kCheckpoint.word);
      if (other) fail(file, fmt::format("this is no {} of heddle{}", kind.name, adviceFor(kind)));
      failAsDamaged(file, fmt::format("this is no {} of heddle, or it is damaged", kind.name));
    }
    if (all[kind.word] == 1) fail(file, fmt::format("the {} was made by another version of heddle", kind.name));
    if (all.value(kChecksum, "") != checksumOf(all)) failAsDamaged(file, fmt::format("the {} is damaged", kind.name));
    if (all[kind.word] != kFormat) fail(file, fmt::format("the {} was made by another version of heddle", kind.name));
    const json& about = all.at("about");
    checkpoint.file = file;
    checkpoint.kind = kind.name;
    checkpoint.about = {about.at("version"), about.at("executable"), about.at("command").get<std::vector<std::string>>(),
                        about.at("program"), about.value("folder", "")};
    checkpoint.agreements = all.at("agreements");
    for (const json& part : all.at("parts")) {
      Checkpoint::Part& read = checkpoint.parts.emplace_back();
      read.start = explore::parseSubtree(part.at("start").get<std::string>());
      if (!part.at("rest").is_null()) read.rest = explore::parseSubtree(part.at("rest").get<std::string>());
      if (!part.at("findings").is_null()) read.findings = part.at("findings").get<std::string>();
    }
  } catch (const json::exception&) {
    failAsDamaged(file, fmt::format("this is no {} of heddle, or it is damaged", kind.name));
  } catch (const std::logic_error&) {  // a number is none, or out of range
    failAsDamaged(file, fmt::format("the {} is damaged", kind.name));
  }
  return checkpoint;
}

std::string textOf(const FileKind& kind, const About& about, const Task& task, const Ledger& ledger) {
  json parts = json::array();
  for (const Entry& entry : ledger.entries()) {
    parts.push_back({{"start", toText(entry.start)},
                     {"rest", entry.open ? json(toText(entry.rest)) : json(nullptr)},
                     {"findings", entry.findings ? json(entry.findings->toText()) : json(nullptr)}});
  }
  json all = {{kind.word, kFormat},
              {"about",
               {{"version", about.version},
                {"executable", about.executable},
                {"command", about.command},
                {"program", about.program},
                {"folder", about.folder}}},
              {"agreements", task.agreements()},
              {"parts", std::move(parts)}};
  // Text that is no UTF-8 is replaced when it is written. The checksum is of what will be read.
  all = json::parse(toText(all));
  all[kChecksum] = checksumOf(all);
  return toText(all) + '\n';
}

}  // namespace

Checkpoint readCheckpoint(const std::string& file) {
  try {
    return read(file, kCheckpoint);
  } catch (const Damaged& error) {
    try {
      Checkpoint older = read(file + kPrevious, kCheckpoint);
      older.file = file;
      older.problem = fmt::format("{}\n{}: warning: this is the checkpoint before it, and the run goes on from there",
                                  error.what(), file + kPrevious);
      return older;
    } catch (const CheckpointError&) {
      throw error;
    }
  }
}

Checkpoint readFailure(const std::string& file) { return read(file, kFailure); }

void writeCheckpoint(const std::string& file, const About& about, const Task& task, const Ledger& ledger, Older older) {
  const std::string previous = file + kPrevious;
  if (older == Older::foreign) unlink(previous.c_str());
  replaceFile(file, kCheckpoint, textOf(kCheckpoint, about, task, ledger), older == Older::kept ? previous : "");
}

std::string failureText(const About& about, const Task& task, const explore::Subtree& execution) {
  Ledger ledger;
  ledger.open(execution);
  return textOf(kFailure, about, task, ledger);
}

void writeFailure(const std::string& file, const std::string& text) { replaceFile(file, kFailure, text, ""); }

void requireSame(const Checkpoint& checkpoint, const About& about) {
  const About& made = checkpoint.about;
  if (made.version != about.version) {
    fail(checkpoint.file, fmt::format("the {} was made by {}; this is {}", checkpoint.kind, made.version, about.version));
  }
  if (made.executable != about.executable) {
    fail(checkpoint.file, fmt::format("the {} was made by another build of {}", checkpoint.kind, made.version));
  }
  if (made.program != about.program) {
    fail(checkpoint.file, fmt::format("the {} was made for another program, or the program, the model or the libraries have "
                                      "changed since",
                                      checkpoint.kind));
  }
}

Ledger ledgerOf(const Checkpoint& checkpoint, Task& task) {
  Ledger ledger;
  try {
    task.setAgreements(checkpoint.agreements);
    for (const Checkpoint::Part& part : checkpoint.parts) {
      Entry entry{
          .start = part.start, .open = part.rest.has_value(), .rest = part.rest.value_or(explore::Subtree{}), .findings = {}};
      if (part.findings) entry.findings = task.parseFindings(*part.findings);
      ledger.append(std::move(entry));
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    fail(checkpoint.file, "the checkpoint is damaged");
  }
  return ledger;
}

}  // namespace heddle::parallel
