#include "native/names/debug_names.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace heddle::native {
namespace {

using llvm::DICompositeType;
using llvm::DIType;

constexpr std::size_t kLongLiteral = 24;
constexpr unsigned kDeepest = 8;  // steps back from a pointer to what it was computed from

// ---- Which variable of the source something is

const llvm::DIGlobalVariable* debugVariable(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  variable.getDebugInfo(expressions);
  return expressions.empty() ? nullptr : expressions.front()->getVariable();
}

struct DeclaredLocal {
  const llvm::DILocalVariable* variable = nullptr;
  bool whole = true;  // the memory is all of the variable, and not a part of it or a pointer to it
};

DeclaredLocal declaredLocal(const llvm::Value& memory) {
  auto& value = const_cast<llvm::Value&>(memory);  // the search changes nothing
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&value))
    return {record->getVariable(), record->getExpression()->getNumElements() == 0};
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(&value))
    return {declare->getVariable(), declare->getExpression()->getNumElements() == 0};
  return {};
}

// The variable that a value in a register is the value of.
const llvm::DILocalVariable* heldBy(const llvm::Value& held) {
  llvm::SmallVector<llvm::DbgValueInst*, 2> values;
  llvm::SmallVector<llvm::DbgVariableRecord*, 2> records;
  llvm::findDbgValues(values, const_cast<llvm::Value*>(&held), &records);
  for (const llvm::DbgVariableRecord* record : records)
    if (!record->hasArgList() && record->getExpression()->getNumElements() == 0) return record->getVariable();
  for (const llvm::DbgValueInst* value : values)
    if (!value->hasArgList() && value->getExpression()->getNumElements() == 0) return value->getVariable();
  return nullptr;
}

std::string literalText(llvm::StringRef text) {
  std::string result = "\"";
  for (const char c : text.take_front(kLongLiteral)) {
    if (c == '\n')
      result += "\\n";
    else if (c == '"' || c == '\\')
      result += {'\\', c};
    else
      result += c >= ' ' && c <= '~' ? c : '?';
  }
  return result + (text.size() > kLongLiteral ? "...\"" : "\"");
}

// A symbol in words. Private ones of library models have the model's name in front, and linking may number equal ones.
std::string readable(llvm::StringRef symbol) {
  if (const std::size_t mangled = symbol.find("._Z"); mangled != llvm::StringRef::npos) symbol = symbol.substr(mangled + 1);
  if (const auto [name, number] = symbol.rsplit('.'); !number.empty() && llvm::all_of(number, llvm::isDigit)) symbol = name;
  return llvm::demangle(symbol.str());
}

// A global that no line of the source declares: a literal, or something that the compiler needs.
std::string compilerName(const llvm::GlobalVariable& variable) {
  if (variable.hasInitializer() && variable.isConstant())
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(variable.getInitializer()))
      if (data->isCString()) return literalText(data->getAsCString());
  llvm::StringRef name = variable.getName();
  if (name.consume_front("__const.")) return "the initial value of " + name.str();
  return name.empty() ? "a constant" : readable(name.ltrim("\1"));
}

// ---- What type of memory a pointer points to, as far as the code shows it

// The part of a type at an offset that a pointer in memory can be: members and elements down to a scalar.
const DIType* partAt(const DIType* type, std::uint64_t offset) {
  const auto* composite = llvm::dyn_cast_or_null<DICompositeType>(unqualified(type));
  if (!composite) return offset == 0 ? type : nullptr;
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const DIType* element = composite->getBaseType();
    const std::uint64_t size = element ? element->getSizeInBits() / 8 : 0;
    return size ? partAt(element, offset % size) : nullptr;
  }
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (!member || member->isStaticMember() || !member->getBaseType()) continue;
    const std::uint64_t begin = member->getOffsetInBits() / 8;
    const std::uint64_t size = unqualified(member->getBaseType())->getSizeInBits() / 8;
    if (offset >= begin && offset < begin + size) return partAt(member->getBaseType(), offset - begin);
  }
  return nullptr;
}

const DIType* pointee(const llvm::Value& pointer, const llvm::DataLayout& layout, unsigned depth = 0);

const DIType* resultType(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType()) return nullptr;
  const llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
  return types.size() ? types[0] : nullptr;
}

// The type of what a value in a register is.
const DIType* typeOf(const llvm::Value& value, const llvm::DataLayout& layout, unsigned depth) {
  if (const llvm::DILocalVariable* variable = heldBy(value)) return variable->getType();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value)) {
    const llvm::Function* callee = call->getCalledFunction();
    return callee ? resultType(*callee) : nullptr;
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load ? partAt(pointee(*load->getPointerOperand(), layout, depth + 1), 0) : nullptr;
}

