// The cache has two kinds of files: <hash>.pch, and while one is written <hash>.<process>.tmp, which is renamed when it
// is complete, since several processes may want the same one at once. An empty .pch says that the headers include
// or mention something of the user's, so that one need not find out again.
#include "native/compile/precompiled.h"

#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/ASTWriter.h>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA1.h>
#include <llvm/Support/xxhash.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "native/compile/compile.h"
#include "native/compile/leading_includes.h"
#include "native/compile/link.h"

namespace heddle::native {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kCacheLimit = 500'000'000;  // bytes
constexpr std::size_t kMostNames = 5000;             // of files in folders of the user's own
constexpr auto kForgotten = std::chrono::hours(1);   // after which a temporary file is nobody's

// ---- The cache.

// Empty if there is none.
fs::path cacheFolder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute()) {
    base = variable("HOME");
    if (!base.is_absolute()) return {};
    base /= ".cache";
  }
  const fs::path folder = base / "heddle";
  std::error_code error;
  fs::create_directories(folder, error);
  return fs::is_directory(folder, error) && access(folder.c_str(), W_OK | X_OK) == 0 ? folder : fs::path();
}

// At once, for other processes.
bool writeFile(const std::string& path, std::string_view contents) {
  const std::string temporary = fmt::format("{}.{}.tmp", path.substr(0, path.rfind('.')), getpid());
  std::error_code error;
  std::ofstream out(temporary, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (out) fs::rename(temporary, path, error);
  if (out && !error) return true;
  fs::remove(temporary, error);
  return false;
}

// Deletes the files that were not used for longest until the rest is small enough. Errors do not matter: another
// process may be at it as well.
void trimCache(const fs::path& folder) {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::error_code error;
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    const Entry entry{file.last_write_time(error), file.file_size(error), file.path()};
    if (error) continue;
    if (entry.path.extension() == ".tmp" && fs::file_time_type::clock::now() - entry.used > kForgotten) {
      fs::remove(entry.path, error);
    } else if (entry.path.extension() == ".pch") {
      entries.push_back(entry);
      total += entry.size;
    }
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= kCacheLimit) return;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

// ---- What a precompiled header depends on.

// Headers of the system may look at macros like NDEBUG and _GNU_SOURCE, but hardly at others of a program's. That they do
// not is made sure of when they are precompiled.
bool isForHeaders(std::string_view macro) { return macro.starts_with('_') || macro == "NDEBUG"; }

std::string_view nameOf(std::string_view definition) { return definition.substr(0, definition.find_first_of("=(")); }

// The macros that flags define for the program alone.
std::vector<std::string> macrosOfProgram(const clang::PreprocessorOptions& options) {
  std::vector<std::string> result;
  for (const auto& [definition, undefined] : options.Macros)
    if (!undefined && !isForHeaders(nameOf(definition))) result.emplace_back(nameOf(definition));
  return result;
}

// Arguments that name the file at hand, or say how to talk about it, do not matter to the headers; nor do macros for the
// program alone.
std::vector<std::string> flagsOfHeaders(const std::vector<std::string>& flags, const std::string& mainFile) {
  static constexpr std::string_view kWithValue[] = {"-main-file-name", "-o", "-dumpdir", "-fmessage-length"};
  static constexpr std::string_view kJoined[] = {
      "-fdebug-compilation-dir=", "-fcoverage-compilation-dir=", "-fmessage-length=", "-fcolor-diagnostics", "-ferror-limit"};
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (std::ranges::find(kWithValue, flag) != std::end(kWithValue))
      ++i;
    else if (flag == "-D" && i + 1 < flags.size() && !isForHeaders(nameOf(flags[i + 1])))
      ++i;
    else if (std::ranges::any_of(kJoined, [&](std::string_view start) { return flag.starts_with(start); }))
      continue;
    else if (flag != mainFile)
      result.push_back(flag);
  }
  return result;
}

// A few numbers for all the embedded headers.
std::string embeddedHash() {
  std::string result;
  for (const EmbeddedFile& header : embeddedHeaders())
    result += fmt::format("{:x} ", llvm::xxh3_64bits(llvm::StringRef(header.contents)));
  return result;
}

