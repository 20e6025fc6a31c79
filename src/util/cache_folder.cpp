#include "util/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <vector>

namespace heddle::util {

namespace {

namespace fs = std::filesystem;

constexpr std::time_t kForgotten = 3600;  // seconds, after which a temporary file is nobody's

struct Entry {
  std::time_t used;
  std::uint64_t size;
  fs::path path;
};

// The files of a kind, the one that was not used for longest first. Errors do not matter, here and below: another process may be at it
// as well.
std::vector<Entry> entriesOf(const CacheKind& kind, const fs::path& folder) {
  std::error_code error;
  std::vector<Entry> entries;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    struct stat status{};
    if (file.path().extension() != kind.suffix || stat(file.path().c_str(), &status) != 0) continue;
    entries.push_back({status.st_atime, static_cast<std::uint64_t>(status.st_size), file.path()});
  }
  std::ranges::sort(entries, {}, &Entry::used);
  return entries;
}

void removeTemporary(const fs::path& folder, std::time_t age) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    struct stat status{};
    if (file.path().extension() != ".tmp" || stat(file.path().c_str(), &status) != 0) continue;
    if (std::time(nullptr) - status.st_mtime >= age) fs::remove(file.path(), error);
  }
}

void trimCache(const CacheKind& kind, const fs::path& folder) {
  removeTemporary(folder, kForgotten);
  std::error_code error;
  const std::vector<Entry> entries = entriesOf(kind, folder);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  for (const Entry& entry : entries) {
    if (total <= kind.limit) return;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

}  // namespace

fs::path cacheFolder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute()) {
    base = variable("HOME");
    if (!base.is_absolute()) return {};
    base /= ".cache";
  }
  const fs::path folder = base / "heddle";
  std::error_code error;
  fs::create_directories(folder, error);
  return fs::is_directory(folder, error) && access(folder.c_str(), W_OK | X_OK) == 0 ? folder : fs::path();
}

bool keepInCache(const CacheKind& kind, const fs::path& file, std::string_view contents) {
  fs::path temporary = file;
  temporary.replace_extension(fmt::format("{}.tmp", getpid()));
  std::error_code error;
  std::ofstream out(temporary, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (out) fs::rename(temporary, file, error);
  if (out && !error) {
    trimCache(kind, file.parent_path());
    return true;
  }
  fs::remove(temporary, error);
  return false;
}

void markUsed(const fs::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0 || std::time(nullptr) - status.st_atime <= kForgotten) return;
  const timespec times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  utimensat(AT_FDCWD, file.c_str(), times, 0);
}

CacheUse cacheUse(const CacheKind& kind) {
  CacheUse use;
  for (const Entry& entry : entriesOf(kind, cacheFolder())) {
    ++use.files;
    use.bytes += entry.size;
  }
  return use;
}

CacheUse clearCache(const CacheKind& kind) {
  const CacheUse use = cacheUse(kind);
  std::error_code error;
  for (const Entry& entry : entriesOf(kind, cacheFolder())) fs::remove(entry.path, error);
  removeTemporary(cacheFolder(), kForgotten);
  return use;
}

}  // namespace heddle::util
