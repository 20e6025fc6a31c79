// The names that precompiled headers mention, kept in the file of the precompiled header.
//
// A macro that the program's flags define is not defined while the headers are compiled (precompiled.h). That makes no
// difference as long as no header mentions its name. clang keeps the names that mean something in the headers, but not
// those that are only asked for, as by #ifdef. So all of them are kept in a block of our own, as hashes, by clang's own way
// of adding to such files. Two names with the same hash make a compilation slower, not wrong.
#pragma once

#include <clang/Serialization/ModuleFileExtension.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::native {

// Writes the names into a precompiled header that is made, and looks for `macros` among those of one that is used.
class HeaderNames : public llvm::RTTIExtends<HeaderNames, clang::ModuleFileExtension> {
 public:
  static char ID;  // for LLVM's casts

  explicit HeaderNames(std::vector<std::string> macros);

  // Do the headers that have been loaded mention one of the macros?
  bool mentioned() const { return mentioned_; }

  clang::ModuleFileExtensionMetadata getExtensionMetadata() const override;
  std::unique_ptr<clang::ModuleFileExtensionWriter> createExtensionWriter(clang::ASTWriter& writer) override;
  std::unique_ptr<clang::ModuleFileExtensionReader> createExtensionReader(const clang::ModuleFileExtensionMetadata& metadata,
                                                                          clang::ASTReader& reader,
                                                                          clang::serialization::ModuleFile& file,
                                                                          const llvm::BitstreamCursor& stream) override;

 private:
  std::vector<std::string> macros_;
  bool mentioned_ = false;
};

}  // namespace heddle::native
