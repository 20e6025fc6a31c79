// The folder of precompiled headers: $XDG_CACHE_HOME/heddle, or ~/.cache/heddle.
//
// Several processes use it at once. A file is written as NAME.PROCESS.tmp and renamed to NAME.pch when it is complete, so
// nobody ever sees half of one. The folder is kept below a limit: what was not used for longest goes. When a file was used
// is its time of access, which heddle sets by itself. The time of modification says which version it is: clang compares it
// when one precompiled header builds on another.
#pragma once

#include <filesystem>
#include <string_view>

namespace heddle::native {

// Empty if there is no such folder, and none can be made.
std::filesystem::path cacheFolder();

// Writes a file of the cache, at once for other processes. False if that fails.
bool keepInCache(const std::filesystem::path& file, std::string_view contents);

// Notes that a file of the cache is in use.
void markUsed(const std::filesystem::path& file);

}  // namespace heddle::native
