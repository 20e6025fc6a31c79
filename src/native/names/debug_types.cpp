#include "native/names/debug_types.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace heddle::native {

using runtime::Type;

namespace {

using llvm::DICompositeType;
using llvm::DIDerivedType;
using llvm::DIScope;
using llvm::DIType;

constexpr std::size_t kLongName = 40;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view withoutArguments(std::string_view name) { return name.substr(0, name.find('<')); }

// In std, __gnu_cxx, or a namespace of theirs.
bool isStandard(const DIScope* scope) {
  for (; scope; scope = scope->getScope())
    if (const auto* space = llvm::dyn_cast<llvm::DINamespace>(scope))
      if (space->getName() == "std" || space->getName() == "__gnu_cxx") return true;
  return false;
}

// A record whose own members have no place in names: x, not x._M_i.
bool isWrapper(const DICompositeType& type) {
  const std::string_view name = withoutArguments(type.getName());
  if (name.starts_with("__atomic_")) return true;  // one of them is in no namespace
  if (!isStandard(type.getScope())) return false;
  return name.starts_with("atomic") || name.starts_with("__cxx_atomic") ||
         isOneOf(name, {"array", "_Sp_counted_ptr_inplace", "_Hash_node_value_base"}) ||
         (name == "_Impl" && type.getScope()->getName().starts_with("_Sp_counted_ptr_inplace"));
}

// A member of a library's class that only groups others: v._M_finish, not v._M_impl._M_finish.
bool isInnerPart(std::string_view member) { return isOneOf(member, {"_M_impl", "_M_t", "_M_h", "_M_dataplus", "_M_storage"}); }

// A record whose inside is the library's own business.
bool isOpaque(const DICompositeType& type, std::string_view typedefName) {
  if (isOneOf(typedefName,
              {"pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "sem_t", "mtx_t", "cnd_t"}))
    return true;
  return isStandard(type.getScope()) &&
         isOneOf(
             withoutArguments(type.getName()),
             {"mutex", "recursive_mutex", "timed_mutex", "recursive_timed_mutex", "shared_mutex", "shared_timed_mutex",
              "condition_variable", "condition_variable_any", "once_flag", "thread", "latch", "barrier", "counting_semaphore"});
}

bool isRecord(const DICompositeType& type) {
  return type.getTag() == llvm::dwarf::DW_TAG_structure_type || type.getTag() == llvm::dwarf::DW_TAG_class_type ||
         type.getTag() == llvm::dwarf::DW_TAG_union_type;
}

bool isMemberOf(const DIDerivedType& member) {
  return (member.getTag() == llvm::dwarf::DW_TAG_member || member.getTag() == llvm::dwarf::DW_TAG_inheritance) &&
         !member.isStaticMember() && !member.isVirtual();
}

Type scalar(const DIType& type) {
  Type result;
  result.name = type.getName().str();
  result.size = type.getSizeInBits() / 8;
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(&type)) {
    const unsigned encoding = basic->getEncoding();
    result.isBool = encoding == llvm::dwarf::DW_ATE_boolean;
    result.isFloat = encoding == llvm::dwarf::DW_ATE_float;
    result.isSigned = encoding == llvm::dwarf::DW_ATE_signed || encoding == llvm::dwarf::DW_ATE_signed_char;
    result.isChar = result.name == "char";  // signed char and unsigned char are small integers
  }
  return result;
}

}  // namespace

const DIType* unqualified(const DIType* type, std::string* name) {
  while (const auto* derived = llvm::dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
        if (name) *name = derived->getName().str();
        break;
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type: break;
      default: return type;
    }
    type = derived->getBaseType();
  }
  return type;
}

const DIType* pointerTarget(const DIType* type) {
  const auto* pointer = llvm::dyn_cast_or_null<DIDerivedType>(unqualified(type));
  if (!pointer) return nullptr;
  const unsigned tag = pointer->getTag();
  const bool points = tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_reference_type ||
                      tag == llvm::dwarf::DW_TAG_rvalue_reference_type;
  return points ? pointer->getBaseType() : nullptr;
}

const DIType* templateArgument(const DICompositeType& type, unsigned n) {
  const llvm::DITemplateParameterArray parameters = type.getTemplateParams();
  if (!parameters || n >= parameters.size()) return nullptr;
  const auto* parameter = llvm::dyn_cast<llvm::DITemplateTypeParameter>(parameters[n]);
  return parameter ? parameter->getType() : nullptr;
}

std::string shortened(const std::string& name) {
  const std::size_t open = name.find('<');
  if (name.size() <= kLongName || open == std::string::npos || name.starts_with("operator")) return name;
  return name.substr(0, open) + "<...>";
}

std::string scopePrefix(const DIScope* scope, bool namespaces) {
  if (!scope) return "";
  if (const auto* function = llvm::dyn_cast<llvm::DISubprogram>(scope)) {
    const DIScope* outer = function->getScope();
    const auto* type = llvm::dyn_cast_or_null<DICompositeType>(outer);
    if (type && type->getName().empty() && function->getName() == "operator()")
      return scopePrefix(type->getScope(), namespaces) + "lambda()::";
    return scopePrefix(outer, namespaces) + shortened(function->getName().str()) + "()::";
  }
  if (const auto* type = llvm::dyn_cast<DICompositeType>(scope)) {
    const std::string name = type->getName().empty() ? "" : shortened(type->getName().str()) + "::";
    return scopePrefix(type->getScope(), namespaces) + name;
  }
  if (const auto* space = llvm::dyn_cast<llvm::DINamespace>(scope)) {
    if (!namespaces || space->getExportSymbols()) return scopePrefix(space->getScope(), namespaces);
    const std::string name = space->getName().empty() ? "(anonymous namespace)" : space->getName().str();
    return scopePrefix(space->getScope(), namespaces) + name + "::";
  }
  return scopePrefix(scope->getScope(), namespaces);  // a block; a file or unit has no scope
}

DebugTypes::DebugTypes(const llvm::Module& module, runtime::ProgramInfo& info) : module_(module), info_(info) {
  if (info_.types.empty()) info_.types.emplace_back();
}

const llvm::DataLayout& DebugTypes::layout() const { return module_.getDataLayout(); }

const DIType* DebugTypes::definition(const DIType* type) {
  const auto* composite = llvm::dyn_cast_or_null<DICompositeType>(type);
  if (!composite || !composite->isForwardDecl()) return type;
  const auto key = [](const DICompositeType& of) {
    return of.getIdentifier().empty() ? of.getName().str() : of.getIdentifier().str();
  };
  if (!definitionsKnown_) {
    definitionsKnown_ = true;
    llvm::DebugInfoFinder finder;
    finder.processModule(module_);
    for (const DIType* found : finder.types())
      if (const auto* candidate = llvm::dyn_cast<DICompositeType>(found); candidate && !candidate->isForwardDecl())
        definitions_.emplace(key(*candidate), candidate);
  }
  const auto found = definitions_.find(key(*composite));
  return found == definitions_.end() ? type : found->second;
}

std::uint32_t DebugTypes::add(const DIType* type, Type value) {
  const auto index = static_cast<std::uint32_t>(info_.types.size());
  info_.types.push_back(std::move(value));
  if (type) types_[type] = index;
  return index;
}

std::uint32_t DebugTypes::type(const DIType* given) {
  std::string typedefName;
  const DIType* bare = definition(unqualified(given, &typedefName));
  if (!bare) return 0;
  if (const auto found = types_.find(bare); found != types_.end()) return found->second;
  if (const auto* compositeType = llvm::dyn_cast<DICompositeType>(bare)) return composite(*compositeType, typedefName);
  if (llvm::isa<llvm::DISubroutineType>(bare)) return 0;
  const auto* derived = llvm::dyn_cast<DIDerivedType>(bare);
  if (!derived || derived->getTag() == llvm::dwarf::DW_TAG_ptr_to_member_type) return add(bare, scalar(*bare));
  Type pointer;
  pointer.kind = Type::Kind::pointer;
  pointer.size = 8;
  const std::uint32_t index = add(bare, std::move(pointer));
  const std::uint32_t target = type(derived->getBaseType());
  info_.types[index].element = target;
  info_.types[index].name = (target ? info_.types[target].name : "void") + "*";
  return index;
}

std::uint32_t DebugTypes::composite(const DICompositeType& given, const std::string& typedefName) {
  if (given.getTag() == llvm::dwarf::DW_TAG_array_type) return array(given);
  if (isRecord(given)) return record(given, typedefName);
  Type enumeration = scalar(given);
  if (enumeration.name.empty()) enumeration.name = typedefName;
  if (const auto* base = llvm::dyn_cast_or_null<llvm::DIBasicType>(unqualified(given.getBaseType())))
    enumeration.isSigned = scalar(*base).isSigned;
  return add(&given, std::move(enumeration));
}

// int[2][3] is one type with two ranges in the debug info, and an array of arrays here.
std::uint32_t DebugTypes::array(const DICompositeType& given) {
  std::uint32_t element = type(given.getBaseType());
  const llvm::DINodeArray ranges = given.getElements();
  std::string suffix;
  for (unsigned i = ranges.size(); i-- > 0;) {
    const auto* range = llvm::dyn_cast<llvm::DISubrange>(ranges[i]);
    const auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    Type value;
    value.kind = Type::Kind::array;
    value.element = element;
    value.count = count && count->getSExtValue() > 0 ? count->getZExtValue() : 0;
    value.size = value.count * info_.types[element].size;
    suffix = fmt::format("[{}]", value.count) + suffix;
    value.name = info_.types[type(given.getBaseType())].name + suffix;
    element = add(i == 0 ? &given : nullptr, std::move(value));
  }
  return element;
}

// The name without namespaces, unless another record has it: then both get theirs in full.
std::string DebugTypes::uniqueName(const DICompositeType& given, std::uint32_t index, const std::string& typedefName) {
  const std::string own = !given.getName().empty() ? shortened(given.getName().str()) : typedefName;
  if (own.empty()) return given.getTag() == llvm::dwarf::DW_TAG_class_type ? "lambda" : "struct";
  const std::string brief = scopePrefix(given.getScope(), false) + own;
  const std::string full = scopePrefix(given.getScope(), true) + own;
  const auto [entry, isNew] = names_.try_emplace(brief, Named{index, full});
  if (isNew || entry->second.fullName == full) return brief;
  const std::uint32_t first = entry->second.type;
  if (info_.types[first].name == brief) {
    for (runtime::Variable& variable : info_.variables)  // heap types bear the type's name
      if (variable.type == first && variable.name == brief && variable.symbol.empty()) variable.name = entry->second.fullName;
    info_.types[first].name = entry->second.fullName;
  }
  return full;
}

std::uint32_t DebugTypes::record(const DICompositeType& given, const std::string& typedefName) {
  const std::uint64_t size = given.getSizeInBits() / 8;
  const std::string_view bareName = withoutArguments(given.getName());
  if (isStandard(given.getScope()) && size == 8 && bareName == "unique_ptr") {
    const std::uint32_t index = add(&given, Type{.kind = Type::Kind::pointer, .name = "", .size = 8, .members = {}});
    const std::uint32_t target = type(templateArgument(given, 0));
    info_.types[index].element = target;
    info_.types[index].name = fmt::format("unique_ptr<{}>", info_.types[target].name);
    return index;
  }
  Type value;
  value.kind = Type::Kind::record;
  value.size = size;
  const std::uint32_t index = add(&given, std::move(value));
  info_.types[index].name = uniqueName(given, index, typedefName);
  std::vector<Type::Member> parts;
  if (isStandard(given.getScope()) && (bareName == "__aligned_buffer" || bareName == "__aligned_membuf"))
    parts = {Type::Member{"", 0, type(templateArgument(given, 0)), true}};
  else if (!isOpaque(given, typedefName))
    parts = members(given);
  info_.types[index].members = std::move(parts);
  return index;
}

std::vector<Type::Member> DebugTypes::members(const DICompositeType& given) {
  std::vector<Type::Member> result;
  std::vector<const DIDerivedType*> run;  // bit fields without a gap between them
  const auto endRun = [&] {
    if (!run.empty()) result.push_back(bitFields(run));
    run.clear();
  };
  const bool wrapper = isWrapper(given);
  for (const llvm::DINode* element : given.getElements()) {
    const auto* member = llvm::dyn_cast_or_null<DIDerivedType>(element);
    if (!member || !isMemberOf(*member)) continue;
    if (member->isBitField()) {
      if (!run.empty() && run.back()->getOffsetInBits() + run.back()->getSizeInBits() != member->getOffsetInBits()) endRun();
      run.push_back(member);
      continue;
    }
    endRun();
    Type::Member entry;
    entry.name = member->getTag() == llvm::dwarf::DW_TAG_inheritance ? "" : member->getName().str();
    if (entry.name.starts_with("_vptr")) entry.name = "vptr";
    entry.offset = member->getOffsetInBits() / 8;
    entry.type = type(member->getBaseType());
    entry.transparent =
        entry.name.empty() || (wrapper && entry.name != "vptr") || (isStandard(given.getScope()) && isInnerPart(entry.name));
    result.push_back(std::move(entry));
  }
  endRun();
  return result;
}

Type::Member DebugTypes::bitFields(const std::vector<const DIDerivedType*>& run) {
  Type::Member member;
  for (const DIDerivedType* field : run) member.name += (member.name.empty() ? "" : ", ") + field->getName().str();
  if (run.size() > 1) member.name = "{" + member.name + "}";
  const std::uint64_t begin = run.front()->getOffsetInBits() / 8;
  const std::uint64_t end = (run.back()->getOffsetInBits() + run.back()->getSizeInBits() + 7) / 8;
  Type bits;
  bits.name = "bit fields";
  bits.size = end - begin;
  member.offset = begin;
  member.type = add(nullptr, std::move(bits));
  return member;
}

}  // namespace heddle::native
