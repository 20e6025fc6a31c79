#include "native/instrument/local_variables.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

#include "native/compile/link.h"
#include "native/instrument/host_functions.h"

namespace heddle::native {
namespace {

class UseWalk {
 public:
  UseWalk(std::uint64_t size, const llvm::DataLayout& layout, CallTest mayBeLeftOut)
      : size_(size), layout_(layout), mayBeLeftOut_(mayBeLeftOut) {}

  bool walk(const llvm::Value& address, std::int64_t offset) {
    for (const llvm::Use& use : address.uses()) {
      if (!visit(use, offset)) return false;
    }
    return true;
  }

  std::vector<LocalUse> uses;

 private:
  bool visit(const llvm::Use& use, std::int64_t offset) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      return add(LocalUse::Kind::load, user, offset, layout_.getTypeStoreSize(load->getType()), load->isAtomic());
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex()) return false;
      const std::uint64_t size = layout_.getTypeStoreSize(store->getValueOperand()->getType());
      return add(LocalUse::Kind::store, user, offset, size, store->isAtomic());
    }
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt step(64, 0);
      return element->accumulateConstantOffset(layout_, step) && walk(*element, offset + step.getSExtValue());
    }
    if (auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(user)) return visitRange(use, *range, offset);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return user->isLifetimeStartOrEnd() || (call && mayBeLeftOut_ && mayBeLeftOut_(*call));
  }

  bool visitRange(const llvm::Use& use, llvm::MemIntrinsic& range, std::int64_t offset) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(range.getLength());
    if (!length || range.isVolatile()) return false;
    const std::uint64_t size = length->getZExtValue();
    if (llvm::isa<llvm::MemSetInst>(range)) return add(LocalUse::Kind::set, &range, offset, size, false);
    const bool isTarget = use.getOperandNo() == 0;
    return add(isTarget ? LocalUse::Kind::copyTo : LocalUse::Kind::copyFrom, &range, offset, size, false);
  }

  bool add(LocalUse::Kind kind, llvm::Instruction* instruction, std::int64_t offset, std::uint64_t size, bool atomic) {
    if (offset < 0 || size > size_ || static_cast<std::uint64_t>(offset) > size_ - size) return false;
    uses.push_back({kind, instruction, static_cast<std::uint64_t>(offset), size, atomic});
    return true;
  }

  const std::uint64_t size_;
  const llvm::DataLayout& layout_;
  const CallTest mayBeLeftOut_;
};

bool collectLeaves(llvm::Type* type, std::uint64_t offset, std::size_t limit, const llvm::DataLayout& layout,
                   std::vector<Leaf>& leaves) {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      const std::uint64_t at = offset + places->getElementOffset(i);
      if (!collectLeaves(record->getElementType(i), at, limit, layout, leaves)) return false;
    }
    return true;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (array->getNumElements() > limit) return false;
    const std::uint64_t step = layout.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      if (!collectLeaves(array->getElementType(), offset + i * step, limit, layout, leaves)) return false;
    }
    return true;
  }
  leaves.push_back({type, offset});
  return leaves.size() <= limit;
}

// Is there a scalar of `size` bytes at `offset` in the type?
bool hasLeaf(llvm::Type* type, std::uint64_t offset, std::uint64_t size, const llvm::DataLayout& layout) {
  while (true) {
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout* places = layout.getStructLayout(record);
      if (offset >= places->getSizeInBytes()) return false;
      const unsigned element = places->getElementContainingOffset(offset);
      offset -= places->getElementOffset(element);
      type = record->getElementType(element);
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      type = array->getElementType();
      const std::uint64_t step = layout.getTypeAllocSize(type);
      if (step == 0) return false;
      offset %= step;
    } else {
      return offset == 0 && layout.getTypeStoreSize(type) == size;
    }
  }
}

