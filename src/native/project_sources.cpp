#include "native/project_sources.h"

#include <fmt/format.h>

#include <filesystem>

#include "native/compile/compilation_database.h"
#include "native/compile/compile.h"

namespace heddle::native {

std::vector<std::string> projectSources(const std::string& database, const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    const bool isTarget = !std::filesystem::path(name).has_extension() && !std::filesystem::exists(name);
    const std::vector<std::string> found = isTarget ? filesOfTarget(database, name) : std::vector<std::string>{name};
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::vector<std::string> frameworkFlags(const std::string& framework) {
  return {fmt::format("-I{}/frameworks/{}", kHeaderFolder, framework), fmt::format("-I{}/frameworks/common", kHeaderFolder)};
}

}  // namespace heddle::native
