#include "native/names/source_table.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "native/compile/link.h"
#include "native/names/debug_types.h"

namespace heddle::native {

using runtime::Source;

namespace {

// Where compilers and distributions keep the headers of the system.
bool isSystemHeader(std::string_view file) {
  return file.starts_with("/usr/") || file.find("/lib/clang/") != std::string_view::npos;
}

// clang may split a path between a directory and a name in it; what is in the current directory goes by its name.
std::string fileName(const llvm::DIScope& scope, const std::string& current) {
  std::string name = scope.getFilename().str();
  const std::string directory = scope.getDirectory().str();
  if (name.empty() || name.front() == '/') return name;
  const std::string plain = name.starts_with("./") ? name.substr(2) : name;
  return directory.empty() || directory == current ? plain : directory + "/" + plain;
}

std::string currentDirectory() {
  std::error_code problem;
  return std::filesystem::current_path(problem).string();
}

std::string functionName(const llvm::DISubprogram* subprogram) {
  const llvm::StringRef linkage = subprogram->getLinkageName();
  return linkage.empty() ? subprogram->getName().str() : llvm::demangle(linkage.str());
}

std::string withoutArguments(const std::string& name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) result += c;
    if (c == '>') --depth;
  }
  return result;
}

// "std::vector::push_back"
std::string briefName(const llvm::DISubprogram& subprogram) {
  const llvm::DISubprogram* declaration = subprogram.getDeclaration();
  const llvm::DIScope* scope = declaration ? declaration->getScope() : subprogram.getScope();
  const std::string name = subprogram.getName().str();
  return withoutArguments(scopePrefix(scope, true)) + (name.starts_with("operator") ? name : withoutArguments(name));
}

}  // namespace

SourceTable::SourceTable(const llvm::Module& module, runtime::ProgramInfo& info) : info_(info), directory_(currentDirectory()) {
  if (info_.sources.empty()) info_.sources.emplace_back();
  for (const llvm::DICompileUnit* unit : module.debug_compile_units()) units_.insert(fileName(*unit, directory_));
  for (const llvm::Function& function : module) {
    if (function.hasFnAttribute(kLibraryAttribute) && function.getSubprogram()) models_.insert(function.getSubprogram());
  }
}

std::uint32_t SourceTable::add(Source source) {
  auto key =
      std::make_tuple(source.file, source.line, source.column, source.part, source.function, source.caller, source.called);
  const auto [entry, isNew] = known_.try_emplace(std::move(key), static_cast<std::uint32_t>(info_.sources.size()));
  if (isNew) info_.sources.push_back(std::move(source));
  return entry->second;
}

const SourceTable::FunctionNames& SourceTable::namesOf(const llvm::DISubprogram* function) {
  const auto [entry, isNew] = functions_.try_emplace(function);
  if (isNew && function) entry->second = {functionName(function), briefName(*function)};
  return entry->second;
}

Source SourceTable::at(const llvm::DIScope& scope, const llvm::DISubprogram* function, unsigned line) {
  Source source;
  source.file = fileName(scope, directory_);
  source.line = line;
  source.function = namesOf(function).full;
  source.library = models_.contains(function) || isSystemHeader(source.file);
  source.header = !units_.contains(source.file);
  if (source.library) source.called = namesOf(function).brief;
  return source;
}

SourceTable::Spot SourceTable::spotOf(const llvm::DILocation& location) {
  return {location.getScope(), location.getLine(), location.getColumn()};
}

void SourceTable::setMember(const llvm::DILocation& location, Source::Member member) {
  const auto [known, isNew] = members_.try_emplace(spotOf(location), member);
  if (!isNew && (known->second.object != member.object || known->second.offset != member.offset)) known->second = {};
}

std::uint32_t SourceTable::of(const llvm::DILocation* location) {
  if (!location) return 0;
  if (const auto found = byLocation_.find(location); found != byLocation_.end()) return found->second;
  Source source = at(*location->getScope(), location->getScope()->getSubprogram(), location->getLine());
  source.column = location->getColumn();
  source.part = location->getDiscriminator();
  if (!source.library) {
    if (const auto found = members_.find(spotOf(*location)); found != members_.end()) source.member = found->second;
  }
  source.caller = of(location->getInlinedAt());
  const std::uint32_t index = add(std::move(source));
  byLocation_[location] = index;
  return index;
}

std::uint32_t SourceTable::of(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram) return 0;
  return add(at(*subprogram, subprogram, subprogram->getLine()));
}

std::uint32_t SourceTable::ofLibraryCall(const llvm::CallBase& call) {
  const std::uint32_t place = of(call);
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || info_.sources[place].library) return place;
  Source source = info_.sources[place];
  source.member = {};
  source.called = callee->getSubprogram() ? namesOf(callee->getSubprogram()).brief : llvm::demangle(callee->getName());
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
