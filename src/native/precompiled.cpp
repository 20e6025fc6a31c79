// The cache has two kinds of files: <hash>.pch, and while one is written <hash>.<process>.tmp, which is renamed when it
// is complete, since several processes may want the same one at once. An empty .pch says that the headers include
// something of the user's, so that one need not find out again.
#include "native/precompiled.h"

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
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "native/compile.h"
#include "native/link.h"

namespace heddle::native {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kCacheLimit = 500'000'000;  // bytes
constexpr auto kForgotten = std::chrono::hours(1);   // after which a temporary file is nobody's

// ---- The includes at the top of a file.

constexpr std::string_view kBlanks = " \t\r\n\v\f";

void skip(std::string_view& text, std::size_t n) {
  text.remove_prefix(std::min(n, text.size()));
}

// Blanks and comments.
void skipBlanks(std::string_view& text) {
  while (true) {
    skip(text, text.find_first_not_of(kBlanks));
    if (text.starts_with("//"))
      skip(text, text.find('\n'));
    else if (text.starts_with("/*") && text.find("*/", 2) != std::string_view::npos)
      skip(text, text.find("*/", 2) + 2);
    else
      return;
  }
}

// Takes `word` from the front of a directive; blanks may come before it.
bool take(std::string_view& line, std::string_view word) {
  std::string_view rest = line;
  skip(rest, rest.find_first_not_of(" \t"));
  if (!rest.starts_with(word)) return false;
  line = rest.substr(word.size());
  return true;
}

// Has a directive nothing more to say?
bool ends(std::string_view rest) {
  skip(rest, rest.find_first_not_of(" \t\r"));
  return rest.empty() || rest.starts_with("//");
}

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
  return access(folder.c_str(), W_OK | X_OK) == 0 ? folder : fs::path();
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

// Arguments that name the file at hand, or say how to talk about it, do not matter to the headers.
std::vector<std::string> flagsOfHeaders(const std::vector<std::string>& flags, const std::string& mainFile) {
  static constexpr std::string_view kWithValue[] = {"-main-file-name", "-o", "-dumpdir", "-fmessage-length"};
  static constexpr std::string_view kJoined[] = {"-fdebug-compilation-dir=", "-fcoverage-compilation-dir=",
                                                 "-fmessage-length=", "-fcolor-diagnostics", "-ferror-limit"};
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (std::ranges::find(kWithValue, flag) != std::end(kWithValue))
      ++i;
    else if (std::ranges::any_of(kJoined, [&](std::string_view start) { return flag.starts_with(start); }))
      continue;
    else if (flag != mainFile)
      result.push_back(flag);
  }
  return result;
}

std::string hashOf(const std::vector<std::string>& includes, const std::vector<std::string>& flags) {
  llvm::SHA1 hash;
  const auto add = [&](std::string_view text) {
    hash.update(llvm::StringRef(text));
    hash.update(llvm::ArrayRef<std::uint8_t>(std::uint8_t{0}));
  };
  add(HEDDLE_VERSION);
  add(clang::getClangFullVersion());
  for (const EmbeddedFile& header : embeddedHeaders()) add(header.contents);
  for (const std::string& include : includes) add(include);
  for (const std::string& flag : flags) add(flag);
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

// Keeps what clang generates in memory: when it writes a file itself and the disk is full, it ends the process.
class Precompile : public clang::GeneratePCHAction {
 public:
  // Empty if there were errors.
  llvm::StringRef result() const {
    return buffer_->IsComplete ? llvm::StringRef(buffer_->Data.data(), buffer_->Data.size()) : "";
  }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(), file, "",
                                                 buffer_, compiler.getFrontendOpts().ModuleFileExtensions);
  }

 private:
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

// Options that must be the same for a header and for the file that uses it, or clang refuses.
void alignOptions(clang::CompilerInvocation& invocation) {
  invocation.getLangOpts().PCHInstantiateTemplates = true;
  invocation.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;  // clang would trust the system's otherwise
}

}  // namespace

std::vector<std::string> leadingIncludes(std::string_view source) {
  std::vector<std::string> result;
  while (true) {
    skipBlanks(source);
    std::string_view line = source.substr(0, source.find('\n'));
    const std::size_t length = line.size();
    if (!take(line, "#")) return result;
    if (take(line, "pragma")) {
      if (!take(line, "once") || !ends(line)) return result;
    } else {
      if (!take(line, "include") || !take(line, "<")) return result;
      const std::size_t close = line.find('>');
      if (close == std::string_view::npos || !ends(line.substr(close + 1))) return result;
      result.emplace_back(line.substr(0, close));
    }
    skip(source, length);
  }
}

PrecompiledHeader::PrecompiledHeader(const clang::CompilerInvocation& invocation, const std::vector<std::string>& flags,
                                     FileSystem files)
    : invocation_(invocation), files_(std::move(files)) {
  const std::string file = invocation.getFrontendOpts().Inputs.front().getFile().str();
  const auto text = files_->getBufferForFile(file);
  if (!text || includesByFlag(invocation.getPreprocessorOpts())) return;
  includes_ = leadingIncludes(std::string_view((*text)->getBuffer()));
  const std::vector<std::string> folders = userFolders(invocation.getHeaderSearchOpts());
  const auto end = std::ranges::find_if(includes_, [&](const std::string& name) {
    return std::ranges::any_of(folders, [&](const std::string& folder) { return files_->exists(folder + name); });
  });
  includes_.erase(end, includes_.end());
  if (includes_.empty()) return;
  const fs::path folder = cacheFolder();
  if (folder.empty()) return;

  const std::string hash = hashOf(includes_, flagsOfHeaders(flags, file));
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

bool PrecompiledHeader::exists() const {
  return access(path_.c_str(), R_OK) == 0;
}

bool PrecompiledHeader::build() {
  auto invocation = std::make_shared<clang::CompilerInvocation>(invocation_);
  alignOptions(*invocation);
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  const clang::InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs = {clang::FrontendInputFile(source_, kind.getHeader())};
  frontend.DisableFree = false;

  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(new clang::IgnoringDiagConsumer);
  compiler.createFileManager(files_);
  const auto userHeaders = std::make_shared<UserHeaders>(source_, userFolders(invocation_.getHeaderSearchOpts()));
  compiler.addDependencyCollector(userHeaders);
  Precompile action;
  if (!compiler.ExecuteAction(action) || action.result().empty()) return false;
  if (userHeaders->any()) {
    writeFile(path_, "");
    return false;
  }
  if (!writeFile(path_, std::string_view(action.result()))) return false;
  trimCache(fs::path(path_).parent_path());
  return true;
}

void PrecompiledHeader::use(clang::CompilerInvocation& invocation) const {
  std::error_code error;
  fs::last_write_time(path_, fs::file_time_type::clock::now(), error);  // for trimCache
  alignOptions(invocation);
  invocation.getPreprocessorOpts().ImplicitPCHInclude = path_;
}

}  // namespace heddle::native
