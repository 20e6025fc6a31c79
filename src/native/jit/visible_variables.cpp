#include "native/jit/visible_variables.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "native/compile/link.h"

namespace heddle::native {

namespace {

constexpr std::uint64_t kFlagBytes = 8;

// What a record says about its variable, if it is simple enough: some bytes of it have a value.
struct Meaning {
  llvm::Value* value = nullptr;
  std::int64_t added = 0;    // to that
  std::uint64_t offset = 0;  // in the variable, in bytes
  std::uint64_t size = 0;    // of that part; 0: all
};

std::optional<Meaning> meaningOf(llvm::DbgVariableRecord& record) {
  if (!record.isDbgValue() || record.hasArgList() || record.isKillLocation()) return std::nullopt;
  Meaning meaning{.value = record.getVariableLocationOp(0)};
  const llvm::Type* const type = meaning.value->getType();
  if (llvm::isa<llvm::UndefValue>(meaning.value) || !type->isSized() || type->isScalableTy()) return std::nullopt;
  for (const llvm::DIExpression::ExprOperand& operation : record.getExpression()->expr_ops()) {
    switch (operation.getOp()) {
      case llvm::dwarf::DW_OP_plus_uconst: meaning.added += static_cast<std::int64_t>(operation.getArg(0)); break;
      case llvm::dwarf::DW_OP_stack_value: break;
      case llvm::dwarf::DW_OP_LLVM_fragment:
        if (operation.getArg(0) % 8 != 0 || operation.getArg(1) % 8 != 0) return std::nullopt;
        meaning.offset = operation.getArg(0) / 8;
        meaning.size = operation.getArg(1) / 8;
        break;
      default: return std::nullopt;
    }
  }
  const bool isNumber = type->isIntegerTy() || type->isPointerTy();
  if (meaning.added != 0 && !isNumber) return std::nullopt;
  return meaning;
}

class FunctionVariables {
 public:
  explicit FunctionVariables(llvm::Function& function)
      : function_(function),
        layout_(function.getParent()->getDataLayout()),
        first_(*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  void show() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        records_[{record.getVariable(), record.getDebugLoc().getInlinedAt()}].push_back(&record);
      }
    }
    for (const auto& [key, records] : records_) show(records);
  }

 private:
  using Records = std::vector<llvm::DbgVariableRecord*>;

  void show(const Records& records) {
    if (records.size() == 1 && records[0]->isDbgDeclare()) return showDeclared(*records[0]);
    const std::uint64_t size = records[0]->getVariable()->getSizeInBits().value_or(0) / 8;
    std::vector<Meaning> meanings;
    for (llvm::DbgVariableRecord* record : records) {
      const auto meaning = meaningOf(*record);
      if (meaning && size != 0) meanings.push_back(*meaning);
    }
    // A variable whose value is not known somewhere is not shown at all: what it was before would be shown there.
    if (meanings.size() == records.size()) {
      llvm::AllocaInst* const place = addPlace(size);
      for (std::size_t i = 0; i < records.size(); ++i) store(meanings[i], *records[i], place, size);
      declare(*records[0], place, {llvm::dwarf::DW_OP_plus_uconst, kFlagBytes});
    }
    for (llvm::DbgVariableRecord* record : records) record->eraseFromParent();
  }

  // A variable in memory. What is no stack slot of the function is an address, which is kept in one.
  void showDeclared(llvm::DbgVariableRecord& record) {
    llvm::Value* const address = record.getAddress();
    auto* const variable = llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
    if (variable != nullptr && variable->isStaticAlloca()) return;
    if (address != nullptr && !llvm::isa<llvm::UndefValue>(address) && address->getType()->isPointerTy()) {
      llvm::AllocaInst* const place = addPlace(layout_.getPointerSize());
      llvm::IRBuilder<> builder(function_.getContext());
      if (placeAfter(builder, *address)) {
        builder.CreateStore(address, at(builder, place, kFlagBytes));
        llvm::SmallVector<std::uint64_t, 8> operations = {llvm::dwarf::DW_OP_plus_uconst, kFlagBytes, llvm::dwarf::DW_OP_deref};
        const auto more = record.getExpression()->getElements();
        operations.append(more.begin(), more.end());
        declare(record, place, operations);
      }
    }
    record.eraseFromParent();
  }

