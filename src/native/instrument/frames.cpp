#include "native/instrument/frames.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <optional>
#include <vector>

#include "native/instrument/access_hook.h"
#include "native/instrument/local_variables.h"
#include "native/instrument/set_jumps.h"
#include "runtime/hooks.h"

namespace heddle::native {
namespace {

constexpr std::uint64_t kRedzone = 16;
static_assert(runtime::kJumpMarkOffset == kRedzone);
constexpr std::uint64_t kFrameAlignment = 16;

bool isVaList(const llvm::AllocaInst& variable) {
  for (const llvm::User* user : variable.users()) {
    if (llvm::isa<llvm::VAStartInst, llvm::VAEndInst, llvm::VACopyInst>(user)) return true;
  }
  return false;
}

// The part of a function's frame that is known when it is entered.
class Frame {
 public:
  Frame(Instrumentation& instrumentation, llvm::Function& function)
      : ins_(instrumentation), function_(function), layout_(instrumentation.module.getDataLayout()) {}

  void lower() {
    collect();
    if (variables_.empty() && byValue_.empty() && dynamic_.empty() && blockVariables_.empty() && saves_.empty() &&
        setJumps_.empty() && !catches_)
      return;
    push();
    for (llvm::AllocaInst* variable : blockVariables_) lowerBlockVariable(*variable);
    for (llvm::AllocaInst* variable : dynamic_) lowerDynamic(*variable);
    lowerSaves();
    lowerSetJumps();
    popAtExits();
    unwindAtLandingPads();
  }