std::string hashOf(std::initializer_list<const std::vector<std::string>*> dependencies) {
  llvm::SHA1 hash;
  const auto add = [&](std::string_view text) {
    hash.update(llvm::StringRef(text));
    hash.update(llvm::ArrayRef<std::uint8_t>(std::uint8_t{0}));
  };
  add(HEDDLE_VERSION);
  add(clang::getClangFullVersion());
  add(embeddedHash());
  for (const auto* list : dependencies) {
    for (const std::string& word : *list) add(word);
    add("");
  }
  return llvm::toHex(hash.final(), true);
}

// The folders of -I and -iquote, except for those that belong to the system.
std::vector<std::string> userFolders(const clang::HeaderSearchOptions& options) {
  std::vector<std::string> result;
  for (const clang::HeaderSearchOptions::Entry& entry : options.UserEntries) {
    const bool user = entry.Group == clang::frontend::Angled || entry.Group == clang::frontend::Quoted;
    if (user && !llvm::StringRef(entry.Path).starts_with("/usr/")) result.push_back(entry.Path + "/");
  }
  return result;
}

// What is in the folders that flags name, except for the system's own: a new file there may take the place of a header that
// another header includes. And the working directory, if one of them is relative to it. Nothing if that is too much.
std::optional<std::vector<std::string>> searchedBefore(const clang::HeaderSearchOptions& options,
                                                       llvm::vfs::FileSystem& files) {
  std::vector<std::string> result;
  bool relative = false;
  for (const clang::HeaderSearchOptions::Entry& entry : options.UserEntries) {
    relative |= !entry.Path.starts_with("/");
    if (entry.Path.starts_with("/usr/")) continue;
    std::error_code error;
    llvm::vfs::recursive_directory_iterator file(files, entry.Path, error), end;
    for (; !error && file != end; file.increment(error)) {
      if (result.size() == kMostNames) return std::nullopt;
      result.push_back(file->path().str());
      if (file.level() == 1) file.no_push();
    }
  }
  std::ranges::sort(result);
  if (relative) result.push_back(files.getCurrentWorkingDirectory().get());
  return result;
}

bool includesByFlag(const clang::PreprocessorOptions& options) {
  return !options.Includes.empty() || !options.MacroIncludes.empty() || !options.ImplicitPCHInclude.empty();
}

// Notes whether a header of the user's own is read. What a system's header includes counts as the system's for clang,
// wherever it is.
class UserHeaders : public clang::DependencyCollector {
 public:
  UserHeaders(std::string mainFile, std::vector<std::string> folders)
      : mainFile_(std::move(mainFile)), folders_(std::move(folders)) {}
  bool any() const { return any_; }
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef file, bool, bool isSystem, bool, bool) override {
    any_ |= file != mainFile_ &&
            (!isSystem || std::ranges::any_of(folders_, [&](const std::string& f) { return file.starts_with(f); }));
    return false;
  }

 private:
  std::string mainFile_;
  std::vector<std::string> folders_;
  bool any_ = false;
};

// Keeps what clang generates in memory: when it writes a file itself and the disk is full, it ends the process. Notes
// whether the headers mention one of `macros`, wherever it may be: what is skipped is skipped whatever the macro is.
class Precompile : public clang::GeneratePCHAction {
 public:
  explicit Precompile(const std::vector<std::string>& macros) : macros_(macros) {}
  bool mentionsMacro() const { return mentionsMacro_; }
  // Empty if there were errors.
  llvm::StringRef result() const {
    return buffer_->IsComplete ? llvm::StringRef(buffer_->Data.data(), buffer_->Data.size()) : "";
  }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef file) override {
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(), file, "", buffer_,
                                                 compiler.getFrontendOpts().ModuleFileExtensions);
  }

  void EndSourceFileAction() override {
    const clang::IdentifierTable& names = getCompilerInstance().getPreprocessor().getIdentifierTable();
    mentionsMacro_ = std::ranges::any_of(macros_, [&](const std::string& m) { return names.find(m) != names.end(); });
    clang::GeneratePCHAction::EndSourceFileAction();
  }

 private:
  const std::vector<std::string>& macros_;
  bool mentionsMacro_ = false;
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

