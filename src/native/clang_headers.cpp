#include "native/clang_headers.h"

#include <clang/Basic/Version.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "native/pipeline.h"

namespace heddle::native {

namespace fs = std::filesystem;

std::string clangHeaderFolder() {
  std::error_code problem;
  const fs::path executable = fs::read_symlink("/proc/self/exe", problem);
  const fs::path own = executable.parent_path().parent_path() / "lib/heddle/clang";
  const fs::path builtWith = HEDDLE_LLVM_ROOT "/lib/clang/" CLANG_VERSION_MAJOR_STRING;
  for (const fs::path& folder : {own, builtWith}) {
    if (fs::exists(folder / "include", problem)) return folder.string();
  }
  throw InputError(
      fmt::format("clang's own headers are neither in {} nor in {}: install heddle with its lib folder, or clang {}",
                  own.string(), builtWith.string(), CLANG_VERSION_MAJOR));
}

std::string clangVersion() { return CLANG_VERSION_STRING; }

}  // namespace heddle::native
