#include "native/jit/computation.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include "native/compile/link.h"
#include "native/instrument/control_flow.h"
#include "runtime/symbols.h"

namespace heddle::native {
namespace {

constexpr std::uint64_t kManyRounds = 1000;  // take about as long as one step of the exploration

// The hooks that are part of ordinary computation. Every other one is an operation that takes longer than a few rounds
// of a loop.
bool isVisible(llvm::StringRef hook) { return hook.starts_with("heddle_") && !runtime::isHookWith(runtime::kQuickHook, hook); }

class Computation {
 public:
  explicit Computation(llvm::Module& module) : module_(module), library_(llvm::Triple(module.getTargetTriple())) {
    std::vector<const llvm::Function*> work;
    for (const llvm::Function& function : module)
      if (function.isDeclaration() && isVisible(function.getName())) work.push_back(&function);
    while (!work.empty()) {
      const llvm::Function* const function = work.back();
      work.pop_back();
      if (!visible_.insert(function).second) continue;
      for (const llvm::User* user : function->users())
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == function)
          work.push_back(call->getFunction());
    }
  }

  bool any() {
    bool found = false;
    for (llvm::Function& function : module_)
      if (isOwn(function) && loopsLong(function)) return true;
    forEachRecursion([&](const llvm::Function&) { found = true; });
    return found;
  }

  std::unordered_set<const llvm::Function*> all() {
    std::vector<const llvm::Function*> work;
    for (llvm::Function& function : module_)
      if (isOwn(function) && loopsLong(function)) work.push_back(&function);
    forEachRecursion([&](const llvm::Function& function) { work.push_back(&function); });
    std::unordered_set<const llvm::Function*> functions;
    while (!work.empty()) {
      const llvm::Function* const function = work.back();
      work.pop_back();
      if (!functions.insert(function).second) continue;
      for (const llvm::Instruction& instruction : llvm::instructions(*function))
        if (const llvm::Function* callee = calleeOf(instruction); callee && isOwn(*callee)) work.push_back(callee);
    }
    return functions;
  }

 private:
  static bool isOwn(const llvm::Function& function) {
    return !function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Cold) &&
           !function.hasFnAttribute(kLibraryAttribute);
  }

  bool isVisibleLoop(const llvm::Loop& loop) const {
    return std::any_of(loop.block_begin(), loop.block_end(), [&](const llvm::BasicBlock* block) {
      return std::any_of(block->begin(), block->end(), [&](const llvm::Instruction& instruction) {
        const llvm::Function* callee = calleeOf(instruction);
        return callee && visible_.count(callee) != 0;
      });
    });
  }

  // The condition of && or ||, some of which is a constant when the first half decides.
  static bool isShortCircuit(const llvm::PHINode* condition, const llvm::Loop& loop) {
    if (!condition || condition->getParent() == loop.getHeader() || !loop.contains(condition)) return false;
    return llvm::any_of(condition->incoming_values(), [](const llvm::Use& value) { return llvm::isa<llvm::Constant>(value); });
  }

  // The constant that a counter of the loop must reach, 0 if there is none: how often the loop goes round if the
  // counter does not begin below zero, as in for (i = first; i < 8; i += 2).
  static std::uint64_t limit(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    llvm::SmallVector<llvm::BasicBlock*> exits;
    loop.getExitingBlocks(exits);
    llvm::SmallSetVector<llvm::BasicBlock*, 8> deciding(exits.begin(), exits.end());
    for (std::size_t i = 0; i < deciding.size(); ++i) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(deciding[i]->getTerminator());
      if (!branch || !branch->isConditional()) continue;
      if (const auto* either = llvm::dyn_cast<llvm::PHINode>(branch->getCondition()); isShortCircuit(either, loop)) {
        deciding.insert(either->block_begin(), either->block_end());  // where the first half is decided
      }
      const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
      const auto* bound = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
      if (!bound || !bound->getValue().isStrictlyPositive() || bound->getValue().getActiveBits() > 32) continue;
      const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(compare->getOperand(0)));
      if (!counter || counter->getLoop() != &loop) continue;
      if (evolution.isKnownPositive(counter->getStepRecurrence(evolution))) return bound->getZExtValue();
    }
    return 0;
  }

  // How often the loop goes round in all, once in the outermost one without a visible operation.
  std::uint64_t rounds(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) const {
    std::uint64_t product = 1;
    for (const llvm::Loop* l = &loop; l && !isVisibleLoop(*l); l = l->getParentLoop()) {
      std::uint64_t times = evolution.getSmallConstantMaxTripCount(const_cast<llvm::Loop*>(l));
      if (const std::uint64_t most = limit(*l, evolution); times == 0 || (most != 0 && most < times)) times = most;
      if (times == 0 || product * times > kManyRounds) return std::numeric_limits<std::uint64_t>::max();
      product *= times;
    }
    return product;
  }

  bool loopsLong(llvm::Function& function) {
    if (!hasLoop(function)) return false;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    llvm::AssumptionCache assumptions(function);
    llvm::TargetLibraryInfo library(library_);
    llvm::ScalarEvolution evolution(function, library, assumptions, dominators, loops);
    const auto all = loops.getLoopsInPreorder();
    return std::any_of(all.begin(), all.end(), [&](const llvm::Loop* loop) { return rounds(*loop, evolution) > kManyRounds; });
  }

  // The functions of the program's own that call each other without a visible operation.
  template <class F>
  void forEachRecursion(F&& visit) {
    llvm::CallGraph graph(module_);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
      if (!component.hasCycle()) continue;
      for (const llvm::CallGraphNode* node : *component) {
        const llvm::Function* const function = node->getFunction();
        if (function && isOwn(*function) && visible_.count(function) == 0) visit(*function);
      }
    }
  }

  llvm::Module& module_;
  llvm::TargetLibraryInfoImpl library_;
  std::unordered_set<const llvm::Function*> visible_;  // in which there may be a visible operation
};

}  // namespace

bool computes(llvm::Module& module) { return Computation(module).any(); }

std::unordered_set<const llvm::Function*> computingFunctions(llvm::Module& module) { return Computation(module).all(); }

bool hasLoop(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

}  // namespace heddle::native