// Options that must be the same for a header and for the file that uses it, or clang refuses.
void alignOptions(clang::CompilerInvocation& invocation) {
  invocation.getLangOpts().PCHInstantiateTemplates = true;
  invocation.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;  // clang would trust the system's otherwise
}

}  // namespace

PrecompiledHeader::PrecompiledHeader(const clang::CompilerInvocation& invocation, const std::vector<std::string>& flags,
                                     FileSystem files)
    : invocation_(invocation), files_(std::move(files)) {
  const std::string file = invocation.getFrontendOpts().Inputs.front().getFile().str();
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    const auto text = files_->getBufferForFile(path);
    return text ? std::optional((*text)->getBuffer().str()) : std::nullopt;
  };
  const auto text = read(file);
  if (!text || includesByFlag(invocation.getPreprocessorOpts())) return;
  LeadingIncludes leading = leadingIncludes(*text, file, read);
  includes_ = std::move(leading.headers);
  macros_ = macrosOfProgram(invocation.getPreprocessorOpts());
  for (std::string& guard : leading.guards) {
    if (std::ranges::find(macros_, guard) != macros_.end()) return;  // what it guards is left out
    macros_.push_back(std::move(guard));
  }
  const std::vector<std::string> folders = userFolders(invocation.getHeaderSearchOpts());
  const auto end = std::ranges::find_if(includes_, [&](const std::string& name) {
    return std::ranges::any_of(folders, [&](const std::string& folder) { return files_->exists(folder + name); });
  });
  includes_.erase(end, includes_.end());
  if (includes_.empty()) return;
  const fs::path folder = cacheFolder();
  if (folder.empty()) return;

  const auto searched = searchedBefore(invocation.getHeaderSearchOpts(), *files_);
  if (!searched) return;
  const std::vector<std::string> headerFlags = flagsOfHeaders(flags, file);
  const std::string hash = hashOf({&includes_, &macros_, &headerFlags, &*searched});
  path_ = (folder / (hash + ".pch")).string();
  source_ = fmt::format("{}/precompiled/{}.h", kHeaderFolder, hash);
  std::string lines;
  for (const std::string& name : includes_) lines += fmt::format("#include <{}>\n", name);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(source_, 0, llvm::MemoryBuffer::getMemBufferCopy(lines, source_));
  files_->pushOverlay(memory);
  std::error_code error;
  if (fs::exists(path_, error) && fs::file_size(path_, error) == 0) path_.clear();
}

bool PrecompiledHeader::exists() const { return access(path_.c_str(), R_OK) == 0; }

bool PrecompiledHeader::build() {
  auto invocation = std::make_shared<clang::CompilerInvocation>(invocation_);
  alignOptions(*invocation);
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  const clang::InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs = {clang::FrontendInputFile(source_, kind.getHeader())};
  frontend.DisableFree = false;
  std::erase_if(invocation->getPreprocessorOpts().Macros,
                [](const auto& macro) { return !macro.second && !isForHeaders(nameOf(macro.first)); });

  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(new clang::IgnoringDiagConsumer);
  compiler.createFileManager(files_);
  const auto userHeaders = std::make_shared<UserHeaders>(source_, userFolders(invocation_.getHeaderSearchOpts()));
  compiler.addDependencyCollector(userHeaders);
  Precompile action(macros_);
  if (!compiler.ExecuteAction(action) || action.result().empty()) return false;
  if (userHeaders->any() || action.mentionsMacro()) {
    writeFile(path_, "");
    return false;
  }
  if (!writeFile(path_, std::string_view(action.result()))) return false;
  trimCache(fs::path(path_).parent_path());
  return true;
}

void PrecompiledHeader::use(clang::CompilerInvocation& invocation) const {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  if (now - fs::last_write_time(path_, error) > kForgotten) fs::last_write_time(path_, now, error);  // for trimCache
  alignOptions(invocation);
  invocation.getPreprocessorOpts().ImplicitPCHInclude = path_;
}

}  // namespace heddle::native
