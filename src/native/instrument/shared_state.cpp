#include "native/instrument/shared_state.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <type_traits>

#include "runtime/hooks.h"
#include "runtime/symbols.h"

namespace heddle::native {
namespace {

// The type in LLVM of what a hook is given or returns. Two words come back in registers (runtime/arch/processor.h).
template <typename Type>
llvm::Type* typeOf(llvm::LLVMContext& context) {
  if constexpr (std::is_void_v<Type>) {
    return llvm::Type::getVoidTy(context);
  } else if constexpr (std::is_pointer_v<Type>) {
    return llvm::PointerType::get(context, 0);
  } else if constexpr (std::is_integral_v<Type>) {
    return llvm::Type::getIntNTy(context, 8 * sizeof(Type));
  } else {
    static_assert(std::is_same_v<Type, runtime::CasResult>);
    return llvm::StructType::get(typeOf<decltype(runtime::CasResult::old)>(context),
                                 typeOf<decltype(runtime::CasResult::success)>(context));
  }
}

template <typename Result, typename... Parameters>
llvm::FunctionCallee declare(llvm::Module& module, const char* name, Result (*)(Parameters...), bool returns, unsigned traits) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(typeOf<Result>(context), {typeOf<Parameters>(context)...}, false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (!returns) function->addFnAttr(llvm::Attribute::NoReturn);
  if ((traits & runtime::kColdHook) != 0) function->addFnAttr(llvm::Attribute::Cold);
  return callee;
}

template <typename Type>
llvm::GlobalVariable* declareVariable(llvm::Module& module, const char* name, const Type&) {
  return llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, typeOf<Type>(module.getContext())));
}

}  // namespace

Hooks::Hooks(llvm::Module& module) {
  constexpr unsigned COLD = runtime::kColdHook, SILENT = runtime::kSilentHook, QUICK = runtime::kQuickHook;
  constexpr bool RETURNS = true, NORETURN = false;
#define HOOK(how, member, result, name, parameters, traits) member = declare(module, #name, &name, how, traits);
#include "abi/hooks.def"
  epoch = declareVariable(module, "heddle_epoch", heddle_epoch);
  callSource = declareVariable(module, "heddle_call_source", heddle_call_source);
  heapType = declareVariable(module, "heddle_heap_type", heddle_heap_type);
}

Instrumentation::Instrumentation(llvm::Module& m, const BuildOptions& o, runtime::ProgramInfo& i, DebugNames& n)
    : module(m), options(o), info(i), names(n), sources(m, i), hooks(m) {
  for (const std::uint32_t index : info.globals) {
    const runtime::Variable& variable = info.variables[index];
    if (const llvm::GlobalVariable* global = module.getGlobalVariable(variable.symbol, true)) {
      objects[global] = {variable.size, index, variable.constant, nullptr};
    }
  }
  if (!options.races) {  // what plain accesses may be
    const Order order = options.racesJudged ? Order::plain : Order::relaxed;
    noteOperation(Operation::load(0, 4, order));
    noteOperation(Operation::store(0, 4, order, 0));
  }
}

void Instrumentation::noteOperation(const Operation& operation) {
  for (const Operation& known : info.operations) {
    if (known.kind == operation.kind && known.rmw == operation.rmw && known.order == operation.order &&
        known.failureOrder == operation.failureOrder && known.size == operation.size &&
        known.mayFailSpuriously == operation.mayFailSpuriously) {
      return;
    }
  }
  info.operations.push_back(operation);
}

llvm::Constant* Instrumentation::text(const std::string& text) {
  if (text.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), 0));
  llvm::Constant*& known = texts_[text];
  if (!known) {
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(module.getContext(), text);
    known = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, "heddle.text");
  }
  return known;
}

llvm::Value* Instrumentation::where(llvm::IRBuilder<>& builder, std::uint32_t source) {
  if (!sources.isLibrary(source)) return builder.getInt32(source);
  return builder.CreateLoad(builder.getInt32Ty(), hooks.callSource);
}

void Instrumentation::fail(llvm::IRBuilder<>& builder, runtime::ErrorKind kind, const std::string& message,
                           std::uint32_t source) {
  llvm::CallInst* call = builder.CreateCall(
      hooks.fail, {builder.getInt32(static_cast<std::uint32_t>(kind)), text(message), builder.getInt32(source)});
  call->setDoesNotReturn();
}

llvm::Instruction* Instrumentation::unlikely(llvm::IRBuilder<>& builder, llvm::Value* condition, bool leaves) {
  llvm::Instruction* place = &*builder.GetInsertPoint();
  const llvm::DebugLoc location = builder.getCurrentDebugLocation();
  llvm::MDNode* weights = llvm::MDBuilder(module.getContext()).createBranchWeights(1, 1u << 20);
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(condition, place->getIterator(), leaves, weights);
  end->setDebugLoc(location);
  builder.SetInsertPoint(place);
  builder.SetCurrentDebugLocation(location);
  return end;
}

void Instrumentation::failIf(llvm::IRBuilder<>& builder, llvm::Value* condition, runtime::ErrorKind kind,
                             const std::string& message, std::uint32_t source) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition); known && known->isZero()) return;
  llvm::Instruction* end = unlikely(builder, condition, true);
  llvm::IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
  fail(inside, kind, message, source);
}

void Instrumentation::stopInsteadOf(llvm::CallBase& call, const std::string& message) {
  llvm::IRBuilder<> builder(&call);
  fail(builder, runtime::ErrorKind::unsupported, message, sources.of(call));
  if (call.isTerminator()) {
    llvm::changeToUnreachable(&call);
    return;
  }
  call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
  call.eraseFromParent();
}

bool isRuntimeVariable(const llvm::Value* address) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(address);
  return global && global->isDeclaration() && global->getName().starts_with("heddle_");
}

}  // namespace heddle::native
