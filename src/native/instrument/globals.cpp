#include "native/instrument/globals.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <algorithm>
#include <vector>

#include "native/compile/link.h"
#include "native/names/debug_names.h"
#include "native/pipeline.h"

namespace heddle::native {
namespace {

constexpr const char* kTlsImage = "heddle_tls_image";
constexpr const char* kDestructors = "heddle_destructors";
constexpr const char* kDestructorTable = "llvm.global_dtors";
constexpr const char* kAtExit = "__cxa_atexit";

std::uint64_t sizeOf(const llvm::GlobalVariable& variable) {
  return variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
}

llvm::Align alignmentOf(const llvm::GlobalVariable& variable) {
  return variable.getAlign().value_or(variable.getParent()->getDataLayout().getPreferredAlign(&variable));
}

// A new global, with this symbol or, if there is one already, a similar one.
llvm::GlobalVariable& define(llvm::Module& module, const std::string& symbol, llvm::Constant* value, bool constant,
                             llvm::Align alignment) {
  auto& variable = *llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal("", value->getType()));
  variable.setName(symbol);
  variable.setInitializer(value);
  variable.setConstant(constant);
  variable.setVisibility(llvm::GlobalValue::HiddenVisibility);
  variable.setAlignment(alignment);
  return variable;
}

// ---- Cleaning up: afterwards a global is a definition of the program's own, or a declaration.

void eraseGlobal(llvm::Module& module, const char* name) {
  if (llvm::GlobalVariable* variable = module.getGlobalVariable(name)) variable->eraseFromParent();
}

void resolveAliases(llvm::Module& module) {
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
  for (const llvm::GlobalIFunc& function : module.ifuncs())
    throw InputError(
        fmt::format("error: {} is an ifunc, which heddle does not support", llvm::demangle(function.getName().str())));
}

// All that there is has been linked: a weak reference without a definition stays null.
void resolveWeakReferences(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> references;
  for (llvm::GlobalValue& value : module.global_values())
    if (value.hasExternalWeakLinkage()) references.push_back(&value);
  for (llvm::GlobalValue* reference : references) {
    reference->replaceAllUsesWith(llvm::Constant::getNullValue(reference->getType()));
    reference->eraseFromParent();
  }
}

void dropForeignDefinitions(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasAvailableExternallyLinkage()) {
      variable.setInitializer(nullptr);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
}

void eraseUnused(llvm::Module& module) {
  for (bool again = true; again;) {
    again = false;
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (!variable.use_empty() || variable.getName().starts_with("llvm.")) continue;
      variable.eraseFromParent();
      again = true;
    }
  }
}

// ---- thread_locals

std::vector<llvm::GlobalVariable*> threadLocals(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> found;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.isThreadLocal()) continue;
    if (variable.isDeclaration())
      throw InputError(fmt::format("error: the thread_local variable {} is declared but not defined",
                                   llvm::demangle(variable.getName().str())));
    found.push_back(&variable);
  }
  return found;
}

// Where in the block each variable is, and the constant that the block starts as.
struct TlsBlock {
  std::vector<std::uint64_t> offsets;
  llvm::Constant* image = nullptr;
  std::uint64_t size = 0;
  llvm::Align alignment{8};
};

llvm::Constant* zeros(llvm::LLVMContext& context, std::uint64_t count) {
  return llvm::ConstantAggregateZero::get(llvm::ArrayType::get(llvm::Type::getInt8Ty(context), count));
}

TlsBlock layOut(const std::vector<llvm::GlobalVariable*>& variables, llvm::LLVMContext& context) {
  TlsBlock block;
  std::vector<llvm::Constant*> parts;
  for (const llvm::GlobalVariable* variable : variables) {
    const llvm::Align alignment = alignmentOf(*variable);
    const std::uint64_t offset = llvm::alignTo(block.size, alignment);
    if (offset != block.size) parts.push_back(zeros(context, offset - block.size));
    parts.push_back(const_cast<llvm::Constant*>(variable->getInitializer()));
    block.offsets.push_back(offset);
    block.size = offset + sizeOf(*variable);
    block.alignment = std::max(block.alignment, alignment);
  }
  block.image = llvm::ConstantStruct::getAnon(context, parts, /*Packed=*/true);
  return block;
}

llvm::Value* tlsAddress(llvm::Instruction& before, llvm::GlobalVariable& base, std::uint64_t offset) {
  llvm::IRBuilder<> builder(&before);
  llvm::LoadInst* load = builder.CreateLoad(builder.getPtrTy(), &base);
  load->setMetadata(kOwnAccess, llvm::MDNode::get(builder.getContext(), {}));
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load, offset);
}

