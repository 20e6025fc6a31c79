// The folder of what need not be worked out again: $XDG_CACHE_HOME/heddle, or ~/.cache/heddle.
//
// Several processes use it at once. A file is written as NAME.PROCESS.tmp and renamed when it is complete, so nobody ever sees half of
// one. Each kind of files, told apart by the end of their names, is kept below a limit: what was not used for longest goes. When a file
// was used is its time of access, which heddle sets by itself. The time of modification says which version it is: clang compares it when
// one precompiled header builds on another.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace heddle::util {

struct CacheKind {
  const char* suffix;   // ".pch"
  const char* what;     // "precompiled headers"
  std::uint64_t limit;  // bytes, of all such files together
};

inline constexpr CacheKind kPrecompiledHeaders{".pch", "precompiled headers", 500'000'000};
inline constexpr CacheKind kTestResults{".result", "results of tests", 100'000'000};
inline constexpr CacheKind kCacheKinds[] = {kPrecompiledHeaders, kTestResults};

// Empty if there is no such folder, and none can be made.
std::filesystem::path cacheFolder();

// Writes a file of the cache, at once for other processes. False if that fails.
bool keepInCache(const CacheKind& kind, const std::filesystem::path& file, std::string_view contents);

// Notes that a file of the cache is in use.
void markUsed(const std::filesystem::path& file);

struct CacheUse {
  std::uint64_t files = 0, bytes = 0;
};
CacheUse cacheUse(const CacheKind& kind);

// Deletes all files of this kind, and what was left half written. Returns what is gone.
CacheUse clearCache(const CacheKind& kind);

}  // namespace heddle::util
