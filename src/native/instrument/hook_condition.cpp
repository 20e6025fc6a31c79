#include "native/instrument/hook_condition.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <vector>

#include "memory/layout.h"
#include "native/instrument/access_hook.h"

namespace heddle::native {
namespace {

using memory::kBase;
using memory::kShadow;
using memory::kSize;
using memory::kSizeBits;

constexpr const char* kChecked = "heddle.checked";  // {alignment, in program memory}

// Was the granule not yet accessed in this segment in a way that covers this access?
llvm::Value* isStale(llvm::IRBuilder<>& builder, llvm::Value* cell, llvm::Value* epoch, bool write) {
  const auto differs = [&](llvm::Value* half) {
    llvm::LoadInst* load =
        builder.CreateAlignedLoad(builder.getInt32Ty(), builder.CreateIntToPtr(half, builder.getPtrTy()), llvm::Align(4));
    markOwn(*load);
    return builder.CreateICmpNE(load, epoch);
  };
  llvm::Value* staleWrite = differs(cell);
  if (write) return staleWrite;
  return builder.CreateAnd(staleWrite, differs(builder.CreateAdd(cell, builder.getInt64(4))));
}

std::uint64_t numberIn(const llvm::Metadata* operand) {
  return llvm::mdconst::extract<llvm::ConstantInt>(operand)->getZExtValue();
}

void inlineCheck(llvm::CallInst& call, llvm::Value* epoch) {
  const llvm::MDNode& known = *call.getMetadata(kChecked);
  const HookedAccess access{.address = call.getArgOperand(0),
                            .size = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue(),
                            .alignment = numberIn(known.getOperand(0)),
                            .write = call.getCalledFunction()->getName() != "heddle_plain_read",
                            .inProgramMemory = numberIn(known.getOperand(1)) != 0};
  llvm::IRBuilder<> builder(&call);
  llvm::Value* const slow = slowCondition(builder, access, epoch);
  llvm::MDNode* const weights = llvm::MDBuilder(call.getContext()).createBranchWeights(1, 1u << 20);
  call.moveBefore(llvm::SplitBlockAndInsertIfThen(slow, call.getIterator(), /*Unreachable=*/false, weights));
  // The place of the program's call into a library (Instrumentation::where) is needed in that block only.
  auto* const place = llvm::dyn_cast<llvm::LoadInst>(call.getArgOperand(2));
  if (place && place->hasOneUse()) place->moveBefore(&call);
}

}  // namespace

llvm::Value* slowCondition(llvm::IRBuilder<>& builder, const HookedAccess& access, llvm::Value* epochAddress) {
  llvm::Value* address = builder.CreatePtrToInt(access.address, builder.getInt64Ty());
  llvm::Value* offset = builder.CreateSub(address, builder.getInt64(kBase));
  llvm::Value* slow = nullptr;
  const auto orSlow = [&](llvm::Value* condition) { slow = slow ? builder.CreateOr(slow, condition) : condition; };

  // The cell is read before the address is known to be good, so the address is forced into program memory.
  llvm::Value* granule = builder.CreateAnd(offset, builder.getInt64(kSize - 4));
  llvm::Value* cell = builder.CreateAdd(builder.CreateShl(granule, 1), builder.getInt64(kShadow));
  llvm::LoadInst* epoch = builder.CreateLoad(builder.getInt32Ty(), epochAddress);
  markOwn(*epoch);
  for (std::uint64_t part = 0; part < access.size; part += 4) {
    llvm::Value* const next = part == 0 ? cell : builder.CreateAdd(cell, builder.getInt64(2 * part));
    orSlow(isStale(builder, next, epoch, access.write));
  }
  if (!access.inProgramMemory) {
    orSlow(builder.CreateICmpNE(builder.CreateLShr(offset, kSizeBits), builder.getInt64(0)));
  }

  // An access that may reach into one granule more than its size says.
  if (access.alignment < std::min<std::uint64_t>(access.size, 4)) {
    llvm::Value* within = builder.CreateAnd(address, builder.getInt64(3));
    orSlow(builder.CreateICmpUGT(within, builder.getInt64(access.size >= 4 ? 0 : 4 - access.size)));
  }
  return slow;
}

void markHookCall(llvm::CallInst& call, std::uint64_t alignment, bool inProgramMemory) {
  llvm::LLVMContext& context = call.getContext();
  const auto number = [&](std::uint64_t n) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), n));
  };
  call.setMetadata(kChecked, llvm::MDNode::get(context, {number(alignment), number(inProgramMemory)}));
}

void inlineHookConditions(llvm::Module& module, llvm::Value* epoch) {
  for (llvm::Function& function : module) {
    if (function.hasOptNone()) continue;
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.hasMetadata(kChecked)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (llvm::CallInst* call : calls) inlineCheck(*call, epoch);
  }
}

}  // namespace heddle::native