void rewriteUse(llvm::Use& use, llvm::GlobalVariable& base, std::uint64_t offset) {
  auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
      intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) {
    intrinsic->replaceAllUsesWith(tlsAddress(user, base, offset));
    intrinsic->eraseFromParent();
  } else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&user)) {
    llvm::BasicBlock* from = phi->getIncomingBlock(use);
    phi->setIncomingValueForBlock(from, tlsAddress(*from->getTerminator(), base, offset));
  } else {
    use.set(tlsAddress(user, base, offset));
  }
}

// Does the program itself use the address for more than loads and stores?
bool escapes(const llvm::Value& address) {
  return llvm::any_of(address.uses(), [](const llvm::Use& use) {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) return true;
    if (user->getFunction()->hasFnAttribute(kLibraryAttribute) || llvm::isa<llvm::LoadInst>(user)) return false;
    if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex();
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    const bool follows =
        llvm::isa<llvm::GetElementPtrInst>(user) || (call && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address);
    return !follows || escapes(*user);
  });
}

void rewriteUses(llvm::GlobalVariable& variable, llvm::GlobalVariable& base, std::uint64_t offset) {
  while (!variable.use_empty()) {
    if (!llvm::isa<llvm::Instruction>(variable.use_begin()->getUser()))
      throw InputError(fmt::format("error: the address of the thread_local variable {} is used as a constant",
                                   llvm::demangle(variable.getName().str())));
    rewriteUse(*variable.use_begin(), base, offset);
  }
}

void lowerThreadLocals(llvm::Module& module, runtime::ProgramInfo& info, DebugNames& names) {
  const std::vector<llvm::GlobalVariable*> variables = threadLocals(module);
  if (variables.empty()) return;
  llvm::LLVMContext& context = module.getContext();
  const TlsBlock block = layOut(variables, context);
  define(module, kTlsImage, block.image, /*constant=*/true, block.alignment);
  auto& base = *llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal("heddle_tls", llvm::Type::getInt64Ty(context)));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::uint32_t index = names.global(*variables[i]);
    runtime::Variable& entry = info.variables[index];
    entry.size = sizeOf(*variables[i]);
    entry.offset = block.offsets[i];
    entry.threadLocal = true;
    info.threadLocals.push_back(index);
    llvm::convertUsersOfConstantsToInstructions({variables[i]});
    info.tlsEscapes |= escapes(*variables[i]);
    rewriteUses(*variables[i], base, block.offsets[i]);
  }
  for (llvm::GlobalVariable* variable : variables) variable->eraseFromParent();
  info.tlsImageSymbol = kTlsImage;
  info.tlsSize = block.size;
  info.tlsAlignment = block.alignment.value();
}

// ---- Constructors and the start

// The functions of llvm.global_ctors or llvm.global_dtors, in ascending order of priority.
std::vector<llvm::Function*> takeStructors(llvm::Module& module, const char* table) {
  llvm::GlobalVariable* variable = module.getGlobalVariable(table);
  if (!variable) return {};
  std::vector<std::pair<std::uint64_t, llvm::Function*>> entries;
  if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(variable->getInitializer()))
    for (const llvm::Use& element : array->operands()) {
      const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(element);
      auto* function = entry ? llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts()) : nullptr;
      if (function) entries.emplace_back(llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), function);
    }
  variable->eraseFromParent();
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<llvm::Function*> functions;
  for (const auto& [priority, function] : entries) functions.push_back(function);
  return functions;
}

llvm::Function* callAll(llvm::Module& module, const char* name, const std::vector<llvm::Function*>& functions) {
  llvm::LLVMContext& context = module.getContext();
  auto* all = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                     llvm::GlobalValue::InternalLinkage, name, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", all));
  for (llvm::Function* function : functions) builder.CreateCall(function);
  builder.CreateRetVoid();
  return all;
}

llvm::FunctionCallee exitFunction(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  const char* name = kExit;
  for (const char* other : {kBareExit, kSimpleExit})
    if (module.getFunction(other)) name = other;
  return module.getOrInsertFunction(name, llvm::Type::getVoidTy(context), llvm::Type::getInt32Ty(context));
}

llvm::FunctionCallee atexitFunction(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  return module.getOrInsertFunction(kAtExit, llvm::Type::getInt32Ty(context), pointer, pointer, pointer);
}

// main with as many of argc, argv and envp as it takes; its result as an int.
llvm::Value* callMain(llvm::Function& main, llvm::Function& start, llvm::IRBuilder<>& builder) {
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& parameter : main.args()) {
    const unsigned index = parameter.getArgNo();
    llvm::Value* argument = index < 3 ? start.getArg(index) : nullptr;
    if (argument && argument->getType() != parameter.getType() && parameter.getType()->isIntegerTy())
      argument = builder.CreateSExtOrTrunc(argument, parameter.getType());
    if (!argument || argument->getType() != parameter.getType())
      throw InputError("error: main must take nothing, (int, char**), or (int, char**, char**)");
    arguments.push_back(argument);
  }
  llvm::CallInst* result = builder.CreateCall(&main, arguments);
  if (!result->getType()->isIntegerTy()) return builder.getInt32(0);
  return builder.CreateSExtOrTrunc(result, builder.getInt32Ty());
}

