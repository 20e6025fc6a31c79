// Which files a compilation depends on: those that it read or looked at, and those that it looked for in vain. The same compilation
// with the same contents of the former, and still without the latter, has the same result.
//
// clang looks at files through a file system of its own; here is one that takes notes. Folders that flags name are part of it by the
// names in them: what a precompiled header was not found in is not looked at again when it is used (precompiled.h).
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include "native/inputs.h"

namespace heddle::native {

// The files of the machine, with notes. `inputs` outlives it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> notingFileSystem(InputFiles& inputs);

}  // namespace heddle::native
