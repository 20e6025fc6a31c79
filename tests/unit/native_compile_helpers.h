// Source files in a folder of their own, and what compile() makes of them.
#pragma once

#include <gtest/gtest.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "native/compile/compile.h"

namespace heddle::native {

// Each test has a folder and a cache of precompiled headers for itself.
class CompileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "heddle-compile-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("XDG_CACHE_HOME", (folder_ + "/cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = path(name);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  // Of files in the folder, and without precompiled headers unless asked for.
  BuildOptions optionsFor(const std::vector<std::string>& files, const std::vector<std::string>& flags = {}) const {
    BuildOptions options;
    for (const std::string& file : files) options.files.push_back(path(file));
    options.flags = flags;
    options.precompiled = false;
    return options;
  }

  // A program of one file.
  CompiledProgram compileText(const std::string& name, const std::string& text,
                              const std::vector<std::string>& flags = {}) const {
    write(name, text);
    return compile(optionsFor({name}, flags));
  }

  // The text of the InputError that `options` lead to, and what clang printed.
  struct Failure {
    std::string message, printed;
  };
  static Failure failureOf(const BuildOptions& options) {
    testing::internal::CaptureStderr();
    try {
      compile(options);
    } catch (const InputError& error) {
      return {error.what(), testing::internal::GetCapturedStderr()};
    }
    ADD_FAILURE() << "compiled without an error; clang said: " << testing::internal::GetCapturedStderr();
    return {};
  }
  Failure failureOfText(const std::string& name, const std::string& text, const std::vector<std::string>& flags = {}) const {
    write(name, text);
    return failureOf(optionsFor({name}, flags));
  }

  std::string folder_;
};

inline std::string textOf(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

inline std::string textOf(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return text;
}

inline void expectVerified(const llvm::Module& module) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  EXPECT_FALSE(llvm::verifyModule(module, &stream)) << problems;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The body of a function as text; empty if it has none.
inline std::string bodyOf(const llvm::Module& module, const std::string& name) {
  const llvm::Function* function = module.getFunction(name);
  return function == nullptr || function->isDeclaration() ? "" : textOf(*function);
}

}  // namespace heddle::native