const DIType* pointee(const llvm::Value& pointer, const llvm::DataLayout& layout, unsigned depth) {
  if (depth > kDeepest) return nullptr;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&pointer)) {
    const llvm::DIGlobalVariable* variable = debugVariable(*global);
    return variable ? variable->getType() : nullptr;
  }
  if (llvm::isa<llvm::AllocaInst>(pointer)) {
    const DeclaredLocal local = declaredLocal(pointer);
    return local.variable && local.whole ? local.variable->getType() : nullptr;
  }
  if (const auto* part = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) {
    const DIType* whole = pointee(*part->getPointerOperand(), layout, depth + 1);
    llvm::APInt offset(layout.getIndexTypeSizeInBits(part->getType()), 0);
    llvm::MapVector<llvm::Value*, llvm::APInt> indices;  // each a multiple of an element's size: it stays in the array
    if (!part->collectOffset(layout, offset.getBitWidth(), indices, offset) || offset.isNegative()) return nullptr;
    return partAt(whole, offset.getZExtValue());
  }
  return pointerTarget(typeOf(pointer, layout, depth));
}

const DIType* parameterType(const llvm::CallBase& call, unsigned argument) {
  const llvm::Function* callee = call.getCalledFunction();
  const llvm::DISubprogram* subprogram = callee ? callee->getSubprogram() : nullptr;
  if (!subprogram || !subprogram->getType()) return nullptr;
  const llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
  // A structure result or argument that is passed in another way shifts the positions.
  return types.size() == call.arg_size() + 1 ? types[argument + 1] : nullptr;
}

// The type of the memory behind a pointer that a call returned, by where the pointer goes.
const DIType* usedAs(const llvm::CallBase& pointer) {
  if (const llvm::DILocalVariable* variable = heldBy(pointer))
    if (const DIType* target = pointerTarget(variable->getType())) return target;
  for (const llvm::Use& use : pointer.uses()) {
    const llvm::User* user = use.getUser();
    const DIType* type = nullptr;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &pointer)
      type = partAt(pointee(*store->getPointerOperand(), pointer.getModule()->getDataLayout()), 0);
    else if (const auto* result = llvm::dyn_cast<llvm::ReturnInst>(user))
      type = resultType(*result->getFunction());
    else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->isArgOperand(&use))
      type = parameterType(*call, call->getArgOperandNo(&use));
    if (const DIType* target = pointerTarget(type)) return target;
  }
  return nullptr;
}

// std::allocator<T>::allocate and its like.
const DIType* allocatedByAllocator(const llvm::CallBase& call) {
  const llvm::DILocation* location = call.getDebugLoc();
  const llvm::DISubprogram* function = location ? location->getScope()->getSubprogram() : nullptr;
  const auto* type = function ? llvm::dyn_cast_or_null<DICompositeType>(function->getScope()) : nullptr;
  if (!type) return nullptr;
  const llvm::StringRef name = type->getName();
  const bool allocator =
      name.starts_with("__new_allocator<") || name.starts_with("new_allocator<") || name.starts_with("allocator<");
  return allocator ? templateArgument(*type, 0) : nullptr;
}

// What the library allocates to hold an object that it was asked for: by make_shared, or in a container.
bool isHolder(const DICompositeType& record) {
  const llvm::StringRef name = record.getName();
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"_Sp_counted_ptr_inplace<", "_List_node<", "_Rb_tree_node<",
                                                      "_Hash_node<", "_Fwd_list_node<"},
                      [&](llvm::StringRef holder) { return name.starts_with(holder); }) &&
         templateArgument(record, 0) != nullptr;
}

}  // namespace

DebugNames::DebugNames(const llvm::Module& module, runtime::ProgramInfo& info) : info_(info), types_(module, info) {
  if (info_.variables.empty()) info_.variables.emplace_back();
}

std::uint32_t DebugNames::add(runtime::Variable variable) {
  info_.variables.push_back(std::move(variable));
  return static_cast<std::uint32_t>(info_.variables.size() - 1);
}

std::uint32_t DebugNames::type(const DIType* type) { return types_.type(type); }

// A short name that two globals would have is that of neither: they get their namespaces, or else their files.
void DebugNames::makeUnique(std::uint32_t index, const std::string& fullName, const std::string& file) {
  const std::string name = info_.variables[index].name;
  const auto [entry, isNew] = names_.try_emplace(name, Named{index, fullName, file});
  if (isNew) return;
  Named& first = entry->second;
  const bool byFile = first.fullName == fullName;
  const auto distinct = [&](const std::string& full, const std::string& from) {
    return byFile ? fmt::format("{} ({})", full, from) : full;
  };
  if (info_.variables[first.variable].name == name) info_.variables[first.variable].name = distinct(first.fullName, first.file);
  info_.variables[index].name = distinct(fullName, file);
}

std::uint32_t DebugNames::global(const llvm::GlobalVariable& variable) {
  if (const auto found = globals_.find(&variable); found != globals_.end()) return found->second;
  const llvm::DIGlobalVariable* debug = debugVariable(variable);
  runtime::Variable entry;
  if (debug) entry.type = types_.type(debug->getType());
  if (!debug || debug->getName().empty()) {
    entry.name = compilerName(variable);
    return globals_[&variable] = add(std::move(entry));
  }
  const llvm::DIDerivedType* member = debug->getStaticDataMemberDeclaration();
  const llvm::DIScope* scope = member ? member->getScope() : debug->getScope();
  entry.name = scopePrefix(scope, false) + debug->getName().str();
  const std::uint32_t index = add(std::move(entry));
  globals_[&variable] = index;
  makeUnique(index, scopePrefix(scope, true) + debug->getName().str(), debug->getFilename().str());
  return index;
}