  llvm::AllocaInst* addPlace(std::uint64_t size) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    auto* const bytes = llvm::ArrayType::get(builder.getInt8Ty(), kFlagBytes + size);
    llvm::AllocaInst* const place = builder.CreateAlloca(bytes);
    place->setAlignment(llvm::Align(16));
    builder.SetInsertPoint(&first_);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    builder.CreateStore(builder.getInt64(0), place);
    return place;
  }

  static llvm::Value* at(llvm::IRBuilder<>& builder, llvm::Value* place, std::uint64_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), place, offset);
  }

  // Where an address is known, which may be after the record that mentions it.
  bool placeAfter(llvm::IRBuilder<>& builder, llvm::Value& address) {
    builder.SetInsertPoint(&first_);
    if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&address)) {
      const auto after = instruction->getInsertionPointAfterDef();
      if (!after) return false;
      builder.SetInsertPoint((*after)->getParent(), *after);
    }
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    return true;
  }

  // Where a record is. False: nothing can be done there.
  bool placeStore(llvm::IRBuilder<>& builder, llvm::DbgVariableRecord& record) {
    llvm::Instruction* const next = record.getMarker() == nullptr ? nullptr : record.getMarker()->MarkedInstr;
    llvm::BasicBlock* const block = record.getParent();
    if (next == nullptr || block == nullptr) return false;
    if (llvm::isa<llvm::AllocaInst>(next) && block->isEntryBlock()) {
      builder.SetInsertPoint(&first_);
    } else if (llvm::isa<llvm::PHINode>(next) || next->isEHPad()) {
      const auto first = block->getFirstInsertionPt();
      if (first == block->end()) return false;
      builder.SetInsertPoint(block, first);
    } else {
      builder.SetInsertPoint(next);
    }
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    return true;
  }

  void store(const Meaning& meaning, llvm::DbgVariableRecord& record, llvm::AllocaInst* place, std::uint64_t size) {
    llvm::IRBuilder<> builder(function_.getContext());
    if (!placeStore(builder, record)) return;
    llvm::Value* value = meaning.value;
    const std::uint64_t room = std::min(meaning.size == 0 ? size : meaning.size, size - std::min(size, meaning.offset));
    if (meaning.added != 0) {
      if (value->getType()->isPointerTy()) value = builder.CreatePtrToInt(value, builder.getInt64Ty());
      value = builder.CreateAdd(value, llvm::ConstantInt::get(value->getType(), static_cast<std::uint64_t>(meaning.added)));
    }
    if (value->getType()->isIntegerTy())
      value = builder.CreateZExtOrTrunc(value, builder.getIntNTy(static_cast<unsigned>(room * 8)));
    if (room == 0 || layout_.getTypeStoreSize(value->getType()) > room) return;
    builder.CreateAlignedStore(value, at(builder, place, kFlagBytes + meaning.offset), llvm::Align(1));
    builder.CreateStore(builder.getInt64(1), place);
  }

  void declare(const llvm::DbgVariableRecord& like, llvm::AllocaInst* place, llvm::ArrayRef<std::uint64_t> operations) {
    auto* const record = llvm::DbgVariableRecord::createDVRDeclare(
        place, like.getVariable(), llvm::DIExpression::get(function_.getContext(), operations), like.getDebugLoc().get());
    function_.getEntryBlock().insertDbgRecordBefore(record, first_.getIterator());
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::Instruction& first_;  // of the function, after its stack slots
  std::map<std::pair<const llvm::DILocalVariable*, const llvm::DILocation*>, Records> records_;
};

}  // namespace

void showVariables(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("frame-pointer", "all");
    if (function.hasFnAttribute(kLibraryAttribute)) {
      llvm::stripDebugInfo(function);
    } else if (function.getSubprogram() != nullptr) {
      FunctionVariables(function).show();
    }
  }
}

}  // namespace heddle::native
