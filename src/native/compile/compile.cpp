// clang in process: flags, the file system that it sees, diagnostics, and linking.
//
// Flags come in three layers: defaults that the user's may replace (the language standard), the user's own, and ours,
// which have the last word because the rest of heddle depends on them:
//
//   -O1 -disable-llvm-passes     inlinable code on which no pass has run, with markers of where variables live (frames.h);
//                                without TBAA and noundef, which let later passes assume the absence of what is to be
//                                found
//   -fno-delete-null-pointer-checks, -fwrapv (unless overflows are looked for), -fno-finite-loops
//                                likewise: a null pointer, an overflow, and a loop without end keep their plain meaning
//   -g -fstandalone-debug        lines, columns, and the members of every type, for reports
//   -fPIE                        definitions are referred to directly, what stays undefined through a table
//   -mcx16                       16-byte atomics are instructions and no library calls
//   -D__NO_INLINE__              no inline copies of the C library's functions: these are modelled
#include "native/compile/compile.h"

#include <clang/AST/DeclBase.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "native/clang_headers.h"
#include "native/compile/compilation_database.h"
#include "native/compile/input_files.h"
#include "native/compile/link.h"
#include "native/compile/precompiled.h"

namespace heddle::native {

namespace {

enum class Language { c, cxx, ir };

constexpr const char* kClang = HEDDLE_LLVM_ROOT "/bin/clang";  // is not run, and need not exist

// One C or C++ file and how to compile it.
struct Job {
  std::string file;
  Language language = Language::c;
  std::string directory;  // empty: the current one
  std::vector<std::string> flags;
};

Language languageOf(const std::string& file) {
  static constexpr std::pair<const char*, Language> kSuffixes[] = {
      {".c", Language::c},     {".cc", Language::cxx}, {".cpp", Language::cxx}, {".cxx", Language::cxx},
      {".c++", Language::cxx}, {".C", Language::cxx},  {".ll", Language::ir},   {".bc", Language::ir},
  };
  const std::string suffix = std::filesystem::path(file).extension().string();
  for (const auto& [name, language] : kSuffixes)
    if (suffix == name) return language;
  throw InputError(fmt::format("{}: {} (C and C++ files end in .c, .cc, .cpp, .cxx or .c++, LLVM ones in .ll or .bc)", file,
                               suffix.empty() ? "no suffix that says what it is" : "unknown suffix '" + suffix + "'"));
}

void checkReadable(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw InputError(fmt::format("{}: is a directory", file));
  if (access(file.c_str(), R_OK) != 0) throw InputError(fmt::format("{}: {}", file, std::strerror(errno)));
}

// Flags for all files may name a standard of one language only.
bool isStandardOfOtherLanguage(const std::string& flag, Language language) {
  if (!flag.starts_with("-std=")) return false;
  const bool ofCxx = flag.find("++") != std::string::npos;
  return ofCxx != (language == Language::cxx);
}

std::vector<Job> makeJobs(const BuildOptions& options) {
  const std::vector<std::string> flags = relevantFlags(options.flags, false);
  std::vector<Job> jobs;
  bool c = false;
  bool cxx = false;
  for (const std::string& file : options.files) {
    Job job{file, languageOf(file), "", {}};
    if (job.language != Language::ir && !options.compilationDatabase.empty()) {
      CompileCommand command = findCompileCommand(options.compilationDatabase, file);
      job.file = std::move(command.file);
      job.directory = std::move(command.directory);
      job.flags = std::move(command.flags);
    }
    checkReadable(job.file);
    c |= job.language == Language::c;
    cxx |= job.language == Language::cxx;
    jobs.push_back(std::move(job));
  }
  for (Job& job : jobs)
    for (const std::string& flag : flags)
      if (!(c && cxx && isStandardOfOtherLanguage(flag, job.language))) job.flags.push_back(flag);
  return jobs;
}

std::vector<std::string> commandLine(const Job& job, const BuildOptions& options) {
  std::vector<std::string> words = {kClang, "-Qunused-arguments", "-D__HEDDLE__=1", std::string("-isystem") + kHeaderFolder};
  words.insert(words.end(), {"-resource-dir", clangHeaderFolder()});
  words.push_back(isatty(STDERR_FILENO) == 0 ? "-fno-color-diagnostics" : "-fcolor-diagnostics");
  words.push_back(job.language == Language::cxx ? "-std=gnu++20" : "-std=gnu17");
  if (options.crashes) words.insert(words.end(), {"-mclflushopt", "-mclwb"});  // the intrinsics, for any processor
  words.insert(words.end(), job.flags.begin(), job.flags.end());

  words.insert(words.end(), {"-c", "-O1", "-g", "-gcolumn-info", "-fstandalone-debug", "-fno-strict-aliasing",
                             "-fno-delete-null-pointer-checks", "-fno-finite-loops", "-fPIE", "-mcx16", "-fno-stack-protector",
                             "-fcf-protection=none", "-fno-lto", "-ftrivial-auto-var-init=uninitialized", "-fno-sanitize=all",
                             "-U_FORTIFY_SOURCE", "-D__NO_INLINE__=1"});
  for (const char* word : {"-disable-llvm-passes", "-no-enable-noundef-analysis"}) words.insert(words.end(), {"-Xclang", word});
  if (options.undefinedBehaviour) {
    // Arithmetic is marked as what must not overflow, for language_errors.cpp; what only clang can tell becomes a call of one of
    // the functions in library/undefined_behaviour.cpp.
    words.insert(words.end(), {"-fno-wrapv",
                               "-fsanitize=array-bounds,bool,builtin,enum,nonnull-attribute,pointer-overflow,"
                               "returns-nonnull-attribute,vla-bound",
                               "-fno-sanitize-recover=all", "-fno-sanitize-trap=all"});
  } else {
    words.push_back("-fwrapv");
  }
  words.insert(words.end(), {"--", job.file});
  return words;
}

// The real files, and the embedded headers.
FileSystem makeFileSystem(const std::string& directory, InputFiles& inputs) {
  auto builtin = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedFile& header : embeddedHeaders()) {
    const std::string path = fmt::format("{}/{}", kHeaderFolder, header.name);
    builtin->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(header.contents, path));
  }
  auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(notingFileSystem(inputs));
  all->pushOverlay(builtin);
  if (!directory.empty()) {
    if (const std::error_code error = all->setCurrentWorkingDirectory(directory))
      throw InputError(fmt::format("{}: {}", directory, error.message()));
  }
  return all;
}