void DebugNames::replaced(const llvm::GlobalVariable& old, const llvm::GlobalVariable& next) {
  const auto found = globals_.find(&old);
  if (found == globals_.end()) return;
  globals_[&next] = found->second;
  globals_.erase(&old);
}

bool DebugNames::isOfOutermostBlock(const llvm::AllocaInst& variable) {
  const llvm::DILocalVariable* declared = declaredLocal(variable).variable;
  return declared && declared->getScope() == variable.getFunction()->getSubprogram();
}

std::uint32_t DebugNames::local(const llvm::AllocaInst& variable) {
  const DeclaredLocal local = declaredLocal(variable);
  const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
  runtime::Variable entry;
  if (const auto size = variable.getAllocationSize(layout); size && size->isFixed()) entry.size = size->getFixedValue();
  if (local.variable) {
    if (const auto found = locals_.find(local.variable); found != locals_.end()) return found->second;
    entry.name = scopePrefix(local.variable->getScope(), false) + local.variable->getName().str();
    if (local.whole) entry.type = types_.type(local.variable->getType());
    return locals_[local.variable] = add(std::move(entry));
  }
  const llvm::Function& function = *variable.getFunction();
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  entry.name = (subprogram ? scopePrefix(subprogram, false) : readable(function.getName()) + "::") + "(a temporary)";
  const std::string key = fmt::format("{} {}", entry.name, entry.size);
  if (const auto found = temporaries_.find(key); found != temporaries_.end()) return found->second;
  return temporaries_[key] = add(std::move(entry));
}

std::uint32_t DebugNames::heapType(const llvm::CallBase& call) {
  const DIType* allocated = llvm::dyn_cast_or_null<DIType>(call.getMetadata("heapallocsite"));
  if (!allocated) allocated = allocatedByAllocator(call);
  if (!allocated) allocated = usedAs(call);
  const std::uint32_t index = allocated ? types_.type(allocated) : 0;
  if (index == 0) return 0;
  if (const auto found = heapTypes_.find(index); found != heapTypes_.end()) return found->second;
  runtime::Variable entry;
  entry.name = info_.types[index].name;
  const auto* record = llvm::dyn_cast<DICompositeType>(unqualified(allocated));
  if (record && isHolder(*record)) entry.name = info_.types[types_.type(templateArgument(*record, 0))].name;
  entry.type = index;
  entry.size = info_.types[index].size;
  return heapTypes_[index] = add(std::move(entry));
}

// "struct.space::Node", perhaps with a number behind it.
std::uint32_t DebugNames::recordNamed(const llvm::StructType& type) const {
  if (!type.hasName()) return 0;
  llvm::StringRef name = type.getName();
  name = name.substr(name.find('.') + 1);
  if (const auto [brief, number] = name.rsplit('.'); !number.empty() && llvm::all_of(number, llvm::isDigit)) name = brief;
  const std::uint64_t size = types_.layout().getTypeAllocSize(const_cast<llvm::StructType*>(&type));
  for (std::uint32_t i = 1; i < info_.types.size(); ++i) {
    const runtime::Type& candidate = info_.types[i];
    const bool same = name.ends_with(candidate.name) &&
                      (name.size() == candidate.name.size() || name.drop_back(candidate.name.size()).ends_with("::"));
    if (candidate.kind == runtime::Type::Kind::record && candidate.size == size && !candidate.name.empty() && same) return i;
  }
  return 0;
}

runtime::Source::Member DebugNames::member(const llvm::Value& address, bool byName) {
  const llvm::DataLayout& layout = types_.layout();
  const llvm::Value* base = &address;
  const llvm::Type* record = nullptr;
  std::uint64_t offset = 0;
  while (const auto* part = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    llvm::APInt step(layout.getIndexTypeSizeInBits(part->getType()), 0);
    if (!part->accumulateConstantOffset(layout, step) || step.isNegative()) break;
    offset += step.getZExtValue();
    record = part->getSourceElementType();
    base = part->getPointerOperand();
  }
  if (llvm::isa<llvm::GlobalVariable>(base) || llvm::isa<llvm::AllocaInst>(base)) return {};  // it has a name
  const DIType* const object = unqualified(pointee(*base, layout));
  const auto* composite = llvm::dyn_cast_or_null<DICompositeType>(object);
  std::uint32_t type = composite && composite->getTag() != llvm::dwarf::DW_TAG_array_type ? types_.type(object) : 0;
  if (record && record->isStructTy()) {
    if (std::uint32_t& known = records_[record]; type != 0) {
      known = type;
    } else {
      if (known == 0 && byName) known = recordNamed(*llvm::cast<llvm::StructType>(record));
      type = known;
    }
  }
  if (type == 0 || info_.types[type].kind != runtime::Type::Kind::record || offset >= info_.types[type].size) return {};
  return {.object = type, .offset = static_cast<std::uint32_t>(offset), .size = 0};
}

}  // namespace heddle::native
