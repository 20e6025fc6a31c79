#include "cli/cache_command.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "cli/exit_code.h"
#include "report/check_text.h"
#include "report/progress.h"
#include "util/cache_folder.h"

namespace heddle::cli {

namespace {

bool isMeant(const util::CacheKind& kind, std::string_view what) {
  if (what == "all") return true;
  return std::string_view(kind.suffix) == (what == "headers" ? util::kPrecompiledHeaders : util::kTestResults).suffix;
}

std::string text(const util::CacheUse& use) {
  return fmt::format("{}, {}", report::counted(use.files, "file"), report::memoryText(use.bytes));
}

}  // namespace

int runCacheCommand(const Options& options) {
  if (util::cacheFolder().empty()) {
    fmt::print("Nothing is kept: there is no folder for it. Set HOME or XDG_CACHE_HOME to one that can be written.\n");
    return kNoError;
  }
  if (options.clear.empty()) fmt::print("{}\n", util::cacheFolder().string());
  for (const util::CacheKind& kind : util::kCacheKinds) {
    if (options.clear.empty()) {
      fmt::print("  {}: {}; at most {}\n", kind.what, text(util::cacheUse(kind)), report::memoryText(kind.limit));
    } else if (isMeant(kind, options.clear)) {
      fmt::print("deleted {}: {}\n", kind.what, text(util::clearCache(kind)));
    }
  }
  return kNoError;
}

}  // namespace heddle::cli
