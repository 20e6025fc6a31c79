// An empty file in the cache says that the headers include something of the user's, so that one need not find out again.
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
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "native/compile/compile.h"
#include "native/compile/leading_includes.h"
#include "native/compile/link.h"
#include "util/cache_folder.h"
#include "util/version.h"

namespace heddle::native {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 5000;                                    // of files in folders of the user's own
constexpr llvm::StringLiteral kSources = "/usr/share/heddle/precompiled/";  // which exists for clang only

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

std::string hashOf(const std::vector<const std::vector<std::string>*>& dependencies) {
  llvm::SHA1 hash;
  const auto add = [&](std::string_view text) {
    hash.update(llvm::StringRef(text));
    hash.update(llvm::ArrayRef<std::uint8_t>(std::uint8_t{0}));
  };
  add(fmt::format("{}, with names and layers", util::version()));
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

// ---- Layers.

constexpr const char* kBase = "thread";

// Those of C++ and C, and ours: they may come in any order.
bool isStandard(const std::string& header) {
  static constexpr std::string_view kNames[] = {
      "algorithm",
      "any",
      "array",
      "atomic",
      "barrier",
      "bit",
      "bitset",
      "cassert",
      "cctype",
      "cerrno",
      "cfenv",
      "cfloat",
      "charconv",
      "chrono",
      "cinttypes",
      "climits",
      "clocale",
      "cmath",
      "compare",
      "complex",
      "concepts",
      "condition_variable",
      "coroutine",
      "csetjmp",
      "csignal",
      "cstdarg",
      "cstddef",
      "cstdint",
      "cstdio",
      "cstdlib",
      "cstring",
      "ctime",
      "cuchar",
      "cwchar",
      "cwctype",
      "deque",
      "exception",
      "execution",
      "filesystem",
      "forward_list",
      "fstream",
      "functional",
      "future",
      "heddle/heddle.h",
      "initializer_list",
      "iomanip",
      "ios",
      "iosfwd",
      "iostream",
      "istream",
      "iterator",
      "latch",
      "limits",
      "list",
      "locale",
      "map",
      "memory",
      "memory_resource",
      "mutex",
      "new",
      "numbers",
      "numeric",
      "optional",
      "ostream",
      "queue",
      "random",
      "ranges",
      "ratio",
      "regex",
      "scoped_allocator",
      "semaphore",
      "set",
      "shared_mutex",
      "source_location",
      "span",
      "sstream",
      "stack",
      "stdexcept",
      "stop_token",
      "streambuf",
      "string",
      "string_view",
      "syncstream",
      "system_error",
      "thread",
      "tuple",
      "type_traits",
      "typeindex",
      "typeinfo",
      "unordered_map",
      "unordered_set",
      "utility",
      "valarray",
      "variant",
      "vector",
      "version",
      "assert.h",
      "ctype.h",
      "errno.h",
      "float.h",
      "inttypes.h",
      "limits.h",
      "math.h",
      "setjmp.h",
      "signal.h",
      "stdarg.h",
      "stddef.h",
      "stdint.h",
      "stdio.h",
      "stdlib.h",
      "string.h",
      "time.h",
      "wchar.h",
      "wctype.h",
  };
  return std::ranges::find(kNames, header) != std::end(kNames);
}

// May <thread> come before all of these?
bool canBeLayered(const std::vector<std::string>& includes, const clang::LangOptions& language) {
  const auto base = std::ranges::find(includes, kBase);
  return language.CPlusPlus && includes.size() > 1 && base != includes.end() && std::all_of(includes.begin(), base, isStandard);
}

// Notes whether a header of the user's own is read. What a system's header includes counts as the system's for clang,
// wherever it is.
class UserHeaders : public clang::DependencyCollector {
 public:
  explicit UserHeaders(std::vector<std::string> folders) : folders_(std::move(folders)) {}
  bool any() const { return any_; }
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef file, bool, bool isSystem, bool isLayer, bool) override {
    any_ |= !isLayer && !file.starts_with(kSources) &&
            (!isSystem || std::ranges::any_of(folders_, [&](const std::string& f) { return file.starts_with(f); }));
    return false;
  }

 private:
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
  // Did clang get as far as the source? It does not if it cannot load the layer below.
  bool started() const { return started_; }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef file) override {
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(), file, "", buffer_,
                                                 compiler.getFrontendOpts().ModuleFileExtensions);
  }

  void ExecuteAction() override {
    started_ = true;
    clang::GeneratePCHAction::ExecuteAction();
  }

 private:
  bool started_ = false;
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
  std::vector<std::string> includes = std::move(leading.headers);
  macros_ = macrosOfProgram(invocation.getPreprocessorOpts());
  for (std::string& guard : leading.guards) {
    if (std::ranges::find(macros_, guard) != macros_.end()) return;  // what it guards is left out
    macros_.push_back(std::move(guard));
  }
  const std::vector<std::string> folders = userFolders(invocation.getHeaderSearchOpts());
  const auto end = std::ranges::find_if(includes, [&](const std::string& name) {
    return std::ranges::any_of(folders, [&](const std::string& folder) { return files_->exists(folder + name); });
  });
  includes.erase(end, includes.end());
  if (includes.empty() || util::cacheFolder().empty()) return;

  const auto searched = searchedBefore(invocation.getHeaderSearchOpts(), *files_);
  if (!searched) return;
  const std::vector<std::string> headerFlags = flagsOfHeaders(flags, file);
  if (canBeLayered(includes, invocation.getLangOpts())) layers_.push_back(makeLayer({kBase}, {&headerFlags, &*searched}));
  layers_.push_back(makeLayer(includes, {&headerFlags, &*searched}));
  const bool hopeless = std::ranges::any_of(layers_, [](const Layer& layer) {
    std::error_code error;
    return fs::exists(layer.path, error) && fs::file_size(layer.path, error) == 0;
  });
  if (hopeless) layers_.clear();
}