void emitStart(llvm::Module& module, bool crashes) {
  llvm::Function* main = module.getFunction("main");
  if (!main || main->isDeclaration()) throw InputError("error: the program has no function main");
  const std::vector<llvm::Function*> structors = takeStructors(module, "llvm.global_ctors");
  llvm::Function* constructors = callAll(module, kConstructorsSymbol, structors);
  if (crashes && !structors.empty()) constructors->setLinkage(llvm::GlobalValue::ExternalLinkage);
  std::vector<llvm::Function*> destructors = takeStructors(module, kDestructorTable);
  std::reverse(destructors.begin(), destructors.end());

  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  auto* start = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::Type::getInt32Ty(context), pointer, pointer}, false),
      llvm::GlobalValue::ExternalLinkage, kStartSymbol, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", start));
  if (!destructors.empty()) {  // registered before everything else, so that they run last
    llvm::Value* null = llvm::Constant::getNullValue(pointer);
    builder.CreateCall(atexitFunction(module), {callAll(module, kDestructors, destructors), null, null});
  }
  builder.CreateCall(constructors);
  builder.CreateCall(exitFunction(module), callMain(*main, *start, builder));
  builder.CreateUnreachable();
}

// ---- Redzones

// As for the heap: what is longer is overrun by more.
std::uint64_t redzoneOf(std::uint64_t size) {
  const std::uint64_t redzone = std::clamp<std::uint64_t>(size / 4, 16, 256);
  return llvm::alignTo(size + redzone, 16) - size;
}

// A symbol that the assembler keeps and the linker can find.
std::string symbolFor(const llvm::GlobalVariable& variable) {
  const llvm::StringRef name = variable.getName();
  return name.empty() || name.starts_with("\1") || name.starts_with(".") ? "heddle.global" + name.ltrim("\1").str()
                                                                         : name.str();
}

void addRedzone(llvm::GlobalVariable& variable, runtime::ProgramInfo& info, DebugNames& names) {
  llvm::Module& module = *variable.getParent();
  const std::uint64_t size = sizeOf(variable);
  const std::uint32_t index = names.global(variable);
  info.variables[index].persistent = variable.getSection() == kPersistentSection;
  llvm::Constant* padded = llvm::ConstantStruct::getAnon(
      module.getContext(), {variable.getInitializer(), zeros(module.getContext(), redzoneOf(size))});
  const std::string symbol = symbolFor(variable);
  variable.setName("");
  llvm::GlobalVariable& next =
      define(module, symbol, padded, variable.isConstant(), std::max(llvm::Align(8), alignmentOf(variable)));
  next.copyMetadata(&variable, 0);
  variable.replaceAllUsesWith(&next);
  names.replaced(variable, next);
  variable.eraseFromParent();

  runtime::Variable& entry = info.variables[index];
  entry.symbol = next.getName().str();
  entry.size = size;
  entry.constant = next.isConstant();
  info.globals.push_back(index);
}

void addRedzones(llvm::Module& module, runtime::ProgramInfo& info, DebugNames& names) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration() && !variable.getName().starts_with("llvm.") && variable.getName() != kTlsImage)
      variables.push_back(&variable);
  for (llvm::GlobalVariable* variable : variables) addRedzone(*variable, info, names);
}

void defineDsoHandle(llvm::Module& module) {
  llvm::GlobalVariable* handle = module.getGlobalVariable("__dso_handle");
  if (handle && handle->isDeclaration()) handle->setInitializer(llvm::Constant::getNullValue(handle->getValueType()));
}

}  // namespace

void declareStart(llvm::Module& module) {
  exitFunction(module);
  if (module.getGlobalVariable(kDestructorTable)) atexitFunction(module);
}

bool isCalledAtStart(const llvm::GlobalValue& function) {
  const llvm::StringRef name = function.getName();
  return name == kExit || name == kSimpleExit || name == kBareExit ||
         (name == kAtExit && function.getParent()->getGlobalVariable(kDestructorTable));
}

void lowerGlobals(llvm::Module& module, runtime::ProgramInfo& info, DebugNames& names, bool crashes) {
  for (const char* name : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"}) eraseGlobal(module, name);
  resolveAliases(module);
  resolveWeakReferences(module);
  dropForeignDefinitions(module);
  emitStart(module, crashes);
  eraseUnused(module);
  defineDsoHandle(module);
  lowerThreadLocals(module, info, names);
  addRedzones(module, info, names);
}

}  // namespace heddle::native
