#include "parallel/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>

#include "util/read_file.h"

namespace heddle::parallel {

using nlohmann::json;

namespace {

constexpr int kFormat = 1;

// What a file holds: the word that it begins with, and how people call it.
struct FileKind {
  const char *word, *name;
};
constexpr FileKind kCheckpoint = {"heddle-checkpoint", "checkpoint"};
constexpr FileKind kFailure = {"heddle-failure", "failure"};

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw CheckpointError(fmt::format("{}: error: {}", file, why));
}

// Writes a file so that after a crash there is the old one or the new one.
void replaceFile(const std::string& file, const FileKind& kind, const std::string& text) {
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
  if (good && std::rename(beside.c_str(), file.c_str()) == 0) return;
  const int reason = good ? errno : problem;
  unlink(beside.c_str());
  fail(file, fmt::format("cannot write the {}: {}", kind.name, std::strerror(reason)));
}

const char* adviceFor(const FileKind& wanted) {
  return wanted.word == kCheckpoint.word ? ": it is a failure, for `heddle replay`"
                                         : ": it is a checkpoint, for `heddle resume`";
}

Checkpoint read(const std::string& file, const FileKind& kind) {
  const std::optional<std::string> text = util::readFile(file);
  if (!text) fail(file, fmt::format("cannot open the file: {}", std::strerror(errno)));
  Checkpoint checkpoint;
  try {
    const json all = json::parse(*text);
    if (!all.is_object() || !all.contains(kind.word)) {
      const bool other = all.is_object() && all.contains(kind.word == kCheckpoint.word ? kFailure.word : kCheckpoint.word);
      fail(file, fmt::format("this is no {} of heddle{}", kind.name, other ? adviceFor(kind) : ""));
    }
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
    fail(file, fmt::format("this is no {} of heddle, or it is damaged", kind.name));
  } catch (const std::invalid_argument&) {
    fail(file, fmt::format("the {} is damaged", kind.name));
  }
  return checkpoint;
}

void write(const std::string& file, const FileKind& kind, const About& about, const Task& task, const Ledger& ledger) {
  json parts = json::array();
  for (const Entry& entry : ledger.entries()) {
    parts.push_back({{"start", toText(entry.start)},
                     {"rest", entry.open ? json(toText(entry.rest)) : json(nullptr)},
                     {"findings", entry.findings ? json(entry.findings->toText()) : json(nullptr)}});
  }
  const json all = {{kind.word, kFormat},
                    {"about",
                     {{"version", about.version},
                      {"executable", about.executable},
                      {"command", about.command},
                      {"program", about.program},
                      {"folder", about.folder}}},
                    {"agreements", task.agreements()},
                    {"parts", std::move(parts)}};
  replaceFile(file, kind, all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
}

}  // namespace

Checkpoint readCheckpoint(const std::string& file) { return read(file, kCheckpoint); }

Checkpoint readFailure(const std::string& file) { return read(file, kFailure); }

void writeCheckpoint(const std::string& file, const About& about, const Task& task, const Ledger& ledger) {
  write(file, kCheckpoint, about, task, ledger);
}

void writeFailure(const std::string& file, const About& about, const Task& task, const explore::Subtree& execution) {
  Ledger ledger;
  ledger.open(execution);
  write(file, kFailure, about, task, ledger);
}

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
