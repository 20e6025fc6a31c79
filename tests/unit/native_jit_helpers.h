// C and C++ text as native code in program memory, without instrumentation: what the tests of globals, names and the
// JIT run.
#pragma once

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "native/compile/compile.h"
#include "native/instrument/globals.h"
#include "native/jit/jit.h"
#include "native/names/debug_names.h"

namespace heddle::native {

// A source file that is there as long as this object.
class SourceFile {
 public:
  SourceFile(const std::string& text, const std::string& extension, const std::string& stem = "program")
      : folder_(std::filesystem::temp_directory_path() / ("heddle-test-" + std::to_string(getpid()))),
        path_(folder_ / (stem + extension)) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_) << text;
  }
  ~SourceFile() { std::filesystem::remove_all(folder_); }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path folder_, path_;
};

inline CompiledProgram compileText(const std::string& text, const std::string& extension = ".cpp") {
  const SourceFile file(text, extension);
  BuildOptions options;
  options.files = {file.path()};
  options.precompiled = false;
  return compile(options);
}

inline void expectValid(const llvm::Module& module) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(module, &stream)) throw std::logic_error("invalid module: " + problems);
}

// What exit is given. The programs of these tests leave by an exception, which passes through their own frames.
struct ExitCode {
  int code;
};
[[noreturn]] inline void throwExitCode(int code) { throw ExitCode{code}; }

// The runtime's variable, for programs that are not run by the runtime.
inline std::uint64_t testTls = 0;

class TestProgram {
 public:
  explicit TestProgram(const std::string& text, const std::string& extension = ".cpp",
                       const std::vector<std::string>& keep = {"main"}, std::size_t atOnce = JitOptions().atOnce)
      : TestProgram(compileText(text, extension), keep, atOnce) {}

  TestProgram(CompiledProgram program, const std::vector<std::string>& keep, std::size_t atOnce = JitOptions().atOnce) {
    DebugNames names(*program.module, info);
    lowerGlobals(*program.module, info, names);
    expectValid(*program.module);
    JitOptions options;
    options.host = {{"exit", reinterpret_cast<void*>(&throwExitCode)}, {"heddle_tls", &testTls}};
    options.allowed = [](const std::string&) { return true; };
    options.keep = keep;
    options.atOnce = atOnce;
    jit = std::make_unique<Jit>(std::move(program.context), std::move(program.module), options);
    for (const std::uint32_t index : info.globals)
      memory.defineGlobal(addressOf(info.variables[index].symbol), info.variables[index].size, info.variables[index].constant,
                          index);
  }

  template <typename Function>
  Function* function(const std::string& symbol) const {
    return reinterpret_cast<Function*>(reinterpret_cast<std::uintptr_t>(jit->address(symbol)));
  }
  template <typename T>
  T& global(const std::string& symbol) const {
    return *static_cast<T*>(jit->address(symbol));
  }
  Address addressOf(const std::string& symbol) const { return reinterpret_cast<Address>(jit->address(symbol)); }

  // Constructors, main, exit; returns what exit was given.
  int run(int argc = 0, char** argv = nullptr, char** envp = nullptr) const {
    try {
      function<void(int, char**, char**)>(kStartSymbol)(argc, argv, envp);
    } catch (const ExitCode& exit) {
      return exit.code;
    }
    throw std::logic_error("heddle_start returned");
  }

  // A block of thread_locals with their initial values becomes the current one.
  std::vector<std::uint64_t> enterThread() const {
    std::vector<std::uint64_t> block((info.tlsSize + 7) / 8 + 8);
    auto* bytes = reinterpret_cast<unsigned char*>(block.data());
    std::copy_n(static_cast<const unsigned char*>(jit->address(info.tlsImageSymbol)), info.tlsSize, bytes);
    testTls = reinterpret_cast<std::uint64_t>(bytes);
    return block;
  }

  const runtime::Variable& variable(const std::string& name) const {
    for (const runtime::Variable& candidate : info.variables)
      if (candidate.name == name) return candidate;
    throw std::out_of_range("no variable " + name);
  }

  memory::Memory memory;  // before the Jit, whose code is in it
  runtime::ProgramInfo info;
  std::unique_ptr<Jit> jit;
};

}  // namespace heddle::native