// Generates the module and nothing else: clang's own actions would set up a code generator for the target as well.
class EmitModule : public clang::ASTFrontendAction {
 public:
  // The names are those of the precompiled header, if there is one.
  EmitModule(llvm::LLVMContext& context, const HeaderNames* names) : context_(context), names_(names) {}
  std::unique_ptr<llvm::Module> takeModule() { return std::move(module_); }
  bool started() const { return started_; }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef file) override {
    generator_ = clang::CreateLLVMCodeGen(compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(),
                                          compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                                          compiler.getCodeGenOpts(), context_);
    return std::unique_ptr<clang::ASTConsumer>(generator_);
  }

  void ExecuteAction() override {
    started_ = true;
    if (!refuses()) clang::ASTFrontendAction::ExecuteAction();
  }

  void EndSourceFileAction() override {
    if (refuses() || getCompilerInstance().getDiagnostics().hasErrorOccurred()) return;
    for (llvm::GlobalObject& object : generator_->GetModule()->global_objects()) markSystem(object);
    module_.reset(generator_->ReleaseModule());
  }

 private:
  bool refuses() const { return names_ != nullptr && names_->mentioned(); }

  // A declaration without a definition is a mistake of the program's, unless it is the system's.
  void markSystem(llvm::GlobalObject& object) {
    if (!object.isDeclaration()) return;
    const clang::Decl* const declaration = generator_->GetDeclForMangledName(object.getName());
    if (!declaration || !getCompilerInstance().getSourceManager().isInSystemHeader(declaration->getLocation())) return;
    if (auto* function = llvm::dyn_cast<llvm::Function>(&object)) function->addFnAttr(kSystemAttribute);
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object)) variable->addAttribute(kSystemAttribute);
  }

  llvm::LLVMContext& context_;
  const HeaderNames* names_;
  clang::CodeGenerator* generator_ = nullptr;  // owned by the compiler instance
  std::unique_ptr<llvm::Module> module_;
  bool started_ = false;
};

// Driver arguments become arguments of the compiler proper, `flags`, and their meaning.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::vector<std::string>& words, const FileSystem& files,
                                                          std::vector<std::string>& flags) {
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const llvm::IntrusiveRefCntPtr diagnosticOptions(clang::CreateAndPopulateDiagOpts(arguments).release());
  clang::CreateInvocationOptions options;
  options.Diags = clang::CompilerInstance::createDiagnostics(
      diagnosticOptions.get(), new clang::TextDiagnosticPrinter(llvm::errs(), diagnosticOptions.get()));
  options.VFS = files;
  options.CC1Args = &flags;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, options);
  return options.Diags->hasErrorOccurred() ? nullptr : invocation;
}

struct Result {
  std::unique_ptr<llvm::Module> module;  // null if there were errors
  bool started = false;                  // did clang get as far as the source?
};

Result run(const clang::CompilerInvocation& invocation, const FileSystem& files, llvm::LLVMContext& context,
           llvm::raw_ostream& messages, const HeaderNames* names = nullptr) {
  clang::CompilerInstance compiler;
  compiler.setInvocation(std::make_shared<clang::CompilerInvocation>(invocation));
  compiler.getFrontendOpts().DisableFree = false;  // the syntax tree must not stay for the whole exploration
  compiler.createDiagnostics(new clang::TextDiagnosticPrinter(messages, &compiler.getDiagnosticOpts()));
  compiler.setVerboseOutputStream(messages);  // "1 error generated."
  compiler.createFileManager(files);
  EmitModule action(context, names);
  compiler.ExecuteAction(action);
  return {action.takeModule(), action.started()};
}