 private:
  void collect() {
    for (llvm::Argument& argument : function_.args()) {
      if (!argument.hasByValAttr()) continue;
      const std::uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType());
      if (!isPrivate(argument, size, layout_)) byValue_.push_back(&argument);
    }
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        if (isVaList(*variable)) {
          for (llvm::Instruction* marker : lifetimeMarkers(*variable)) marks_.push_back(marker);
          continue;
        }
        if (!lifetimeMarkers(*variable).empty()) {
          blockVariables_.push_back(variable);
          continue;
        }
        if (isPrivate(*variable)) continue;
        const bool fixed = variable->isStaticAlloca() && variable->getAlign().value() <= kFrameAlignment;
        (fixed ? variables_ : dynamic_).push_back(variable);
      } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
        const auto id = call->getIntrinsicID();
        if (id == llvm::Intrinsic::stacksave || id == llvm::Intrinsic::stackrestore) saves_.push_back(call);
      } else if (auto* setJump = llvm::dyn_cast<llvm::CallBase>(&instruction); setJump && isSetJump(*setJump)) {
        setJumps_.push_back(setJump);
      } else if (auto* pad = llvm::dyn_cast<llvm::LandingPadInst>(&instruction)) {
        pads_.push_back(pad);
        // A landing pad that only ends the program, as in a noexcept function, needs no frame.
        const bool ends = llvm::isa<llvm::UnreachableInst>(pad->getParent()->getTerminator());
        catches_ |= pad->getNumClauses() != 0 && !ends;
      }
    }
    for (llvm::Instruction* marker : marks_) marker->eraseFromParent();
  }

  // Where the variables start to live: behind the allocas that stay.
  llvm::Instruction* prologue() {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    auto place = entry.getFirstNonPHIOrDbgOrAlloca();
    return &*place;
  }

  void push() {
    llvm::IRBuilder<> builder(prologue());
    builder.SetCurrentDebugLocation(functionLocation());
    source_ = ins_.sources.of(function_);
    struct Entry {
      std::uint64_t offset, size;
      std::uint32_t tag;
    };
    std::vector<Entry> entries;
    std::uint64_t offset = kRedzone;
    const auto place = [&](std::uint64_t size, std::uint32_t tag) {
      entries.push_back({offset, size, tag});
      offset = llvm::alignTo(offset + size + kRedzone, kFrameAlignment);
      return entries.back().offset;
    };
    if (!setJumps_.empty()) place(runtime::kJumpMarkBytes, 0);
    std::vector<std::uint64_t> offsets;
    for (const llvm::AllocaInst* variable : variables_) {
      offsets.push_back(place(sizeOf(*variable), ins_.names.local(*variable)));
    }
    for (const llvm::Argument* argument : byValue_) {
      offsets.push_back(place(layout_.getTypeAllocSize(argument->getParamByValType()), 0));
    }

    std::vector<llvm::Constant*> rows;
    auto* i64 = builder.getInt64Ty();
    auto* i32 = builder.getInt32Ty();
    auto* row = llvm::StructType::get(i64, i64, i32);
    for (const Entry& entry : entries) {
      rows.push_back(llvm::ConstantStruct::get(row, llvm::ConstantInt::get(i64, entry.offset),
                                               llvm::ConstantInt::get(i64, entry.size),
                                               llvm::ConstantInt::get(i32, entry.tag)));
    }
    auto* tableType = llvm::ArrayType::get(row, rows.size());
    auto* table = new llvm::GlobalVariable(ins_.module, tableType, true, llvm::GlobalValue::PrivateLinkage,
                                           llvm::ConstantArray::get(tableType, rows), "heddle.frame");
    base_ = builder.CreateCall(ins_.hooks.framePush,
                               {builder.getInt64(offset), table, builder.getInt32(static_cast<std::uint32_t>(rows.size())),
                                builder.getInt32(source_)});
    if (!setJumps_.empty()) {
      builder.CreateCall(ins_.hooks.set,
                         {builder.CreateConstGEP1_64(builder.getInt8Ty(), base_, runtime::kJumpMarkOffset), builder.getInt32(0),
                          builder.getInt64(runtime::kJumpMarkBytes), builder.getInt32(source_)});
    }
    std::size_t next = 0;
    for (llvm::AllocaInst* variable : variables_) moveVariable(builder, *variable, offsets[next++]);
    for (llvm::Argument* argument : byValue_) moveArgument(builder, *argument, offsets[next++]);
  }

  void moveVariable(llvm::IRBuilder<>& builder, llvm::AllocaInst& variable, std::uint64_t offset) {
    auto* address = llvm::cast<llvm::Instruction>(builder.CreateConstGEP1_64(builder.getInt8Ty(), base_, offset));
    address->takeName(&variable);
    ins_.objects[address] = {sizeOf(variable), ins_.names.local(variable), false, variable.getAllocatedType()};
    variable.replaceAllUsesWith(address);
    variable.eraseFromParent();
  }

  // The caller has put the argument on the native stack; from here on the program sees a copy of it.
  void moveArgument(llvm::IRBuilder<>& builder, llvm::Argument& argument, std::uint64_t offset) {
    const std::uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType());
    auto* address = llvm::cast<llvm::Instruction>(builder.CreateConstGEP1_64(builder.getInt8Ty(), base_, offset));
    argument.replaceAllUsesWith(address);
    ins_.objects[address] = {size, 0, false, argument.getParamByValType()};
    builder.CreateCall(ins_.hooks.copy, {address, &argument, builder.getInt64(size), builder.getInt32(source_)});
  }

  // The variable is somewhere else in each of its lives. Two slots on the native stack have the place: of its newest life,
  // ended or not, for those who use it; and of the life that has not ended, or null.
  void lowerBlockVariable(llvm::AllocaInst& variable) {
    llvm::IRBuilder<> builder(function_.getContext());
    llvm::AllocaInst* newest = addSlot(builder, "place");
    llvm::AllocaInst* live = addSlot(builder, "live");
    const std::uint32_t tag = ins_.names.local(variable);
    const std::vector<llvm::Instruction*> markers = lifetimeMarkers(variable);
    for (llvm::Instruction* marker : markers) {
      builder.SetInsertPoint(marker);
      if (!builder.getCurrentDebugLocation()) builder.SetCurrentDebugLocation(functionLocation());
      llvm::Value* source = builder.getInt32(ins_.sources.of(*marker));
      if (marksBegin(*marker)) {
        llvm::Value* address = builder.CreateCall(
            ins_.hooks.lifeBegin, {builder.getInt64(sizeOf(variable)), builder.getInt64(variable.getAlign().value()),
                                   builder.getInt32(tag), countLife(builder), source});
        markOwn(*builder.CreateStore(address, newest));
        markOwn(*builder.CreateStore(address, live));
      } else {
        builder.CreateCall(ins_.hooks.lifeEnd, {loadPlace(builder, *live), source});
        markOwn(*builder.CreateStore(llvm::ConstantPointerNull::get(builder.getPtrTy()), live));
      }
      marker->eraseFromParent();
    }
    sinkComputations(variable);
    while (!variable.use_empty()) {
      llvm::Use& use = *variable.use_begin();
      builder.SetInsertPoint(placeOf(use));
      llvm::LoadInst* address = loadPlace(builder, *newest);
      ins_.objects[address] = {sizeOf(variable), tag, false, variable.getAllocatedType()};
      setUse(use, *address);
    }
    variable.eraseFromParent();
  }

  llvm::AllocaInst* addSlot(llvm::IRBuilder<>& builder, const char* name) {
    builder.SetInsertPoint(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    llvm::AllocaInst* slot = builder.CreateAlloca(builder.getPtrTy(), nullptr, name);
    builder.SetInsertPoint(llvm::cast<llvm::Instruction>(base_)->getNextNode());
    markOwn(*builder.CreateStore(llvm::ConstantPointerNull::get(builder.getPtrTy()), slot));
    return slot;
  }

  // What is computed from the address of a variable may stand before the life in which it is used. Each use gets a
  // computation of its own, right before it.
  static void sinkComputations(llvm::AllocaInst& variable) {
    llvm::SetVector<llvm::Instruction*> computations;
    collectComputations(variable, computations);
    for (llvm::Instruction* computation : computations) {
      while (!computation->use_empty()) {
        llvm::Use& use = *computation->use_begin();
        llvm::Instruction* own = computation->clone();
        own->insertBefore(placeOf(use));
        setUse(use, *own);
      }
      computation->eraseFromParent();
    }
  }

  // Those that use others come first.
  static void collectComputations(llvm::Instruction& address, llvm::SetVector<llvm::Instruction*>& computations) {
    for (llvm::User* user : address.users()) {
      if (!llvm::isa<llvm::GetElementPtrInst, llvm::SelectInst, llvm::FreezeInst, llvm::CmpInst, llvm::CastInst>(user))
        continue;
      auto* computation = llvm::cast<llvm::Instruction>(user);
      if (computations.contains(computation)) continue;
      collectComputations(*computation, computations);
      computations.insert(computation);
    }
  }

  // Where a value has to stand to be used: a phi uses it at the end of the block that it comes from.
  static llvm::Instruction* placeOf(const llvm::Use& use) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi ? phi->getIncomingBlock(use)->getTerminator() : user;
  }

  static void setUse(llvm::Use& use, llvm::Value& value) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(use.getUser())) {
      phi->setIncomingValueForBlock(phi->getIncomingBlock(use), &value);
    } else {
      use.set(&value);
    }
  }

  llvm::LoadInst* loadPlace(llvm::IRBuilder<>& builder, llvm::AllocaInst& slot) {
    llvm::LoadInst* address = builder.CreateLoad(builder.getPtrTy(), &slot);
    markOwn(*address);
    return address;
  }

  // How many lives there have been in the function.
  llvm::Value* countLife(llvm::IRBuilder<>& builder) {
    if (!lives_) {
      llvm::IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
      lives_ = entry.CreateAlloca(entry.getInt32Ty(), nullptr, "lives");
      entry.SetInsertPoint(llvm::cast<llvm::Instruction>(base_)->getNextNode());
      markOwn(*entry.CreateStore(entry.getInt32(0), lives_));
    }
    llvm::LoadInst* before = builder.CreateLoad(builder.getInt32Ty(), lives_);
    markOwn(*before);
    markOwn(*builder.CreateStore(builder.CreateAdd(before, builder.getInt32(1)), lives_));
    return before;
  }

  // Variable-length arrays, alloca(), and what wants more alignment than a frame has.
  void lowerDynamic(llvm::AllocaInst& variable) {
    llvm::IRBuilder<> builder(&variable);
    // A variable of the entry block stands before the frame is pushed.
    if (variable.isStaticAlloca()) builder.SetInsertPoint(llvm::cast<llvm::Instruction>(base_)->getNextNode());
    if (!builder.getCurrentDebugLocation()) builder.SetCurrentDebugLocation(functionLocation());
    const std::uint64_t element = layout_.getTypeAllocSize(variable.getAllocatedType());
    llvm::Value* count = builder.CreateZExtOrTrunc(variable.getArraySize(), builder.getInt64Ty());
    llvm::Value* size = builder.CreateMul(count, builder.getInt64(element));
    const std::uint32_t tag = ins_.names.local(variable);
    llvm::CallInst* address =
        builder.CreateCall(ins_.hooks.alloca, {size, builder.getInt64(variable.getAlign().value()), builder.getInt32(tag),
                                               builder.getInt32(ins_.sources.of(variable))});
    address->takeName(&variable);
    if (variable.isStaticAlloca()) ins_.objects[address] = {sizeOf(variable), tag, false, variable.getAllocatedType()};
    variable.replaceAllUsesWith(address);
    variable.eraseFromParent();
  }

  // The scope of a variable-length array is an empty frame of its own, with the array on top.
  void lowerSaves() {
    for (llvm::IntrinsicInst* call : saves_) {
      llvm::IRBuilder<> builder(call);
      llvm::Value* source = builder.getInt32(ins_.sources.of(*call));
      if (call->getIntrinsicID() == llvm::Intrinsic::stacksave) {
        auto* none = llvm::ConstantPointerNull::get(builder.getPtrTy());
        call->replaceAllUsesWith(
            builder.CreateCall(ins_.hooks.framePush, {builder.getInt64(0), none, builder.getInt32(0), source}));
      } else {
        builder.CreateCall(ins_.hooks.framePop, {call->getArgOperand(0), source});
      }
      call->eraseFromParent();
    }
  }

  void lowerSetJumps() {
    for (llvm::CallBase* call : setJumps_) {
      llvm::IRBuilder<> builder(call);
      llvm::CallInst* hook =
          builder.CreateCall(ins_.hooks.setJump, {call->getArgOperand(0), base_, builder.getInt32(ins_.sources.of(*call))});
      hook->addFnAttr(llvm::Attribute::ReturnsTwice);
      if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) {
        invoke->getUnwindDest()->removePredecessor(invoke->getParent());
        builder.CreateBr(invoke->getNormalDest());
      }
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(hook);
      call->eraseFromParent();
    }
  }

  void popAtExits() {
    for (llvm::BasicBlock& block : function_) {
      llvm::Instruction* end = block.getTerminator();
      if (!llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(end)) continue;
      // A call that must be a tail call stands right before the return, and needs nothing of the frame any more.
      llvm::Instruction* last = block.getTerminatingMustTailCall();
      llvm::IRBuilder<> builder(last ? last : end);
      if (!end->getDebugLoc()) builder.SetCurrentDebugLocation(functionLocation());
      builder.CreateCall(ins_.hooks.framePop, {base_, builder.getInt32(ins_.sources.of(*end))});
    }
  }

  void unwindAtLandingPads() {
    for (llvm::LandingPadInst* pad : pads_) {
      llvm::IRBuilder<> builder(pad->getNextNode());
      builder.SetCurrentDebugLocation(pad->getDebugLoc() ? pad->getDebugLoc() : functionLocation());
      builder.CreateCall(ins_.hooks.frameUnwind, {base_, builder.getInt32(ins_.sources.of(*pad))});
    }
  }

  std::uint64_t sizeOf(const llvm::AllocaInst& variable) const {
    const std::optional<llvm::TypeSize> size = variable.getAllocationSize(layout_);
    return size ? size->getFixedValue() : 0;
  }

  // Calls in a function with debug info must have a location, or it cannot be inlined.
  llvm::DebugLoc functionLocation() const {
    llvm::DISubprogram* subprogram = function_.getSubprogram();
    if (!subprogram) return {};
    return llvm::DILocation::get(ins_.module.getContext(), subprogram->getLine(), 0, subprogram);
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  std::vector<llvm::AllocaInst*> variables_, dynamic_, blockVariables_;
  std::vector<llvm::Instruction*> marks_;  // of variables that stay on the native stack
  llvm::AllocaInst* lives_ = nullptr;
  std::vector<llvm::Argument*> byValue_;
  std::vector<llvm::IntrinsicInst*> saves_;
  std::vector<llvm::CallBase*> setJumps_;
  std::vector<llvm::LandingPadInst*> pads_;
  bool catches_ = false;
  llvm::Value* base_ = nullptr;
  std::uint32_t source_ = 0;
};

}  // namespace

void lowerFrames(Instrumentation& instrumentation, llvm::Function& function) { Frame(instrumentation, function).lower(); }

}  // namespace heddle::native