// Does the value go nowhere but into memory, or, if it may, to a caller or a callee?
bool isHandedOn(const llvm::Value& value, bool toFunctions) {
  for (const llvm::Use& use : value.uses()) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::StoreInst>(user)) {
      if (use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex()) return false;
    } else if (llvm::isa<llvm::InsertValueInst, llvm::ExtractValueInst>(user)) {
      if (!isHandedOn(*user, toFunctions)) return false;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
      if (!toFunctions || !call->isArgOperand(&use)) return false;
    } else if (!toFunctions || !llvm::isa<llvm::ReturnInst>(user)) {
      return false;
    }
  }
  return true;
}

// Where an address goes.
class EscapeWalk {
 public:
  enum class Way : std::uint8_t { none, result, anywhere };  // by which it leaves the function that has it

  // A function that calls itself, and a pointer that goes round in a loop, are met while they are being followed; that adds
  // nothing.
  Way follow(const llvm::Value& address) {
    const auto [known, added] = known_.try_emplace(&address, Way::none);
    if (!added) return known->second;
    Way way = Way::none;
    for (const llvm::Use& use : address.uses()) {
      way = std::max(way, visit(use));
      if (way == Way::anywhere) break;
    }
    return known_[&address] = way;
  }

 private:
  Way visit(const llvm::Use& use) {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) return Way::anywhere;
    switch (user->getOpcode()) {
      case llvm::Instruction::Load:
      case llvm::Instruction::ICmp: return Way::none;
      case llvm::Instruction::Store:
        return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex() ? Way::none : Way::anywhere;
      case llvm::Instruction::AtomicRMW:
      case llvm::Instruction::AtomicCmpXchg: return use.getOperandNo() == 0 ? Way::none : Way::anywhere;
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select:
      case llvm::Instruction::Freeze: return follow(*user);
      case llvm::Instruction::Ret: return Way::result;
      case llvm::Instruction::Call:
      case llvm::Instruction::Invoke: return visitCall(llvm::cast<llvm::CallBase>(*user), use);
      default: return Way::anywhere;
    }
  }

  Way visitCall(const llvm::CallBase& call, const llvm::Use& use) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
      const bool known = intrinsic->isAssumeLikeIntrinsic() || llvm::isa<llvm::MemIntrinsic>(intrinsic);
      return known ? Way::none : Way::anywhere;
    }
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use)) return Way::anywhere;
    const unsigned number = call.getArgOperandNo(&use);
    if (call.isByValArgument(number) || isPureHostFunction(callee->getName())) return Way::none;
    if (callee->isDeclaration() || number >= callee->arg_size()) return Way::anywhere;
    const Way way = follow(*callee->getArg(number));
    return way == Way::result ? follow(call) : way;
  }

  std::map<const llvm::Value*, Way> known_;
};

}  // namespace

static std::optional<std::vector<LocalUse>> localUses(llvm::Value& address, std::uint64_t size, const llvm::DataLayout& layout,
                                                      CallTest mayBeLeftOut) {
  UseWalk walk(size, layout, mayBeLeftOut);
  if (!walk.walk(address, 0)) return std::nullopt;
  return std::move(walk.uses);
}

std::optional<std::vector<LocalUse>> localUses(llvm::Value& address, std::uint64_t size, const llvm::DataLayout& layout) {
  return localUses(address, size, layout, nullptr);
}

std::optional<std::vector<LocalUse>> localUses(llvm::AllocaInst& variable, CallTest mayBeLeftOut) {
  const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
  const std::optional<llvm::TypeSize> size = variable.getAllocationSize(layout);
  if (!size || !variable.isStaticAlloca()) return std::nullopt;
  return localUses(variable, size->getFixedValue(), layout, mayBeLeftOut);
}

bool isSleep(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->hasFnAttribute(kLibraryAttribute) &&
         llvm::StringSwitch<bool>(callee->getName())
             .Cases("sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep", true)
             .Cases("heddle_time_has_passed", "heddle_time_has_come", true)
             .Default(false);
}

static bool isPrivate(const std::optional<std::vector<LocalUse>>& uses) {
  return uses && std::none_of(uses->begin(), uses->end(), [](const LocalUse& use) {
           return use.atomic || use.kind == LocalUse::Kind::copyFrom || use.kind == LocalUse::Kind::copyTo;
         });
}

