// Precompiled headers: the standard headers that a C++ file begins with, parsed once.
//
// Reading <thread> and <atomic> takes clang much longer than a small program does. So the #include <...> lines at the
// top of a file, as far as nothing else comes in between and no header of the user's own is among them, are compiled
// ahead and kept in a cache: $XDG_CACHE_HOME/heddle, or ~/.cache/heddle. A file of the cache is named after all that it
// depends on (the includes, the flags, the versions of clang and heddle); clang itself notices if a header has changed
// since. Without a folder to write to, everything works as before, only slower.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <string_view>
#include <vector>

namespace heddle::native {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>;

// The names in the #include <...> lines that `source` begins with; blank lines, comments and #pragma once do not count.
std::vector<std::string> leadingIncludes(std::string_view source);

class PrecompiledHeader {
 public:
  // For the file that `invocation`, made from the arguments `flags`, compiles. `files` is how clang sees the file
  // system.
  PrecompiledHeader(const clang::CompilerInvocation& invocation, const std::vector<std::string>& flags,
                    FileSystem files);

  // Can there be one? If not, build() and use() must not be called.
  bool possible() const { return !path_.empty(); }
  bool exists() const;
  // Takes the time it takes to parse the headers. False if it cannot be done.
  bool build();
  // Makes `invocation` start from the precompiled header.
  void use(clang::CompilerInvocation& invocation) const;

 private:
  std::vector<std::string> includes_;
  std::string path_;    // in the cache
  std::string source_;  // of the includes, in a file that only clang sees
  clang::CompilerInvocation invocation_;
  FileSystem files_;
};

}  // namespace heddle::native