// A precompiled header must never make a difference. So an attempt with one keeps its messages to itself until it has
// succeeded; if it does not, it counts for nothing.
std::unique_ptr<llvm::Module> runPrecompiled(const clang::CompilerInvocation& invocation, PrecompiledHeader& header,
                                             const FileSystem& files, llvm::LLVMContext& context) {
  const bool cached = header.exists();
  if (!cached && !header.build()) return nullptr;
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  stream.enable_colors(true);
  const auto attempt = [&] {
    clang::CompilerInvocation adapted(invocation);
    const auto names = header.use(adapted);
    messages.clear();
    return run(adapted, files, context, stream, names.get());
  };
  Result result = attempt();
  const bool outdated = cached && !result.started;
  if (outdated && header.build()) result = attempt();
  if (result.module) llvm::errs() << messages;
  return std::move(result.module);
}

std::unique_ptr<llvm::Module> compileSource(const Job& job, const BuildOptions& options, llvm::LLVMContext& context,
                                            InputFiles& inputs) {
  const FileSystem files = makeFileSystem(job.directory, inputs);
  std::vector<std::string> flags;
  const auto invocation = makeInvocation(commandLine(job, options), files, flags);
  if (!invocation) throw InputError(fmt::format("{}: clang does not accept these flags", job.file));
  // Later versions of the debug information have a checksum of every file, for which the headers would be read after all.
  if (job.language == Language::c) invocation->getCodeGenOpts().DwarfVersion = 4;

  for (const auto& entry : invocation->getHeaderSearchOpts().UserEntries) {
    if (!entry.Path.starts_with("/usr/")) inputs.folders.insert(std::filesystem::path(job.directory) / entry.Path);
  }
  std::unique_ptr<llvm::Module> module;
  if (options.precompiled) {
    PrecompiledHeader header(*invocation, flags, files);
    if (header.possible()) module = runPrecompiled(*invocation, header, files, context);
  }
  if (!module) module = run(*invocation, files, context, llvm::errs()).module;
  if (!module) throw InputError(fmt::format("{} does not compile", job.file));
  return module;
}

// Code for another machine cannot run here. LLVM code that does not say what machine it is for is for this one.
void checkTarget(llvm::Module& module, const std::string& file) {
  const std::string native = llvm::sys::getDefaultTargetTriple();
  if (module.getTargetTriple().empty()) module.setTargetTriple(native);
  const llvm::Triple triple(module.getTargetTriple());
  if (triple.getArch() != llvm::Triple::x86_64 || !triple.isOSLinux() || triple.isX32())
    throw InputError(fmt::format("{}: is for {}; programs for {} can be checked here", file, triple.str(), native));
  if (!module.getDataLayoutStr().empty()) return;
  std::string error;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(native, error);
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(native, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
  module.setDataLayout(machine->createDataLayout());
}

// A module from elsewhere may come from any compiler, and with any flags.
std::unique_ptr<llvm::Module> readModule(const std::string& file, llvm::LLVMContext& context) {
  context.setDiscardValueNames(false);  // as clang leaves it; text refers to values by name
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, diagnostic, context);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!module) {
    diagnostic.print(nullptr, stream, false);
    throw InputError(text.empty() ? file + ": not LLVM code" : text);
  }
  if (llvm::verifyModule(*module, &stream)) throw InputError(fmt::format("{}: not valid LLVM code\n{}", file, text));
  for (llvm::Function& function : *module) {
    if (function.hasFnAttribute(llvm::Attribute::OptimizeNone)) {  // as of -O0
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      function.removeFnAttr(llvm::Attribute::NoInline);
    }
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
      if (llvm::isa<llvm::LifetimeIntrinsic>(instruction)) instruction.eraseFromParent();
    }
  }
  return module;
}

void linkInto(llvm::Module& program, std::unique_ptr<llvm::Module> module, const std::string& file) {
  if (program.getDataLayout() != module->getDataLayout())
    throw InputError(fmt::format("{}: its data layout is not that of the files before it", file));
  llvm::Linker linker(program);
  linkModule(linker, std::move(module), false);
}

}  // namespace

namespace {

bool initialise() {
  // What LLVM allocates without `new` ends like what it allocates with it.
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) {
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
  });
  return !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmParser();
}

}  // namespace

CompiledProgram compile(const BuildOptions& options) {
  static const bool initialised = initialise();
  if (!initialised) throw InputError("this LLVM cannot generate code for this machine");
  if (options.files.empty()) throw InputError("no input files");

  CompiledProgram program;
  if (!options.compilationDatabase.empty()) program.inputs.read.insert(databaseFile(options.compilationDatabase));
  program.context = std::make_unique<llvm::LLVMContext>();
  for (const Job& job : makeJobs(options)) {
    std::unique_ptr<llvm::Module> module = job.language == Language::ir
                                               ? readModule(job.file, *program.context)
                                               : compileSource(job, options, *program.context, program.inputs);
    program.inputs.read.insert(std::filesystem::absolute(job.file).string());
    checkTarget(*module, job.file);
    if (program.module)
      linkInto(*program.module, std::move(module), job.file);
    else
      program.module = std::move(module);
  }
  return program;
}

}  // namespace heddle::native
