#include "native/instrument/shared_state.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace heddle::native {
namespace {

llvm::FunctionCallee declare(llvm::Module& module, const char* name, llvm::Type* result,
                             std::initializer_list<llvm::Type*> parameters, bool noReturn = false, bool cold = false) {
  auto* type = llvm::FunctionType::get(result, llvm::ArrayRef(parameters.begin(), parameters.size()), false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (noReturn) function->addFnAttr(llvm::Attribute::NoReturn);
  if (noReturn || cold) function->addFnAttr(llvm::Attribute::Cold);
  return callee;
}

llvm::GlobalVariable* declareVariable(llvm::Module& module, const char* name, llvm::Type* type) {
  return llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, type));
}

}  // namespace

Hooks::Hooks(llvm::Module& m) {
  llvm::LLVMContext& context = m.getContext();
  auto* nothing = llvm::Type::getVoidTy(context);
  auto* ptr = llvm::PointerType::get(context, 0);
  auto* i32 = llvm::Type::getInt32Ty(context);
  auto* i64 = llvm::Type::getInt64Ty(context);
  auto* cas = llvm::StructType::get(i64, i64);
  plainRead = declare(m, "heddle_plain_read", nothing, {ptr, i64, i32}, false, true);
  plainWrite = declare(m, "heddle_plain_write", nothing, {ptr, i64, i32, i64}, false, true);
  plainUpdate = declare(m, "heddle_plain_update", nothing, {ptr, i64, i32, i64}, false, true);
  plainPeek = declare(m, "heddle_plain_peek", nothing, {ptr, i64, i32}, false, true);
  copy = declare(m, "heddle_copy", nothing, {ptr, ptr, i64, i32});
  set = declare(m, "heddle_set", nothing, {ptr, i32, i64, i32});
  framePush = declare(m, "heddle_frame_push", ptr, {i64, ptr, i32, i32});
  framePop = declare(m, "heddle_frame_pop", nothing, {ptr, i32});
  frameUnwind = declare(m, "heddle_frame_unwind", nothing, {ptr, i32});
  alloca = declare(m, "heddle_alloca", ptr, {i64, i64, i32, i32});
  lifeBegin = declare(m, "heddle_life_begin", ptr, {i64, i64, i32, i32, i32});
  lifeEnd = declare(m, "heddle_life_end", nothing, {ptr, i32});
  atomicLoad = declare(m, "heddle_atomic_load", i64, {ptr, i32, i32});
  atomicStore = declare(m, "heddle_atomic_store", nothing, {ptr, i64, i32, i32});
  atomicRmw = declare(m, "heddle_atomic_rmw", i64, {ptr, i64, i32, i32});
  atomicCas = declare(m, "heddle_atomic_cas", cas, {ptr, i64, i64, i32, i32});
  atomicAttempt = declare(m, "heddle_atomic_attempt", cas, {ptr, i64, i64, i32, i32, i32});
  atomicLoad16 = declare(m, "heddle_atomic_load16", nothing, {ptr, ptr, i32, i32});
  atomicStore16 = declare(m, "heddle_atomic_store16", nothing, {ptr, ptr, i32, i32});
  atomicExchange16 = declare(m, "heddle_atomic_exchange16", nothing, {ptr, ptr, ptr, i32, i32});
  atomicCas16 = declare(m, "heddle_atomic_cas16", i64, {ptr, ptr, ptr, ptr, i32, i32});
  atomicCrosses = declare(m, "heddle_atomic_crosses", nothing, {ptr, i64, i32}, true);
  fence = declare(m, "heddle_fence", nothing, {i32, i32});
  fail = declare(m, "heddle_fail", nothing, {i32, ptr, i32}, true);
  warn = declare(m, "heddle_warn_hook", nothing, {ptr});
  loopBound = declare(m, "heddle_loop_bound", nothing, {i32, i32}, true);
  spin = declare(m, "heddle_spin", nothing, {i32, i32, i32}, true);
  spinOnMutex = declare(m, "heddle_spin_on_mutex", nothing, {i32, i32, i32, ptr}, true);
  polls = declare(m, "heddle_polls", i32, {});
  position = declare(m, "heddle_position", i32, {});
  epoch = declareVariable(m, "heddle_epoch", i32);
  callSource = declareVariable(m, "heddle_call_source", i32);
  heapType = declareVariable(m, "heddle_heap_type", i32);
}

Instrumentation::Instrumentation(llvm::Module& m, const BuildOptions& o, ProgramInfo& i, DebugNames& n)
    : module(m), options(o), info(i), names(n), sources(m, i), hooks(m) {
  for (const std::uint32_t index : info.globals) {
    const Variable& variable = info.variables[index];
    if (const llvm::GlobalVariable* global = module.getGlobalVariable(variable.symbol, true)) {
      objects[global] = {variable.size, index, variable.constant, nullptr};
    }
  }
  if (!options.races) {
    noteOperation(Operation::load(0, 4, Order::relaxed));  // what plain accesses may be
    noteOperation(Operation::store(0, 4, Order::relaxed, 0));
  }
}

void Instrumentation::noteOperation(const Operation& operation) {
  for (const Operation& known : info.operations) {
    if (known.kind == operation.kind && known.rmw == operation.rmw && known.order == operation.order &&
        known.failureOrder == operation.failureOrder && known.size == operation.size && known.mayFailSpuriously == operation.mayFailSpuriously) {
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
    known = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes,
                                     "heddle.text");
  }
  return known;
}

llvm::Value* Instrumentation::where(llvm::IRBuilder<>& builder, std::uint32_t source) {
  if (!sources.isLibrary(source)) return builder.getInt32(source);
  return builder.CreateLoad(builder.getInt32Ty(), hooks.callSource);
}

void Instrumentation::fail(llvm::IRBuilder<>& builder, ErrorKind kind, const std::string& message,
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

void Instrumentation::failIf(llvm::IRBuilder<>& builder, llvm::Value* condition, ErrorKind kind,
                             const std::string& message, std::uint32_t source) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition); known && known->isZero()) return;
  llvm::Instruction* end = unlikely(builder, condition, true);
  llvm::IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(builder.getCurrentDebugLocation());
  fail(inside, kind, message, source);
}

bool isRuntimeVariable(const llvm::Value* address) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(address);
  return global && global->isDeclaration() && global->getName().starts_with("heddle_");
}

}  // namespace heddle::native
