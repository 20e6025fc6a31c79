// Precompiled headers: the standard headers that a file begins with, parsed once.
//
// Reading <thread> and <atomic>, or <stdatomic.h> and <pthread.h>, takes clang much longer than a small program does. So the
// standard headers that a file includes before all else (leading_includes.h), as far as no header of the user's own is
// among them, are compiled ahead and kept in a cache (util/cache_folder.h). A file of the cache is named after all that it
// depends on (the includes, the flags, the names of the files in folders that flags name, the versions of clang and
// heddle); clang itself notices if a header has changed since. Without a folder to write to, everything works as before,
// only slower.
//
// <thread> is most of what a concurrent C++ program includes. So it is a layer of its own: the precompiled header of
// <thread>, <vector> has in it what <vector> adds to that of <thread>, and building it takes a fifth of the time. That
// puts <thread> before headers that the program includes earlier. The language allows it for its own headers, which may
// come in any order; if there is any other before <thread>, there is one layer.
//
// Macros that flags define for the program (-DN=3), and include guards of the program's own headers, are not defined when
// the headers are compiled, so that they make no new file; clang defines them afterwards. That is the same unless
// a header mentions them (header_names.h), and then the precompiled header is not used.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <vector>

#include "native/compile/header_names.h"

namespace heddle::native {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>;

class PrecompiledHeader {
 public:
  // For the file that `invocation`, made from the arguments `flags`, compiles. `files` is how clang sees the file
  // system.
  PrecompiledHeader(const clang::CompilerInvocation& invocation, const std::vector<std::string>& flags, FileSystem files);

  // Can there be one? If not, the others must not be called.
  bool possible() const { return !layers_.empty(); }
  bool exists() const;
  // Takes the time it takes to parse the headers. False if it cannot be done.
  bool build();
  // Makes `invocation` start from the precompiled header. When it has been loaded, the result says whether it may be used
  // for this program: if no macro of the program is mentioned.
  std::shared_ptr<const HeaderNames> use(clang::CompilerInvocation& invocation) const;

 private:
  // A precompiled header that builds on the one before it.
  struct Layer {
    std::string path;    // in the cache
    std::string source;  // all of its includes, in a file that only clang sees
  };
  enum class Built { yes, no, notOnThatBase };

  Layer makeLayer(const std::vector<std::string>& includes, std::vector<const std::vector<std::string>*> dependencies);
  Built build(std::size_t layer);

  std::vector<std::string> macros_;  // of the program: those that the headers must not mention
  std::vector<Layer> layers_;
  clang::CompilerInvocation invocation_;
  FileSystem files_;
};

}  // namespace heddle::native