bool isPrivate(llvm::Value& address, std::uint64_t size, const llvm::DataLayout& layout) {
  return isPrivate(localUses(address, size, layout));
}

bool isPrivate(llvm::AllocaInst& variable, CallTest mayBeLeftOut) { return isPrivate(localUses(variable, mayBeLeftOut)); }

std::vector<llvm::Instruction*> lifetimeMarkers(const llvm::AllocaInst& variable) {
  std::vector<llvm::Instruction*> markers;
  for (const llvm::User* user : variable.users()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction && instruction->isLifetimeStartOrEnd()) markers.push_back(const_cast<llvm::Instruction*>(instruction));
  }
  return markers;
}

bool marksBegin(const llvm::Instruction& marker) {
  return llvm::cast<llvm::IntrinsicInst>(marker).getIntrinsicID() == llvm::Intrinsic::lifetime_start;
}

bool mayEscape(const llvm::AllocaInst& variable) { return EscapeWalk().follow(variable) != EscapeWalk::Way::none; }

std::optional<std::vector<Leaf>> leavesOf(llvm::Type* type, std::size_t limit, const llvm::DataLayout& layout) {
  std::vector<Leaf> leaves;
  if (!collectLeaves(type, 0, limit, layout, leaves)) return std::nullopt;
  return leaves;
}

const llvm::AllocaInst* variableAt(const llvm::Value& address, const llvm::DataLayout& layout, std::int64_t& offset) {
  llvm::APInt bytes(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const llvm::Value* base = address.stripAndAccumulateConstantOffsets(layout, bytes, /*AllowNonInbounds=*/true);
  offset = bytes.getSExtValue();
  return llvm::dyn_cast<llvm::AllocaInst>(base);
}

static constexpr const char* kPassed = "heddle.passed";

void markPassedStructures(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || load->use_empty()) continue;
    std::int64_t offset = 0;
    const llvm::AllocaInst* variable = variableAt(*load->getPointerOperand(), layout, offset);
    const auto isPassed = [](const llvm::User* user) { return llvm::isa<llvm::CallBase, llvm::ReturnInst>(user); };
    if (!variable || offset < 0 || !llvm::all_of(load->users(), isPassed)) continue;
    if (isBytewiseCopy(*load, static_cast<std::uint64_t>(offset), variable->getAllocatedType()))
      load->setMetadata(kPassed, llvm::MDNode::get(function.getContext(), {}));
  }
}

bool isBytewiseCopy(const llvm::LoadInst& load, std::uint64_t offset, llvm::Type* type) {
  if (load.hasMetadata(kPassed)) return true;
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  const std::uint64_t size = layout.getTypeStoreSize(load.getType());
  if (load.getType()->isAggregateType() || !hasLeaf(type, offset, size, layout)) return isHandedOn(load, true);
  return size == 1 && isHandedOn(load, false);
}

bool isBitFieldUpdate(const llvm::LoadInst& load) {
  if (load.use_empty() || !load.getType()->isIntegerTy()) return false;
  const auto isStoredBack = [&](const llvm::Value& value) {
    const auto* store = value.hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(value.user_back()) : nullptr;
    return store && store->getValueOperand() == &value && store->getPointerOperand() == load.getPointerOperand() &&
           store->getParent() == load.getParent();
  };
  for (const llvm::User* user : load.users()) {
    const auto* mask = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (!mask || mask->getOpcode() != llvm::Instruction::And || !llvm::isa<llvm::ConstantInt>(mask->getOperand(1)))
      return false;
    if (isStoredBack(*mask)) continue;
    const auto* merge = mask->hasOneUse() ? llvm::dyn_cast<llvm::BinaryOperator>(mask->user_back()) : nullptr;
    if (!merge || merge->getOpcode() != llvm::Instruction::Or || !isStoredBack(*merge)) return false;
  }
  return true;
}

}  // namespace heddle::native
