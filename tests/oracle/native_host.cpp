// See native_host.h.
#include "native_host.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "util/child_process.h"

namespace heddle::oracle {

namespace {

// What a command prints, and whether it exits with 0.
std::pair<std::string, bool> shell(const std::string& command) {
  util::Finished finished = util::ChildProcess({"/bin/sh", "-c", command}).wait();
  return {std::move(finished.out), finished.code == 0};
}

std::string compilerOf(Language language) {
  return language == Language::c ? HEDDLE_HOST_C_COMPILER " -std=gnu17" : HEDDLE_HOST_CXX_COMPILER " -std=gnu++20";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

// The instruction set is one with 16-byte compare-exchanges, as that of checked programs.
constexpr const char* kFlags = " -Werror=return-type -O0 -mcx16 -pthread ";

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "heddle-fuzz-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a directory for a program");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(path_); }

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const std::string path = path_ + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::string sourceName(Language language) { return language == Language::c ? "random.c" : "random.cpp"; }

std::optional<std::string> outputOf(const std::string& program, const std::vector<std::string>& arguments) {
  const auto [output, success] = shell("timeout 60 " + program + " " + joined(arguments) + " 2>/dev/null");
  if (!success) return std::nullopt;
  return output;
}

HostCompiler::HostCompiler(Language language, const std::string& prologue) : language_(language), prologue_(prologue) {
  if (prologue.empty()) return;
  const std::string header = folder_.write("prologue.h", "#pragma once\n" + prologue);
  const std::string kind = language == Language::c ? " -x c-header " : " -x c++-header ";
  shell(compilerOf(language) + kFlags + kind + header + " -o " + header + ".gch 2>/dev/null");
}

std::string HostCompiler::compile(const std::string& text, const std::vector<std::string>& flags,
                                  const TemporaryFolder& folder) const {
  std::string rest = text;
  std::string include;
  if (!prologue_.empty() && text.starts_with(prologue_)) {
    rest = text.substr(prologue_.size());
    include = "-include " + folder_.path() + "/prologue.h ";
  }
  const std::string source = folder.write(sourceName(language_), rest), program = folder.path() + "/program";
  const std::string command =
      compilerOf(language_) + kFlags + include + joined(flags) + source + " -o " + program + " -lm -latomic 2>/dev/null";
  return shell(command).second ? program : "";
}

std::optional<std::string> HostCompiler::run(const std::string& text, const std::vector<std::string>& flags,
                                             const std::vector<std::string>& arguments) const {
  const TemporaryFolder folder;
  const std::string program = compile(text, flags, folder);
  if (program.empty()) return std::nullopt;
  return outputOf(program, arguments);
}

std::string HostCompiler::complaints(const std::string& text, const std::vector<std::string>& flags,
                                     const std::vector<std::string>& arguments) const {
  const TemporaryFolder folder;
  std::vector<std::string> all = flags;
  all.insert(all.end(), {"-g", "-fsanitize=address,undefined", "-fno-sanitize=alignment"});
  const std::string program = compile(text, all, folder);
  if (program.empty()) return "";
  return shell("ASAN_OPTIONS=detect_leaks=0 timeout 60 " + program + " " + joined(arguments) + " 2>&1 >/dev/null").first;
}

}  // namespace heddle::oracle
