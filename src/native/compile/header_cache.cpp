#include "native/compile/header_cache.h"

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

namespace heddle::native {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCacheLimit = 500'000'000;  // bytes
constexpr std::time_t kForgotten = 3600;            // seconds, after which a temporary file is nobody's

// Deletes the files that were not used for longest until the rest is small enough. Errors do not matter: another
// process may be at it as well.
void trimCache(const fs::path& folder) {
  struct Entry {
    std::time_t used;
    std::uint64_t size;
    fs::path path;
  };
  std::error_code error;
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    struct stat status{};
    if (stat(file.path().c_str(), &status) != 0) continue;
    if (file.path().extension() == ".tmp" && std::time(nullptr) - status.st_mtime > kForgotten) {
      fs::remove(file.path(), error);
    } else if (file.path().extension() == ".pch") {
      entries.push_back({status.st_atime, static_cast<std::uint64_t>(status.st_size), file.path()});
      total += entries.back().size;
    }
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= kCacheLimit) return;
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

bool keepInCache(const fs::path& file, std::string_view contents) {
  fs::path temporary = file;
  temporary.replace_extension(fmt::format("{}.tmp", getpid()));
  std::error_code error;
  std::ofstream out(temporary, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (out) fs::rename(temporary, file, error);
  if (out && !error) {
    trimCache(file.parent_path());
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

}  // namespace heddle::native
