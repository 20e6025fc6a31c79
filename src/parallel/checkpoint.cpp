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

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw CheckpointError(fmt::format("{}: error: {}", file, why));
}

// Writes a file so that after a crash there is the old one or the new one.
void replaceFile(const std::string& file, const std::string& text) {
  const std::string beside = fmt::format("{}.{}", file, getpid());
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(file, fmt::format("cannot write the checkpoint: {}", std::strerror(errno)));
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
  fail(file, fmt::format("cannot write the checkpoint: {}", std::strerror(reason)));
}

}  // namespace

Checkpoint readCheckpoint(const std::string& file) {
  const std::optional<std::string> text = util::readFile(file);
  if (!text) fail(file, fmt::format("cannot open the file: {}", std::strerror(errno)));
  Checkpoint checkpoint;
  try {
    const json all = json::parse(*text);
    if (!all.is_object() || !all.contains("heddle-checkpoint")) fail(file, "this is no checkpoint of heddle");
    if (all["heddle-checkpoint"] != kFormat) fail(file, "the checkpoint was made by another version of heddle");
    const json& about = all.at("about");
    checkpoint.file = file;
    checkpoint.about = {about.at("version"), about.at("executable"), about.at("command").get<std::vector<std::string>>(),
                        about.at("program")};
    checkpoint.agreements = all.at("agreements");
    for (const json& part : all.at("parts")) {
      Checkpoint::Part& read = checkpoint.parts.emplace_back();
      read.start = explore::parseSubtree(part.at("start").get<std::string>());
      if (!part.at("rest").is_null()) read.rest = explore::parseSubtree(part.at("rest").get<std::string>());
      if (!part.at("findings").is_null()) read.findings = part.at("findings").get<std::string>();
    }
  } catch (const json::exception&) {
    fail(file, "this is no checkpoint of heddle, or it is damaged");
  } catch (const std::invalid_argument&) {
    fail(file, "the checkpoint is damaged");
  }
  return checkpoint;
}

void writeCheckpoint(const std::string& file, const About& about, const Task& task, const Ledger& ledger) {
  json parts = json::array();
  for (const Entry& entry : ledger.entries()) {
    parts.push_back({{"start", toText(entry.start)},
                     {"rest", entry.open ? json(toText(entry.rest)) : json(nullptr)},
                     {"findings", entry.findings ? json(entry.findings->toText()) : json(nullptr)}});
  }
  const json all = {
      {"heddle-checkpoint", kFormat},
      {"about",
       {{"version", about.version}, {"executable", about.executable}, {"command", about.command}, {"program", about.program}}},
      {"agreements", task.agreements()},
      {"parts", std::move(parts)}};
  replaceFile(file, all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
}

void requireSame(const Checkpoint& checkpoint, const About& about) {
  const About& made = checkpoint.about;
  if (made.version != about.version) {
    fail(checkpoint.file, fmt::format("the checkpoint was made by {}; this is {}", made.version, about.version));
  }
  if (made.executable != about.executable) {
    fail(checkpoint.file, fmt::format("the checkpoint was made by another build of {}", made.version));
  }
  if (made.program != about.program) {
    fail(checkpoint.file, "the checkpoint was made for another program, or the program, the model or the libraries have "
                          "changed since");
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
