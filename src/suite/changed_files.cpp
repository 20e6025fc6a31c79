#include "suite/changed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>

#include "util/child_process.h"
#include "util/read_file.h"

namespace heddle::suite {

namespace {

namespace fs = std::filesystem;

std::string git(std::vector<std::string> words) {
  words.insert(words.begin(), {"/usr/bin/env", "git"});
  const util::Finished finished = util::ChildProcess(std::move(words)).wait();
  if (finished.code != 0) {
    if (finished.err.empty())
      throw SuiteError(fmt::format("heddle: --changed: git has failed with exit code {}", finished.code));
    throw SuiteError(fmt::format("heddle: --changed: git says: {}", finished.err));
  }
  return finished.out;
}

// Of a list in which each name ends with a zero byte.
void addNames(const std::string& list, const fs::path& root, std::set<std::string>& names) {
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, '\0');) {
    if (!name.empty()) names.insert((root / name).lexically_normal().string());
  }
}

// Does the path end in this name, as a path?
bool endsIn(const std::string& path, const std::string& name) {
  return path == name || (path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
}

// "queue.h" of "../src/../queue.h": what follows the last step up.
std::string tailOf(const std::string& name) {
  const std::string normal = fs::path(name).lexically_normal().string();
  const std::size_t up = normal.rfind("../");
  return up == std::string::npos ? normal : normal.substr(up + 3);
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(fs::absolute(path), error);
  return full.empty() ? fs::absolute(path).lexically_normal().string() : full.string();
}

}  // namespace

ChangedFiles::ChangedFiles(const std::string& base) {
  std::string root = git({"rev-parse", "--show-toplevel"});
  while (root.ends_with('\n')) root.pop_back();
  const std::vector<std::string> verify = {"/usr/bin/env",    "git", "rev-parse", "--verify", "--quiet", "--end-of-options",
                                           base + "^{commit}"};
  if (util::ChildProcess(verify).wait().code != 0) {
    throw SuiteError(
        fmt::format("heddle: --changed: `{}` is no commit of this repository: give a commit, a branch or a tag", base));
  }
  addNames(git({"-C", root, "diff", "--name-only", "--no-renames", "-z", base, "--"}), root, changed_);
  addNames(git({"-C", root, "ls-files", "--others", "--exclude-standard", "-z"}), root, changed_);
  addNames(git({"-C", root, "ls-files", "-z"}), root, all_);
  all_.insert(changed_.begin(), changed_.end());
}

bool ChangedFiles::affect(const Case& tested) {
  // Headers, models and databases that options name.
  if (std::ranges::any_of(tested.command(), [&](const std::string& word) { return isChangedName(word); })) return true;
  std::vector<std::string> files = tested.others;
  files.push_back(tested.file);
  for (std::string& file : files) file = absolute(file);
  std::set<std::string> seen(files.begin(), files.end());
  while (!files.empty()) {
    const std::string file = files.back();
    files.pop_back();
    const Included& included = includedBy(file);
    if (changed_.contains(file) || included.isChanged) return true;
    for (const std::string& other : included.files) {
      if (seen.insert(other).second) files.push_back(other);
    }
  }
  return false;
}

bool ChangedFiles::isChangedName(const std::string& name) const {
  const std::string tail = tailOf(name);
  return !tail.empty() && std::ranges::any_of(changed_, [&](const std::string& path) { return endsIn(path, tail); });
}

const ChangedFiles::Included& ChangedFiles::includedBy(const std::string& path) {
  const auto [entry, isNew] = known_.try_emplace(path);
  Included& included = entry->second;
  if (!isNew) return included;
  const std::optional<std::string> text = util::readFile(path);
  included.isChanged = !text;
  if (!text) return included;
  static const std::regex kInclude(R"(^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b[ \t]*([<"])?([^>"\n]*))",
                                   std::regex::multiline);
  for (std::sregex_iterator found(text->begin(), text->end(), kInclude), end; found != end; ++found) {
    const std::string name = (*found)[2];
    const std::string tail = tailOf(name);
    included.isChanged |= !(*found)[1].matched || isChangedName(name);
    for (const std::string& file : all_) {
      if (endsIn(file, tail)) included.files.push_back(file);
    }
  }
  return included;
}

}  // namespace heddle::suite
