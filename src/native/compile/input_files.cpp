#include "native/compile/input_files.h"

#include <llvm/ADT/SmallString.h>

namespace heddle::native {

namespace {

class NotingFileSystem : public llvm::vfs::ProxyFileSystem {
 public:
  explicit NotingFileSystem(InputFiles& inputs) : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()), inputs_(inputs) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    note(path, found ? !found->isDirectory() : false, !found);
    return found;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::openFileForRead(path);
    note(path, static_cast<bool>(found), !found);
    return found;
  }

  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }

 private:
  void note(const llvm::Twine& path, bool isFile, bool isAbsent) {
    llvm::SmallString<256> full;
    path.toVector(full);
    if (makeAbsolute(full)) return;
    if (isFile) inputs_.read.insert(std::string(full));
    if (isAbsent) inputs_.absent.insert(std::string(full));
  }

  InputFiles& inputs_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> notingFileSystem(InputFiles& inputs) {
  return llvm::makeIntrusiveRefCnt<NotingFileSystem>(inputs);
}

}  // namespace heddle::native
