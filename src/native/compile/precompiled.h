// Precompiled headers: the standard headers that a file begins with, parsed once.
//
// Reading <thread> and <atomic>, or <stdatomic.h> and <pthread.h>, takes clang much longer than a small program does. So the
// standard headers that a file includes before all else (leading_includes.h), as far as no header of the user's own is
// among them, are compiled ahead and kept in a cache: $XDG_CACHE_HOME/heddle, or ~/.cache/heddle. A file of the cache is
// named after all that it depends on (the includes, the flags, the names of the files in folders that flags name, the
// versions of clang and heddle); clang itself notices if a header has changed since. Without a folder to write to,
// everything works as before, only slower.
//
// Macros that flags define for the program (-DN=3), and include guards of the program's own headers, are not defined when
// the headers are compiled, so that their values make no new file; clang defines them afterwards. That is the same unless
// a header mentions them, and then there is no precompiled header.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <vector>

namespace heddle::native {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>;

class PrecompiledHeader {
 public:
  // For the file that `invocation`, made from the arguments `flags`, compiles. `files` is how clang sees the file
  // system.
  PrecompiledHeader(const clang::CompilerInvocation& invocation, const std::vector<std::string>& flags, FileSystem files);

  // Can there be one? If not, build() and use() must not be called.
  bool possible() const { return !path_.empty(); }
  bool exists() const;
  // Takes the time it takes to parse the headers. False if it cannot be done.
  bool build();
  // Makes `invocation` start from the precompiled header.
  void use(clang::CompilerInvocation& invocation) const;

 private:
  std::vector<std::string> includes_;
  std::vector<std::string> macros_;  // of the program: those that the headers must not mention
  std::string path_;                 // in the cache
  std::string source_;               // of the includes, in a file that only clang sees
  clang::CompilerInvocation invocation_;
  FileSystem files_;
};

}  // namespace heddle::native
