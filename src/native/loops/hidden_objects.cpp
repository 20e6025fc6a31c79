#include "native/loops/hidden_objects.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>
#include <vector>

#include "native/loops/bytes.h"

namespace heddle::native {
namespace {

// May the address be given away here, where the user has it as this operand?
bool givesAway(const llvm::Instruction& user, const llvm::Use& use) {
  if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) return false;
  if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex();
  if (llvm::isa<llvm::AtomicRMWInst>(user)) return use.getOperandNo() != llvm::AtomicRMWInst::getPointerOperandIndex();
  if (llvm::isa<llvm::AtomicCmpXchgInst>(user)) return use.getOperandNo() == 2;  // what it writes
  if (const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&user)) return set->isVolatile();
  return !user.isLifetimeStartOrEnd();
}

bool isFollowed(const llvm::Instruction& user) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user);
}

}  // namespace

bool isHidden(const llvm::Value& base, const llvm::Loop& loop, const IsInVain& isInVain) {
  if (!llvm::isa<llvm::AllocaInst>(base) && !isAllocation(base)) return false;
  const auto& made = llvm::cast<llvm::Instruction>(base);
  // An allocation makes another object each time; a variable may be the same as before.
  llvm::SmallPtrSet<llvm::BasicBlock*, 1> making;
  if (isAllocation(base)) making.insert(const_cast<llvm::BasicBlock*>(made.getParent()));
  if (loop.contains(&made)) return false;
  std::set<const llvm::Value*> seen = {&base};
  std::vector<const llvm::Value*> work = {&base};
  while (!work.empty()) {
    const llvm::Value* value = work.back();
    work.pop_back();
    for (const llvm::Use& use : value->uses()) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user) return false;
      if (isFollowed(*user)) {
        if (seen.insert(user).second) work.push_back(user);
        continue;
      }
      if (!givesAway(*user, use) || (loop.contains(user) && isInVain(*user))) continue;
      if (loop.contains(user)) return false;
      for (const llvm::BasicBlock* next : llvm::successors(user->getParent())) {
        if (llvm::isPotentiallyReachable(next, loop.getHeader(), &making, nullptr, nullptr)) return false;
      }
    }
  }
  return true;
}

bool comesFromMemory(const llvm::Value& pointer) {
  std::set<const llvm::Value*> seen = {&pointer};
  std::vector<const llvm::Value*> work = {&pointer};
  while (!work.empty()) {
    const llvm::Value* value = work.back();
    work.pop_back();
    if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::ConstantPointerNull, llvm::ConstantInt>(value)) continue;
    if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
      if (llvm::isa<llvm::AtomicCmpXchgInst>(part->getAggregateOperand())) continue;
      return false;
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !llvm::isa<llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::GetElementPtrInst>(instruction)) {
      return false;
    }
    const bool chooses = llvm::isa<llvm::SelectInst>(instruction);
    const bool moves = llvm::isa<llvm::GetElementPtrInst>(instruction);
    for (unsigned i = chooses ? 1 : 0; i < (moves ? 1 : instruction->getNumOperands()); ++i) {
      const llvm::Value* operand = instruction->getOperand(i);
      if (seen.insert(operand).second) work.push_back(operand);
    }
  }
  return true;
}

}  // namespace heddle::native
