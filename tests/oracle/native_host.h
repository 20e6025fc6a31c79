// Programs as this machine runs them: compiled with the compiler that Heddle was built with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "print_c.h"

namespace heddle::oracle {

// A folder for files, that is gone with everything in it when it is not needed any more.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Writes a file, and says where it is.
  std::string write(const std::string& name, const std::string& text) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What a source file is called.
std::string sourceName(Language language);

// What a program prints, if it exits with 0 within a minute.
std::optional<std::string> outputOf(const std::string& program, const std::vector<std::string>& arguments);

class HostCompiler {
 public:
  // `prologue`: what every program begins with, to be precompiled; empty for nothing.
  explicit HostCompiler(Language language, const std::string& prologue = "");

  // The executable, in the folder; empty if it does not compile.
  std::string compile(const std::string& text, const std::vector<std::string>& flags, const TemporaryFolder& folder) const;

  // What the program prints, if it compiles and exits with 0.
  std::optional<std::string> run(const std::string& text, const std::vector<std::string>& flags = {},
                                 const std::vector<std::string>& arguments = {}) const;

  // What the sanitizers say about it: empty if nothing, or if the program does not compile with them.
  std::string complaints(const std::string& text, const std::vector<std::string>& flags = {},
                         const std::vector<std::string>& arguments = {}) const;

 private:
  Language language_;
  std::string prologue_;
  TemporaryFolder folder_;
};

}  // namespace heddle::oracle
