#include "native/instrument/dependencies.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "abi/heddle_kinds.h"
#include "native/instrument/control_flow.h"
#include "native/instrument/control_scopes.h"
#include "native/instrument/globals.h"
#include "runtime/hook_names.h"
#include "runtime/symbols.h"

namespace heddle::native {
namespace {

namespace hook = runtime::hook_names;

// A variable on the native stack, or an argument that was copied there, with its words.
struct PrivateVariable {
  std::uint64_t size = 0;
  std::uint64_t part = 0;  // bytes that share a word
  llvm::AllocaInst* words = nullptr;
};

constexpr std::uint64_t kUnknown = ~std::uint64_t{0};  // an offset or a size

struct PrivatePlace {
  const PrivateVariable* variable;
  std::uint64_t offset;
};

std::uint64_t knownLength(const llvm::Value& length) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&length);
  return constant ? constant->getZExtValue() : kUnknown;
}

class Dependencies {
 public:
  Dependencies(Instrumentation& instrumentation, llvm::Function& function)
      : ins_(instrumentation),
        function_(function),
        layout_(instrumentation.module.getDataLayout()),
        word_(llvm::Type::getInt32Ty(instrumentation.module.getContext())),
        none_(llvm::ConstantInt::get(word_, 0)) {}

  void track() {
    start_ = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    splitInvokes();
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) blocks.push_back(block);
    std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis;
    std::vector<llvm::Instruction*> instructions;
    for (llvm::BasicBlock* block : blocks) {
      for (llvm::Instruction& instruction : *block) instructions.push_back(&instruction);
    }
    findPrivateVariables(instructions);
    for (llvm::Instruction* instruction : instructions) {
      auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction);
      if (!phi) continue;
      auto* const set = llvm::PHINode::Create(word_, phi->getNumIncomingValues(), "", phi->getIterator());
      sets_[phi] = set;
      phis.emplace_back(phi, set);
    }
    takeArguments();
    for (llvm::Instruction* instruction : instructions) visit(*instruction);
    if (ins_.options.controlEnds) keepScopes();
    for (const auto& [phi, set] : phis) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        set->addIncoming(setOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    }
  }

 private:
  // ---- Sets.

  llvm::Value* setOf(const llvm::Value* value) const {
    const auto found = sets_.find(value);
    return found == sets_.end() ? none_ : found->second;
  }
  bool isNone(const llvm::Value* set) const { return set == none_; }

  llvm::Value* join(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
    if (isNone(a) || a == b) return b;
    if (isNone(b)) return a;
    return builder.CreateCall(ins_.hooks.joinDependencies, {a, b});
  }
  template <class Values>
  llvm::Value* joinOf(llvm::IRBuilder<>& builder, Values&& values) {
    llvm::Value* all = none_;
    for (const llvm::Value* value : values) all = join(builder, all, setOf(value));
    return all;
  }

  llvm::GlobalVariable* variable(const char* name) {
    return llvm::cast<llvm::GlobalVariable>(ins_.module.getOrInsertGlobal(name, word_));
  }
  void say(llvm::IRBuilder<>& builder, const char* name, llvm::Value* set) { builder.CreateStore(set, variable(name)); }
  void noteControl(llvm::IRBuilder<>& builder, llvm::Value* set) {
    if (!isNone(set) && !ins_.options.controlEnds) builder.CreateCall(ins_.hooks.noteControl, {set});
  }
  void noteStore(llvm::IRBuilder<>& builder, llvm::Value* address) {
    if (!isNone(address) && ins_.options.controlEnds) builder.CreateCall(ins_.hooks.noteStore, {address});
  }
  llvm::Value* argumentPlace(llvm::IRBuilder<>& builder, unsigned number) {
    llvm::Type* const array = llvm::ArrayType::get(word_, HEDDLE_TRACKED_ARGUMENTS);
    llvm::Value* const all = ins_.module.getOrInsertGlobal(hook::heddle_argument_dependencies, array);
    return builder.CreateConstInBoundsGEP2_32(array, all, 0, std::min(number, HEDDLE_TRACKED_ARGUMENTS - 1u));
  }

  // ---- Private variables.

  std::optional<PrivatePlace> privatePlace(llvm::Value* address) const {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    const llvm::Value* base = address->stripAndAccumulateConstantOffsets(layout_, offset, true);
    bool known = true;
    while (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(base)) {
      known = false;
      base = element->getPointerOperand()->stripPointerCasts();
    }
    const auto found = private_.find(base);
    if (found == private_.end()) return std::nullopt;
    const std::int64_t at = offset.getSExtValue();
    if (!known || at < 0) return PrivatePlace{&found->second, kUnknown};
    return PrivatePlace{&found->second, static_cast<std::uint64_t>(at)};
  }

  std::uint64_t sizeOf(llvm::Type* type) const { return layout_.getTypeStoreSize(type).getFixedValue(); }

  // Which variables there are, and how large the parts are that loads and stores keep apart.
  void findPrivateVariables(const std::vector<llvm::Instruction*>& instructions) {
    for (llvm::Instruction* instruction : instructions) {
      const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(instruction);
      if (!alloca) continue;
      const auto size = alloca->getAllocationSize(layout_);
      const std::uint64_t bytes = size && !size->isScalable() ? size->getFixedValue() : 0;
      private_[alloca] = {.size = bytes, .part = bytes};
    }
    for (llvm::Argument& argument : function_.args()) {
      if (!argument.hasByValAttr()) continue;
      const std::uint64_t bytes = sizeOf(argument.getParamByValType());
      private_[&argument] = {.size = bytes, .part = bytes};
    }
    const auto note = [&](llvm::Value* address, std::uint64_t size) {
      const auto place = privatePlace(address);
      if (!place || place->offset == kUnknown) return;
      auto& part = const_cast<PrivateVariable*>(place->variable)->part;
      part = std::gcd(std::gcd(part, place->offset), size);
    };
    for (llvm::Instruction* instruction : instructions) {
      if (llvm::Value* address = llvm::getLoadStorePointerOperand(instruction))
        note(address, sizeOf(llvm::getLoadStoreType(instruction)));
    }
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    for (auto& [base, variable] : private_) {
      const std::uint64_t parts = variable.part == 0 ? 1 : variable.size / variable.part;
      variable.words = builder.CreateAlloca(llvm::ArrayType::get(word_, parts));
      builder.CreateStore(llvm::Constant::getNullValue(variable.words->getAllocatedType()), variable.words);
    }
  }

  static bool isExact(const PrivatePlace& place, std::uint64_t size) {
    return place.offset != kUnknown && size != kUnknown && place.variable->part != 0;
  }
  // Calls `visit` with the place of each word of these bytes.
  template <class Visit>
  void forEachWord(llvm::IRBuilder<>& builder, const PrivatePlace& place, std::uint64_t size, Visit&& visit) {
    const PrivateVariable& of = *place.variable;
    const std::uint64_t parts = of.part == 0 ? 1 : of.size / of.part;
    std::uint64_t first = 0, end = parts;
    if (isExact(place, size)) {
      first = std::min(parts, place.offset / of.part);
      end = std::min(parts, (place.offset + size + of.part - 1) / of.part);
    }
    for (std::uint64_t i = first; i < end; ++i)
      visit(builder.CreateConstInBoundsGEP2_64(of.words->getAllocatedType(), of.words, 0, i));
  }
  llvm::Value* loadPrivate(llvm::IRBuilder<>& builder, const PrivatePlace& place, std::uint64_t size) {
    llvm::Value* all = none_;
    forEachWord(builder, place, size, [&](llvm::Value* word) { all = join(builder, all, builder.CreateLoad(word_, word)); });
    return all;
  }
  // What is overwritten as a whole does not depend on what was there.
  void storePrivate(llvm::IRBuilder<>& builder, const PrivatePlace& place, std::uint64_t size, llvm::Value* set) {
    const bool exact = isExact(place, size);
    forEachWord(builder, place, size, [&](llvm::Value* word) {
      builder.CreateStore(exact ? set : join(builder, set, builder.CreateLoad(word_, word)), word);
    });
  }

  // ---- The function.

  // What an invoke returns has its set where it comes back.
  void splitInvokes() {
    std::vector<llvm::InvokeInst*> invokes;
    for (llvm::BasicBlock& block : function_) {
      if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator())) invokes.push_back(invoke);
    }
    for (llvm::InvokeInst* invoke : invokes) {
      if (!invoke->getNormalDest()->getSinglePredecessor()) splitEdge(*invoke->getParent(), *invoke->getNormalDest());
    }
  }

  void takeArguments() {
    llvm::IRBuilder<> builder(start_);
    for (llvm::Argument& argument : function_.args()) {
      if (argument.use_empty()) continue;
      llvm::Value* const set = builder.CreateLoad(word_, argumentPlace(builder, argument.getArgNo()));
      if (argument.hasByValAttr()) {
        storePrivate(builder, *privatePlace(&argument), kUnknown, set);
      } else {
        sets_[&argument] = set;
      }
    }
  }

  static bool isOwn(const llvm::Instruction& access) {
    return access.hasMetadata(kOwnAccess) || isRuntimeVariable(llvm::getLoadStorePointerOperand(&access));
  }

  void visit(llvm::Instruction& instruction) {
    llvm::IRBuilder<> builder(&instruction);
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::LandingPadInst>(instruction)) return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      visitLoad(builder, *load);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      visitStore(*store);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      visitCall(builder, *call);
    } else if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      const auto* before = llvm::dyn_cast_or_null<llvm::CallInst>(result->getPrevNode());
      if (!result->getReturnValue() || (before && before->isMustTailCall())) return;
      say(builder, hook::heddle_returned_dependencies, setOf(result->getReturnValue()));
    } else if (instruction.isTerminator()) {
      for (const llvm::Value* operand : instruction.operands()) {
        if (!llvm::isa<llvm::BasicBlock, llvm::Constant>(operand)) noteControl(builder, setOf(operand));
      }
    } else if (!instruction.getType()->isVoidTy()) {
      sets_[&instruction] = joinOf(builder, instruction.operand_values());
    }
  }

  void visitLoad(llvm::IRBuilder<>& builder, llvm::LoadInst& load) {
    if (isOwn(load)) return;
    llvm::Value* const address = load.getPointerOperand();
    const std::uint64_t size = sizeOf(load.getType());
    if (const auto place = privatePlace(address)) {
      sets_[&load] = loadPrivate(builder, *place, size);
      return;
    }
    noteControl(builder, setOf(address));
    llvm::Value* const memory = builder.CreateCall(ins_.hooks.loadDependencies, {address, builder.getInt64(size)});
    sets_[&load] = join(builder, memory, setOf(address));
  }

  void visitStore(llvm::StoreInst& store) {
    if (isOwn(store)) return;
    llvm::IRBuilder<> builder(store.getNextNode());
    llvm::Value* const address = store.getPointerOperand();
    const std::uint64_t size = sizeOf(store.getValueOperand()->getType());
    if (const auto place = privatePlace(address)) return storePrivate(builder, *place, size, setOf(store.getValueOperand()));
    storeMemory(builder, address, builder.getInt64(size), setOf(store.getValueOperand()));
  }
  void storeMemory(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* size, llvm::Value* set) {
    noteControl(builder, setOf(address));
    noteStore(builder, setOf(address));
    builder.CreateCall(ins_.hooks.storeDependencies, {address, size, join(builder, set, setOf(address))});
  }

  // ---- Control that ends (control_scopes.h).

  // A branch has a word on the native stack: what its scope depends on. What comes into a block of other scopes says what it
  // depends on, and a function ends with what it began with.
  void keepScopes() {
    const ControlScopes scopes = findControlScopes(function_);
    if (scopes.empty()) return;
    llvm::IRBuilder<> builder(start_);
    llvm::Value* const outside = builder.CreateLoad(word_, variable(hook::heddle_control));
    llvm::MapVector<llvm::BasicBlock*, llvm::AllocaInst*> words;
    for (llvm::BasicBlock& block : function_) {
      for (llvm::BasicBlock* branch : scopes.lookup(&block)) {
        llvm::AllocaInst*& word = words[branch];
        if (word) continue;
        llvm::BasicBlock& entry = function_.getEntryBlock();
        word = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(word_);
        builder.CreateStore(none_, word);
      }
    }
    for (const auto& [branch, word] : words) {
      builder.SetInsertPoint(branch->getTerminator());
      llvm::Value* set = builder.CreateLoad(word_, variable(hook::heddle_control));
      for (const llvm::Value* operand : branch->getTerminator()->operands()) {
        if (!llvm::isa<llvm::BasicBlock, llvm::Constant>(operand)) set = join(builder, set, setOf(operand));
      }
      builder.CreateStore(set, word);
      for (const auto& [inner, ofInner] : words) {
        if (inner != branch && llvm::is_contained(scopes.lookup(inner), branch)) builder.CreateStore(none_, ofInner);
      }
    }
    for (llvm::BasicBlock& block : function_) {
      const auto scope = scopes.lookup(&block);
      const bool isSame = llvm::all_of(llvm::predecessors(&block), [&](llvm::BasicBlock* before) {
        return !words.contains(before) && scopes.lookup(before) == scope;
      });
      if (!isSame) enterScope(block, outside, scope, words);
      if (scope.empty() || !llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
      builder.SetInsertPoint(block.getTerminator());
      say(builder, hook::heddle_control, outside);
    }
  }
  template <class Scope, class Words>
  void enterScope(llvm::BasicBlock& block, llvm::Value* outside, const Scope& scope, const Words& words) {
    if (&block == &function_.getEntryBlock()) return;
    llvm::IRBuilder<> builder(&*block.getFirstInsertionPt());
    llvm::Value* set = outside;
    for (llvm::BasicBlock* branch : scope) set = join(builder, set, builder.CreateLoad(word_, words.lookup(branch)));
    say(builder, hook::heddle_control, set);
  }

  // ---- Calls.

  void visitCall(llvm::IRBuilder<>& builder, llvm::CallBase& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
      visitNativeRange(*range);
    } else if (call.isInlineAsm() || (callee && callee->isIntrinsic())) {
      if (!call.getType()->isVoidTy()) sets_[&call] = joinOf(builder, call.args());
    } else if (callee && callee->isDeclaration() && runtime::runtimeSymbols().contains(view(*callee))) {
      visitHook(builder, call, view(*callee));
    } else if (callee && callee->isDeclaration()) {
      // A function of the host, which computes.
      if (!call.getType()->isVoidTy()) sets_[&call] = joinOf(builder, call.args());
    } else {
      visitCallOfCode(builder, call);
    }
  }
  static std::string_view view(const llvm::Function& function) {
    return {function.getName().data(), function.getName().size()};
  }

  // Where the builder can go on after the call, if it returns.
  static llvm::Instruction* afterCall(llvm::CallBase& call) {
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) return &*invoke->getNormalDest()->getFirstInsertionPt();
    if (call.isTerminator() || call.isMustTailCall()) return nullptr;
    return call.getNextNode();
  }

  void visitCallOfCode(llvm::IRBuilder<>& builder, llvm::CallBase& call) {
    noteControl(builder, setOf(call.getCalledOperand()));
    const unsigned fixed = call.getFunctionType()->getNumParams();
    llvm::Value* beyond = none_;  // those that have no place of their own
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      llvm::Value* set = setOf(call.getArgOperand(i));
      if (call.isByValArgument(i)) {
        const auto place = privatePlace(call.getArgOperand(i));
        llvm::Value* const size = builder.getInt64(sizeOf(call.getParamByValType(i)));
        set = join(builder, set,
                   place ? loadPrivate(builder, *place, kUnknown)
                         : builder.CreateCall(ins_.hooks.loadDependencies, {call.getArgOperand(i), size}));
      }
      if (i >= fixed || i >= HEDDLE_TRACKED_ARGUMENTS - 1) {
        beyond = join(builder, beyond, set);
      } else {
        builder.CreateStore(set, argumentPlace(builder, i));
      }
    }
    builder.CreateStore(beyond, argumentPlace(builder, HEDDLE_TRACKED_ARGUMENTS - 1));
    if (call.arg_size() > fixed) noteControl(builder, beyond);
    if (call.getType()->isVoidTy() || call.isMustTailCall()) return;
    say(builder, hook::heddle_returned_dependencies, none_);
    if (llvm::Instruction* after = afterCall(call)) {
      builder.SetInsertPoint(after);
      sets_[&call] = builder.CreateLoad(word_, variable(hook::heddle_returned_dependencies));
    }
  }

  // Between variables on the native stack.
  void visitNativeRange(llvm::MemIntrinsic& range) {
    llvm::IRBuilder<> builder(range.getNextNode());
    const auto to = privatePlace(range.getRawDest());
    const std::uint64_t size = knownLength(*range.getLength());
    llvm::Value* set = setOf(range.getLength());
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&range)) {
      const auto from = privatePlace(copy->getRawSource());
      if (from) set = join(builder, set, loadPrivate(builder, *from, size));
    } else {
      set = join(builder, set, setOf(llvm::cast<llvm::MemSetInst>(range).getValue()));
    }
    if (to) storePrivate(builder, *to, size, set);
  }

  void visitHook(llvm::IRBuilder<>& builder, llvm::CallBase& call, std::string_view name) {
    if (name == hook::heddle_copy) return visitCopy(builder, call);
    if (name.starts_with("heddle_plain_")) {
      say(builder, hook::heddle_address_dependencies, setOf(call.getArgOperand(0)));
      say(builder, hook::heddle_data_dependencies, call.arg_size() > 3 ? setOf(call.getArgOperand(3)) : none_);
      return;
    }
    if (name == hook::heddle_set) {
      say(builder, hook::heddle_address_dependencies, setOf(call.getArgOperand(0)));
      say(builder, hook::heddle_data_dependencies, setOf(call.getArgOperand(1)));
      builder.SetInsertPoint(call.getNextNode());
      llvm::Value* const size = call.getArgOperand(2);
      llvm::Value* const set = join(builder, setOf(call.getArgOperand(1)), setOf(size));
      if (const auto place = privatePlace(call.getArgOperand(0))) return storePrivate(builder, *place, kUnknown, set);
      return storeMemory(builder, call.getArgOperand(0), size, set);
    }
    visitOperation(builder, call, name);
  }

  // An operation for the explorer, or something that is none.
  void visitOperation(llvm::IRBuilder<>& builder, llvm::CallBase& call, std::string_view name) {
    llvm::Value *address = none_, *data = none_;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      llvm::Value* const argument = call.getArgOperand(i);
      if (i == 0 && argument->getType()->isPointerTy()) {
        address = setOf(argument);
        continue;
      }
      data = join(builder, data, setOf(argument));
      // A value of 16 bytes, by reference.
      if (argument->getType()->isPointerTy()) {
        if (const auto place = privatePlace(argument)) data = join(builder, data, loadPrivate(builder, *place, kUnknown));
      }
    }
    const bool isAccess = name.starts_with("heddle_atomic_");
    if (!isAccess) {
      noteControl(builder, address);
      noteControl(builder, data);
    }
    if (runtime::isHookWith(runtime::kQuickHook, name)) return;  // it only computes
    say(builder, hook::heddle_address_dependencies, address);
    say(builder, hook::heddle_data_dependencies, data);
    llvm::Instruction* const after = call.doesNotReturn() ? nullptr : afterCall(call);
    if (!after) return;
    builder.SetInsertPoint(after);
    llvm::Value* const set = builder.CreateLoad(word_, variable(hook::heddle_result_dependencies));
    say(builder, hook::heddle_result_dependencies, none_);
    if (!call.getType()->isVoidTy()) sets_[&call] = set;
    for (unsigned i = 1; isAccess && i < call.arg_size(); ++i) {
      if (!call.getArgOperand(i)->getType()->isPointerTy()) continue;
      if (const auto place = privatePlace(call.getArgOperand(i))) storePrivate(builder, *place, kUnknown, set);
    }
  }

  void visitCopy(llvm::IRBuilder<>& builder, llvm::CallBase& call) {
    llvm::Value *const toAddress = call.getArgOperand(0), *const fromAddress = call.getArgOperand(1);
    llvm::Value* const size = call.getArgOperand(2);
    const auto to = privatePlace(toAddress), from = privatePlace(fromAddress);
    const std::uint64_t bytes = knownLength(*size);
    llvm::Value* set = join(builder, setOf(size), join(builder, setOf(toAddress), setOf(fromAddress)));
    noteControl(builder, set);
    if (!to) noteStore(builder, setOf(toAddress));
    if (from) set = join(builder, set, loadPrivate(builder, *from, bytes));
    say(builder, hook::heddle_address_dependencies, join(builder, setOf(toAddress), setOf(fromAddress)));
    say(builder, hook::heddle_data_dependencies, set);
    if (!from && !to) builder.CreateCall(ins_.hooks.beginCopy, {fromAddress, size});
    builder.SetInsertPoint(call.getNextNode());
    if (to) {
      if (!from) set = join(builder, set, builder.CreateCall(ins_.hooks.loadDependencies, {fromAddress, size}));
      storePrivate(builder, *to, bytes, set);
    } else if (from) {
      builder.CreateCall(ins_.hooks.storeDependencies, {toAddress, size, set});
    } else {
      builder.CreateCall(ins_.hooks.endCopy, {toAddress, fromAddress, size, set});
    }
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::Type* word_;
  llvm::Value* none_;
  llvm::Instruction* start_ = nullptr;                            // the first one of the program's own
  llvm::DenseMap<const llvm::Value*, llvm::Value*> sets_;         // what is not in it depends on nothing
  llvm::MapVector<const llvm::Value*, PrivateVariable> private_;  // in the order of the code
};

}  // namespace

void trackDependencies(Instrumentation& instrumentation, llvm::Function& function) {
  Dependencies(instrumentation, function).track();
}

}  // namespace heddle::native
