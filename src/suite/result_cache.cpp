#include "suite/result_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "util/cache_folder.h"
#include "util/fingerprint.h"
#include "util/read_file.h"

namespace heddle::suite {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTitle = "heddle test results 1";
constexpr std::size_t kMostNames = 5000;  // of files in a folder
constexpr const char* kNotThere = "-";

// The names in a folder and those right below it.
std::optional<std::string> fingerprintOfFolder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    if (names.size() == kMostNames) return std::nullopt;
    names.push_back(entry->path().string());
    if (entry.depth() == 1) entry.disable_recursion_pending();
  }
  std::ranges::sort(names);
  return util::fingerprint(fmt::format("{}", fmt::join(names, "\n")));
}

bool asksForTime(const std::string& text) {
  return text.find("__DATE__") != std::string::npos || text.find("__TIME__") != std::string::npos ||
         text.find("__TIMESTAMP__") != std::string::npos;
}

long long nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; }

json toJson(const KeptTest& kept) {
  return {{"name", kept.test.name},   {"argument", kept.test.argument}, {"code", kept.finished.code},
          {"out", kept.finished.out}, {"err", kept.finished.err},       {"seconds", kept.seconds}};
}

KeptResults fromJson(const json& object) {
  KeptResults results;
  results.hasTests = object.at("hasTests");
  for (const json& test : object.at("listed")) results.listed.push_back({test.at(0), test.at(1)});
  for (const json& test : object.at("passed")) {
    results.passed.push_back(
        {{test.at("name"), test.at("argument")}, {test.at("code"), test.at("out"), test.at("err")}, test.at("seconds")});
  }
  return results;
}

}  // namespace

std::optional<Inputs> inputsOf(const std::set<std::string>& files, const std::set<std::string>& absent,
                               const std::set<std::string>& folders, long long start) {
  const std::string cache = util::cacheFolder().string();
  const auto isOfCache = [&](const std::string& path) { return !cache.empty() && path.starts_with(cache + "/"); };
  Inputs inputs;
  for (const std::string& path : files) {
    if (isOfCache(path)) continue;  // made from the others
    struct stat status{};
    if (stat(path.c_str(), &status) != 0 || nanoseconds(status.st_ctim) >= start) return std::nullopt;
    const std::optional<std::string> text = util::readFile(path);
    if (!text || (!path.starts_with("/usr/") && asksForTime(*text))) return std::nullopt;
    inputs.files[path] = util::fingerprint(*text);
  }
  for (const std::string& path : absent) {
    if (!isOfCache(path) && !inputs.files.contains(path)) inputs.absent.insert(path);
  }
  for (const std::string& folder : folders) {
    const std::optional<std::string> names = fingerprintOfFolder(folder);
    if (!names) return std::nullopt;
    inputs.folders[folder] = *names;
  }
  return inputs;
}

bool ResultCache::mayKeep(const Case& program) {
  static constexpr std::string_view kOptions[] = {"--pure", "--disk", "--sample", "--estimate", "--checkpoint", "--output"};
  static constexpr std::string_view kParts[] = {"=native", "-fplugin", "-Xclang", "-load", "-fprofile", "-include-pch", ".cat"};
  for (const std::string& word : program.command()) {
    if (word.starts_with('@') || std::ranges::find(kOptions, word) != std::end(kOptions)) return false;
    for (const std::string_view part : kParts) {
      if (word.find(part) != std::string::npos) return false;
    }
    for (const std::string_view option : kOptions) {
      if (word.starts_with(std::string(option) + '=')) return false;
    }
  }
  return true;
}

std::string ResultCache::fileOf(const Case& program) const {
  std::string key = tool_ + '\n';
  for (const std::string& word : program.command()) key += word + '\n';
  std::error_code error;
  key += fs::current_path(error).string() + '\n';
  for (const char* const variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
                                     "SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_FILE_SYSTEM_DIR", "SYSROOT"}) {
    const char* const value = std::getenv(variable);
    key += fmt::format("{}={}\n", variable, value == nullptr ? "" : value);
  }
  const fs::path folder = util::cacheFolder();
  return folder.empty() ? "" : (folder / (util::fingerprint(key) + util::kTestResults.suffix)).string();
}

bool ResultCache::isSame(const std::string& path, const std::string& fingerprint) {
  const auto [entry, isNew] = now_.try_emplace(path);
  if (isNew) {
    const std::optional<std::string> text = util::readFile(path);
    entry->second = text ? util::fingerprint(*text) : kNotThere;
  }
  return entry->second == fingerprint;
}

// Lines "F FINGERPRINT PATH", "D FINGERPRINT FOLDER", "A PATH"; then an object.
std::optional<KeptResults> ResultCache::find(const Case& program) {
  const std::string file = fileOf(program);
  if (file.empty() || !mayKeep(program)) return std::nullopt;
  const std::optional<std::string> text = util::readFile(file);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string line;
  if (!std::getline(lines, line) || line != kTitle) return std::nullopt;
  while (std::getline(lines, line) && line != "R") {
    const char kind = line.empty() ? '?' : line[0];
    const std::size_t space = line.find(' ', 2);
    if (kind == 'A' && line.size() > 2) {
      if (access(line.c_str() + 2, F_OK) == 0) return std::nullopt;
      continue;
    }
    if (space == std::string::npos) return std::nullopt;
    const std::string fingerprint = line.substr(2, space - 2), path = line.substr(space + 1);
    if (kind == 'F' && isSame(path, fingerprint)) continue;
    if (kind == 'D' && fingerprintOfFolder(path) == fingerprint) continue;
    return std::nullopt;
  }
  std::getline(lines, line, '\0');
  const json object = json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  util::markUsed(file);
  return fromJson(object);
}

void ResultCache::keep(const Case& program, const Inputs& inputs, const KeptResults& results) const {
  const std::string file = fileOf(program);
  if (file.empty() || !mayKeep(program)) return;
  std::string text = fmt::format("{}\n", kTitle);
  const auto isPlain = [](const std::string& path) { return path.find('\n') == std::string::npos; };
  for (const auto& [path, fingerprint] : inputs.files) {
    if (!isPlain(path)) return;
    text += fmt::format("F {} {}\n", fingerprint, path);
  }
  for (const auto& [path, fingerprint] : inputs.folders) text += fmt::format("D {} {}\n", fingerprint, path);
  for (const std::string& path : inputs.absent) {
    if (!isPlain(path)) return;
    text += fmt::format("A {}\n", path);
  }
  json object = {{"hasTests", results.hasTests}, {"listed", json::array()}, {"passed", json::array()}};
  for (const ListedTest& test : results.listed) object["listed"].push_back({test.name, test.argument});
  for (const KeptTest& test : results.passed) object["passed"].push_back(toJson(test));
  text += "R\n" + object.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  util::keepInCache(util::kTestResults, file, text);
}

}  // namespace heddle::suite