PrecompiledHeader::Layer PrecompiledHeader::makeLayer(const std::vector<std::string>& includes,
                                                      std::vector<const std::vector<std::string>*> dependencies) {
  dependencies.push_back(&includes);
  const std::string hash = hashOf(dependencies);
  Layer layer{(util::cacheFolder() / (hash + ".pch")).string(), fmt::format("{}{}.h", kSources.str(), hash)};
  std::string lines;
  for (const std::string& name : includes) lines += fmt::format("#include <{}>\n", name);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(layer.source, 0, llvm::MemoryBuffer::getMemBufferCopy(lines, layer.source));
  files_->pushOverlay(memory);
  return layer;
}

bool PrecompiledHeader::exists() const { return access(layers_.back().path.c_str(), R_OK) == 0; }

// Each layer on what is there, if it can be used. To replace a layer makes all that build on it useless.
bool PrecompiledHeader::build() {
  const std::size_t last = layers_.size() - 1;
  const Built built = build(last);
  if (built != Built::notOnThatBase) return built == Built::yes;
  return build(last - 1) == Built::yes && build(last) == Built::yes;
}

PrecompiledHeader::Built PrecompiledHeader::build(std::size_t layer) {
  const auto& [path, source] = layers_[layer];
  auto invocation = std::make_shared<clang::CompilerInvocation>(invocation_);
  alignOptions(*invocation);
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  const clang::InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs = {clang::FrontendInputFile(source, kind.getHeader())};
  frontend.DisableFree = false;
  frontend.ModuleFileExtensions.push_back(std::make_shared<HeaderNames>(std::vector<std::string>()));
  clang::PreprocessorOptions& preprocessor = invocation->getPreprocessorOpts();
  std::erase_if(preprocessor.Macros, [](const auto& macro) { return !macro.second && !isForHeaders(nameOf(macro.first)); });
  if (layer > 0) preprocessor.ImplicitPCHInclude = layers_[layer - 1].path;

  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(new clang::IgnoringDiagConsumer);
  compiler.createFileManager(files_);
  const auto userHeaders = std::make_shared<UserHeaders>(userFolders(invocation_.getHeaderSearchOpts()));
  compiler.addDependencyCollector(userHeaders);
  Precompile action;
  compiler.ExecuteAction(action);
  if (layer > 0 && !action.started()) return Built::notOnThatBase;
  if (action.result().empty()) return Built::no;
  const bool kept =
      util::keepInCache(util::kPrecompiledHeaders, path, userHeaders->any() ? "" : std::string_view(action.result()));
  return kept && !userHeaders->any() ? Built::yes : Built::no;
}

std::shared_ptr<const HeaderNames> PrecompiledHeader::use(clang::CompilerInvocation& invocation) const {
  for (const Layer& layer : layers_) util::markUsed(layer.path);
  alignOptions(invocation);
  invocation.getPreprocessorOpts().ImplicitPCHInclude = layers_.back().path;
  const auto names = std::make_shared<HeaderNames>(macros_);
  invocation.getFrontendOpts().ModuleFileExtensions.push_back(names);
  return names;
}

}  // namespace heddle::native
