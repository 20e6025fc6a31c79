#include "native/compile/definitions.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cctype>

#include "native/compile/compilation_database.h"
#include "native/compile/compile.h"
#include "util/read_file.h"

namespace heddle::native {

namespace {

constexpr int kMostCandidates = 20;

// The name as a definition spells it: "push" of "queue::push(int)".
std::string spelledName(const std::string& symbol) {
  std::string name = llvm::demangle(symbol);
  name.resize(std::min(name.find('('), name.size()));
  const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t end = name.size();
  while (end > 0 && !isPart(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && isPart(name[begin - 1])) --begin;
  return name.substr(begin, end - begin);
}

bool defines(const BuildOptions& options, const std::string& file, const std::string& symbol) {
  BuildOptions alone = options;
  alone.files = {file};
  try {
    const CompiledProgram program = compile(alone);
    const llvm::GlobalValue* const value = program.module->getNamedValue(symbol);
    return value && !value->isDeclaration();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string definingFile(const BuildOptions& options, const std::string& symbol) {
  if (options.compilationDatabase.empty()) return "";
  const std::string name = spelledName(symbol);
  int candidates = 0;
  for (const std::string& file : filesOfDatabase(options.compilationDatabase)) {
    const auto text = util::readFile(file);
    if (!text || text->find(name) == std::string::npos) continue;
    if (++candidates > kMostCandidates) break;
    if (defines(options, file, symbol)) return file;
  }
  return "";
}

}  // namespace heddle::native
