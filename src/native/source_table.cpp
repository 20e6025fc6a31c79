#include "native/source_table.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "native/link.h"

namespace heddle::native {
namespace {

// Where compilers and distributions keep the headers of the system.
bool isSystemHeader(std::string_view file) {
  return file.starts_with("/usr/") || file.find("/lib/clang/") != std::string_view::npos;
}

// clang may split a path between a directory and a name in it; what is in the current directory goes by its name.
std::string fileName(const llvm::DIScope& scope, const std::string& current) {
  const std::string name = scope.getFilename().str();
  const std::string directory = scope.getDirectory().str();
  if (name.empty() || name.front() == '/' || directory.empty()) return name;
  return directory == current ? name : directory + "/" + name;
}

std::string currentDirectory() {
  std::error_code problem;
  return std::filesystem::current_path(problem).string();
}

std::string functionName(const llvm::DISubprogram* subprogram) {
  if (!subprogram) return "";
  const llvm::StringRef linkage = subprogram->getLinkageName();
  return linkage.empty() ? subprogram->getName().str() : llvm::demangle(linkage.str());
}

}  // namespace

SourceTable::SourceTable(const llvm::Module& module, ProgramInfo& info) : info_(info), directory_(currentDirectory()) {
  if (info_.sources.empty()) info_.sources.emplace_back();
  for (const llvm::Function& function : module) {
    if (function.hasFnAttribute(kLibraryAttribute) && function.getSubprogram()) models_.insert(function.getSubprogram());
  }
}

std::uint32_t SourceTable::add(Source source) {
  auto key = std::make_tuple(source.file, source.line, source.column, source.function, source.caller);
  const auto [entry, isNew] = known_.try_emplace(std::move(key), static_cast<std::uint32_t>(info_.sources.size()));
  if (isNew) info_.sources.push_back(std::move(source));
  return entry->second;
}

std::uint32_t SourceTable::of(const llvm::DILocation* location) {
  if (!location) return 0;
  if (const auto found = byLocation_.find(location); found != byLocation_.end()) return found->second;
  Source source;
  const llvm::DISubprogram* subprogram = location->getScope()->getSubprogram();
  source.file = fileName(*location->getScope(), directory_);
  source.line = location->getLine();
  source.column = location->getColumn();
  source.function = functionName(subprogram);
  source.library = models_.contains(subprogram) || isSystemHeader(source.file);
  source.caller = of(location->getInlinedAt());
  const std::uint32_t index = add(std::move(source));
  byLocation_[location] = index;
  return index;
}

std::uint32_t SourceTable::of(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram) return 0;
  Source source;
  source.file = fileName(*subprogram, directory_);
  source.line = subprogram->getLine();
  source.function = functionName(subprogram);
  source.library = models_.contains(subprogram) || isSystemHeader(source.file);
  return add(std::move(source));
}

std::uint32_t SourceTable::of(const llvm::Instruction& instruction) {
  // Line 0 is the compiler's way to say that it does not know; what comes next is closer than what came before.
  const auto usable = [](const llvm::Instruction& i) { return i.getDebugLoc() && i.getDebugLoc().getLine() != 0; };
  if (usable(instruction)) return of(instruction.getDebugLoc().get());
  for (const llvm::Instruction* next = instruction.getNextNode(); next; next = next->getNextNode()) {
    if (usable(*next)) return of(next->getDebugLoc().get());
  }
  for (const llvm::Instruction* previous = instruction.getPrevNode(); previous; previous = previous->getPrevNode()) {
    if (usable(*previous)) return of(previous->getDebugLoc().get());
  }
  return of(*instruction.getFunction());
}

bool SourceTable::isLibrary(std::uint32_t index) const {
  while (info_.sources[index].library && info_.sources[index].caller != 0) index = info_.sources[index].caller;
  return info_.sources[index].library;
}

std::uint32_t SourceTable::shown(std::uint32_t index) const {
  std::uint32_t shown = index;
  while (info_.sources[shown].library && info_.sources[shown].caller != 0) shown = info_.sources[shown].caller;
  return info_.sources[shown].library ? index : shown;
}

std::string SourceTable::text(std::uint32_t index) const {
  const Source& source = info_.sources[shown(index)];
  if (source.file.empty()) return "unknown place";
  return source.file + ":" + std::to_string(source.line);
}

}  // namespace heddle::native
