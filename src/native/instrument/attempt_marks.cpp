#include "native/instrument/attempt_marks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>

namespace heddle::native {
namespace {

constexpr const char* kAttempt = "heddle.attempt";
constexpr const char* kBegin = "heddle.begin";
constexpr const char* kRedone = "heddle.redone";
constexpr const char* kRepeated = "heddle.repeated";
constexpr const char* kGuard = "heddle.guard";
constexpr const char* kInVain = "heddle.in_vain";

}  // namespace

void markAttempt(const Attempt& attempt, std::uint32_t loop) {
  llvm::LLVMContext& context = attempt.rmw->getContext();
  const auto number = [&](std::uint64_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
  };
  attempt.rmw->setMetadata(kAttempt, llvm::MDNode::get(context, {number(static_cast<std::uint64_t>(attempt.comparison)),
                                                                 number(attempt.expected), number(loop)}));
}

std::optional<MarkedAttempt> markedAttempt(const llvm::AtomicRMWInst& rmw) {
  const llvm::MDNode* node = rmw.getMetadata(kAttempt);
  if (!node) return std::nullopt;
  const auto number = [&](unsigned i) {
    return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue();
  };
  return MarkedAttempt{
      .comparison = static_cast<Comparison>(number(0)), .expected = number(1), .loop = static_cast<std::uint32_t>(number(2))};
}

void markStore(llvm::StoreInst& store, const RedoneStore& mark) {
  llvm::MDNode* const set = llvm::MDNode::get(store.getContext(), {});
  if (mark.redone) store.setMetadata(kRedone, set);
  if (mark.mayBeRepeated) store.setMetadata(kRepeated, set);
}

RedoneStore markedStore(const llvm::StoreInst& store) {
  return {.redone = store.hasMetadata(kRedone), .mayBeRepeated = store.hasMetadata(kRepeated)};
}

void markGuard(llvm::Instruction& write) { write.setMetadata(kGuard, llvm::MDNode::get(write.getContext(), {})); }
bool isMarkedGuard(const llvm::Instruction& write) { return write.hasMetadata(kGuard); }

void markInVain(llvm::Instruction& access) { access.setMetadata(kInVain, llvm::MDNode::get(access.getContext(), {})); }
bool isMarkedInVain(const llvm::Instruction& access) { return access.hasMetadata(kInVain); }

void markBegin(llvm::AllocaInst& begin, std::uint32_t loop) {
  llvm::LLVMContext& context = begin.getContext();
  auto* number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), loop));
  begin.setMetadata(kBegin, llvm::MDNode::get(context, number));
}

llvm::AllocaInst& markedBegin(llvm::Function& function, std::uint32_t loop) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::MDNode* node = instruction.getMetadata(kBegin);
    if (!node) continue;
    const auto* number = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0));
    if (number->getZExtValue() == loop) return llvm::cast<llvm::AllocaInst>(instruction);
  }
  llvm_unreachable("an attempt whose loop has not been looked at");
}

}  // namespace heddle::native
