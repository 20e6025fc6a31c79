#include "native/instrument/uninitialised.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "native/instrument/dangling_uses.h"
#include "native/instrument/local_variables.h"

namespace heddle::native {
namespace {

constexpr std::size_t kMaxLeaves = 16;  // of a structure that is copied part by part

bool isConstantSource(const LocalUse& use) {
  const auto* copy = llvm::cast<llvm::MemTransferInst>(use.instruction);
  const auto* source = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(copy->getRawSource(), 0));
  return source && source->isConstant();
}

// Is it loaded to be written or compared as a whole? Then the holes in a structure are no use of a value.
bool isAtomicOperand(const llvm::LoadInst& load) {
  return llvm::all_of(load.uses(), [](const llvm::Use& use) {
    const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(use.getUser());
    if (rmw) return rmw->getOperation() == llvm::AtomicRMWInst::Xchg && use.getOperandNo() == 1;
    return llvm::isa<llvm::AtomicCmpXchgInst>(use.getUser()) && use.getOperandNo() != 0;
  });
}

// A variable that can become SSA values.
struct LocalVariable {
  llvm::AllocaInst* address = nullptr;
  std::vector<LocalUse> uses;
  std::vector<std::uint64_t> cuts;  // the bytes fall into atoms at these offsets
  unsigned firstAtom = 0;
};

// A variable is uninitialised again where a new life of it begins, and where one ends.
LocalVariable withLives(llvm::AllocaInst& alloca, std::vector<LocalUse> uses) {
  const std::optional<llvm::TypeSize> size = alloca.getAllocationSize(alloca.getModule()->getDataLayout());
  for (llvm::Instruction* marker : lifetimeMarkers(alloca)) {
    uses.push_back({LocalUse::Kind::life, marker, 0, size->getFixedValue(), false});
  }
  return {&alloca, std::move(uses), {}, 0};
}

// Which bytes of which variables are certainly written where. The bytes of a variable are grouped into atoms, which
// every use covers wholly or not at all; an atom is a bit of the data flow.
class DefiniteInitialisation {
 public:
  DefiniteInitialisation(llvm::Function& function, std::vector<LocalVariable>& variables) : function_(function) {
    for (LocalVariable& variable : variables) number(variable);
    solve();
  }

  unsigned atomCount() const { return atoms_; }
  const llvm::BitVector& atEntry(const llvm::BasicBlock& block) const { return in_.at(&block); }

  llvm::BitVector atoms(const LocalVariable& variable, const LocalUse& use) const {
    llvm::BitVector bits(atoms_);
    for (std::size_t i = 0; i + 1 < variable.cuts.size(); ++i) {
      const bool overlaps = variable.cuts[i] < use.end() && variable.cuts[i + 1] > use.offset;
      if (overlaps) bits.set(variable.firstAtom + static_cast<unsigned>(i));
    }
    return bits;
  }

  // The atoms in which there is nothing but holes between the members of a structure.
  llvm::BitVector holes(const LocalVariable& variable) const {
    llvm::BitVector bits(atoms_);
    const llvm::DataLayout& layout = variable.address->getModule()->getDataLayout();
    const auto leaves = leavesOf(variable.address->getAllocatedType(), kMaxLeaves, layout);
    for (std::size_t i = 0; leaves && i + 1 < variable.cuts.size(); ++i) {
      const bool hole = llvm::none_of(*leaves, [&](const Leaf& leaf) {
        return leaf.offset < variable.cuts[i + 1] && leaf.offset + layout.getTypeStoreSize(leaf.type) > variable.cuts[i];
      });
      if (hole) bits.set(variable.firstAtom + static_cast<unsigned>(i));
    }
    return bits;
  }

  // What a use does to the set of bytes that are written.
  void apply(const LocalVariable& variable, const LocalUse& use, llvm::BitVector& written) const {
    if (use.writes()) written |= atoms(variable, use);
    if (use.kind == LocalUse::Kind::life) written.reset(atoms(variable, use));
  }

  // The uses in a block, in order, with their atoms.
  struct Step {
    const LocalVariable* variable;
    const LocalUse* use;
  };
  const std::vector<Step>& steps(const llvm::BasicBlock& block) const {
    static const std::vector<Step> kNone;
    const auto found = steps_.find(&block);
    return found == steps_.end() ? kNone : found->second;
  }

 private:
  void number(LocalVariable& variable) {
    std::set<std::uint64_t> cuts;
    for (const LocalUse& use : variable.uses) {
      lives_ |= use.kind == LocalUse::Kind::life;
      cuts.insert(use.offset);
      cuts.insert(use.end());
      steps_[use.instruction->getParent()].push_back({&variable, &use});
    }
    variable.cuts.assign(cuts.begin(), cuts.end());
    variable.firstAtom = atoms_;
    if (!variable.cuts.empty()) atoms_ += static_cast<unsigned>(variable.cuts.size() - 1);
  }

  void solve() {
    for (auto& [block, steps] : steps_) {
      std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
        return a.use->instruction != b.use->instruction && a.use->instruction->comesBefore(b.use->instruction);
      });
    }
    std::unordered_map<const llvm::BasicBlock*, llvm::BitVector> written, kept;  // if nothing is before; if all is
    for (llvm::BasicBlock& block : function_) {
      llvm::BitVector& bits = written[&block] = llvm::BitVector(atoms_);
      for (const Step& step : steps(block)) apply(*step.variable, *step.use, bits);
      in_[&block] = llvm::BitVector(atoms_, true);
      if (!lives_) continue;
      llvm::BitVector& rest = kept[&block] = in_[&block];
      for (const Step& step : steps(block)) apply(*step.variable, *step.use, rest);
    }
    in_[&function_.getEntryBlock()].reset();
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : order) {
        llvm::BitVector out = in_[block];
        if (lives_) out &= kept[block];
        out |= written[block];
        for (llvm::BasicBlock* next : llvm::successors(block)) {
          llvm::BitVector meet = in_[next];
          meet &= out;
          if (meet == in_[next]) continue;
          in_[next] = std::move(meet);
          changed = true;
        }
      }
    }
  }

  llvm::Function& function_;
  unsigned atoms_ = 0;
  bool lives_ = false;  // do variables begin and end?
  std::unordered_map<const llvm::BasicBlock*, std::vector<Step>> steps_;
  std::unordered_map<const llvm::BasicBlock*, llvm::BitVector> in_;
};

class Uninitialised {
 public:
  Uninitialised(Instrumentation& instrumentation, llvm::Function& function)
      : ins_(instrumentation), function_(function), layout_(instrumentation.module.getDataLayout()) {}

  std::vector<llvm::AllocaInst*> guard() {
    while (expandSomeCopies()) {}
    std::vector<llvm::AllocaInst*> staying;
    std::vector<LocalVariable> variables = collect(&staying);
    const DefiniteInitialisation initialisation(function_, variables);
    findReads(initialisation);
    leaveEnded(staying);
    makeFlags(initialisation, variables);
    testFlags();
    return staying;
  }

 private:
  std::vector<llvm::AllocaInst*> allocas() {
    std::vector<llvm::AllocaInst*> found;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) found.push_back(variable);
    }
    return found;
  }

  // The variables that can become SSA values, and those that stay in memory.
  std::vector<LocalVariable> collect(std::vector<llvm::AllocaInst*>* staying) {
    std::vector<LocalVariable> variables;
    for (llvm::AllocaInst* alloca : allocas()) {
      auto uses = localUses(*alloca);
      const auto isBadCopy = [](const LocalUse& use) { return isCopyOut(use) || isCopyIn(use); };
      if (uses && std::none_of(uses->begin(), uses->end(), isBadCopy)) {
        variables.push_back(withLives(*alloca, std::move(*uses)));
      } else if (staying) {
        staying->push_back(alloca);
      }
    }
    return variables;
  }

  // ---- Copies

  // A copy, and the parts that it is made into.
  using Expansions = llvm::MapVector<llvm::MemTransferInst*, std::vector<Leaf>>;

  // Makes one round of copies into loads and stores: of variables that are one scalar, both ways, and out of structures
  // that are certainly initialised. That makes other variables simpler, so there may be another round.
  bool expandSomeCopies() {
    Expansions expansions;
    std::vector<LocalVariable> variables;
    for (llvm::AllocaInst* alloca : allocas()) {
      auto uses = localUses(*alloca);
      if (!uses) continue;
      findScalarCopies(*alloca, *uses, expansions);
      variables.push_back(withLives(*alloca, std::move(*uses)));
    }
    const auto isCopied = [](const LocalVariable& variable) {
      return std::any_of(variable.uses.begin(), variable.uses.end(), isCopyOut);
    };
    if (std::any_of(variables.begin(), variables.end(), isCopied)) {
      const DefiniteInitialisation initialisation(function_, variables);
      for (const LocalVariable& variable : variables) locals_[variable.address] = &variable;
      for (const LocalVariable& variable : variables) findCopiesOut(initialisation, variable, expansions);
      locals_.clear();
    }
    for (auto& [copy, leaves] : expansions) expand(*copy, leaves);
    return !expansions.empty();
  }

  static bool isCopyOut(const LocalUse& use) { return use.kind == LocalUse::Kind::copyFrom; }
  static bool isCopyIn(const LocalUse& use) { return use.kind == LocalUse::Kind::copyTo && !isConstantSource(use); }

  void findScalarCopies(llvm::AllocaInst& alloca, const std::vector<LocalUse>& uses, Expansions& expansions) {
    const auto leaves = leavesOf(alloca.getAllocatedType(), 1, layout_);
    if (!leaves || leaves->size() != 1 || alloca.isArrayAllocation()) return;
    const std::uint64_t size = layout_.getTypeAllocSize(alloca.getAllocatedType());
    if (layout_.getTypeStoreSize(leaves->front().type) != size || size > 8) return;
    for (const LocalUse& use : uses) {
      if (use.kind != LocalUse::Kind::copyFrom && use.kind != LocalUse::Kind::copyTo) continue;
      if (use.size == size) expansions.insert({llvm::cast<llvm::MemTransferInst>(use.instruction), *leaves});
    }
  }

  void findCopiesOut(const DefiniteInitialisation& initialisation, const LocalVariable& variable, Expansions& expansions) {
    if (std::none_of(variable.uses.begin(), variable.uses.end(), isCopyOut)) return;
    if (std::any_of(variable.uses.begin(), variable.uses.end(), isCopyIn)) return;
    const auto leaves = partsOf(initialisation, variable);
    if (!leaves) return;
    const std::uint64_t size = layout_.getTypeAllocSize(variable.address->getAllocatedType());
    for (const LocalUse& use : variable.uses) {
      if (!isCopyOut(use) || use.offset != 0 || use.size != size) continue;
      if (!allWritten(initialisation, variable, use, *leaves)) continue;
      expansions.insert({llvm::cast<llvm::MemTransferInst>(use.instruction), *leaves});
    }
  }

  // Is what is stored a value that was computed, or that of an atomic? What was passed, or loaded from other memory than a variable of
  // which that holds as well, may be a structure of which parts are missing. `asked`: the variables that it depends on.
  bool isComputed(const DefiniteInitialisation& initialisation, const LocalUse& use,
                  std::set<const llvm::Value*>& asked) const {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(use.instruction);
    if (!store) return true;
    const llvm::Value* value = store->getValueOperand();
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (!load)
      return llvm::isa<llvm::Constant, llvm::BinaryOperator, llvm::CastInst, llvm::AtomicRMWInst, llvm::ExtractValueInst>(
          value);
    std::int64_t offset = 0;
    const llvm::AllocaInst* address = variableAt(*load->getPointerOperand(), layout_, offset);
    const auto variable = locals_.find(address);
    if (load->isAtomic() || variable == locals_.end()) return load->isAtomic();
    const LocalVariable& from = *variable->second;
    const auto isLoad = [&](const LocalUse& other) { return other.instruction == load; };
    const auto read = std::find_if(from.uses.begin(), from.uses.end(), isLoad);
    const std::vector<Leaf> part = {{load->getType(), static_cast<std::uint64_t>(offset)}};
    if (read == from.uses.end() || !allWritten(initialisation, from, *read, part)) return false;
    return !asked.insert(address).second || areComputed(initialisation, from, asked);
  }

  bool areComputed(const DefiniteInitialisation& initialisation, const LocalVariable& variable,
                   std::set<const llvm::Value*>& asked) const {
    return std::none_of(variable.uses.begin(), variable.uses.end(), isCopyIn) &&
           std::all_of(variable.uses.begin(), variable.uses.end(),
                       [&](const LocalUse& use) { return isComputed(initialisation, use, asked); });
  }

  // What to copy a variable by: its scalars or, if several of them are also accessed at once, as when a small structure is an
  // atomic's value, one word.
  std::optional<std::vector<Leaf>> partsOf(const DefiniteInitialisation& initialisation, const LocalVariable& variable) const {
    llvm::Type* type = variable.address->getAllocatedType();
    if (variable.address->isArrayAllocation()) return std::nullopt;
    const auto leaves = leavesOf(type, kMaxLeaves, layout_);
    const auto fits = [&](const LocalUse& use) {
      const bool isAccess = use.kind == LocalUse::Kind::load || use.kind == LocalUse::Kind::store;
      return !isAccess || isWithinLeaf(*leaves, use);
    };
    if (leaves && std::all_of(variable.uses.begin(), variable.uses.end(), fits)) return leaves;
    const std::uint64_t size = layout_.getTypeAllocSize(type);
    std::set<const llvm::Value*> asked = {variable.address};
    if (size > 8 || !llvm::isPowerOf2_64(size) || !areComputed(initialisation, variable, asked)) return std::nullopt;
    return std::vector<Leaf>{{llvm::Type::getIntNTy(type->getContext(), static_cast<unsigned>(size) * 8), 0}};
  }

  bool isWithinLeaf(const std::vector<Leaf>& leaves, const LocalUse& use) const {
    return std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
      return leaf.offset <= use.offset && use.end() <= leaf.offset + layout_.getTypeStoreSize(leaf.type);
    });
  }

  bool allWritten(const DefiniteInitialisation& initialisation, const LocalVariable& variable, const LocalUse& copy,
                  const std::vector<Leaf>& leaves) const {
    llvm::BitVector written = initialisation.atEntry(*copy.instruction->getParent());
    for (const auto& step : initialisation.steps(*copy.instruction->getParent())) {
      if (step.use->instruction == copy.instruction) break;
      initialisation.apply(*step.variable, *step.use, written);
    }
    for (const Leaf& leaf : leaves) {
      LocalUse part;
      part.offset = leaf.offset;
      part.size = layout_.getTypeStoreSize(leaf.type);
      llvm::BitVector missing = initialisation.atoms(variable, part);
      missing.reset(written);
      if (missing.any()) return false;
    }
    return true;
  }

  void expand(llvm::MemTransferInst& copy, const std::vector<Leaf>& leaves) {
    llvm::IRBuilder<> builder(&copy);
    std::vector<llvm::Value*> values;
    const auto at = [&](llvm::Value* base, std::uint64_t offset) {
      return offset == 0 ? base : builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset);
    };
    const auto alignment = [&](llvm::MaybeAlign base, std::uint64_t offset) {
      return llvm::commonAlignment(base.valueOrOne(), offset);
    };
    for (const Leaf& leaf : leaves) {
      values.push_back(builder.CreateAlignedLoad(leaf.type, at(copy.getRawSource(), leaf.offset),
                                                 alignment(copy.getSourceAlign(), leaf.offset)));
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      builder.CreateAlignedStore(values[i], at(copy.getRawDest(), leaves[i].offset),
                                 alignment(copy.getDestAlign(), leaves[i].offset));
    }
    copy.eraseFromParent();
  }

  // ---- Guards

  struct Read {
    llvm::LoadInst* load;
    const LocalVariable* variable;
    llvm::BitVector atoms;  // that may not be written
  };

  void findReads(const DefiniteInitialisation& initialisation) {
    for (llvm::BasicBlock& block : function_) {
      llvm::BitVector written = initialisation.atEntry(block);
      for (const auto& step : initialisation.steps(block)) {
        initialisation.apply(*step.variable, *step.use, written);
        if (step.use->writes() || step.use->kind == LocalUse::Kind::life) continue;
        llvm::BitVector atoms = initialisation.atoms(*step.variable, *step.use);
        atoms.reset(written);
        if (atoms.none()) continue;
        auto* load = llvm::cast<llvm::LoadInst>(step.use->instruction);
        if (load->use_empty() && !load->isVolatile()) continue;  // `(void)x;`, for the compiler's sake
        if (isAtomicOperand(*load)) atoms.reset(initialisation.holes(*step.variable));
        if (atoms.any() && isUse(*load, *step.variable, step.use->offset)) {
          reads_.push_back({load, step.variable, std::move(atoms)});
        } else {
          settled_.insert(step.variable->address);
        }
      }
    }
    for (llvm::AllocaInst* variable : settled_) settle(*variable);
  }

  // A variable may be written no more because its life has ended. That is for its shadow to tell.
  void leaveEnded(std::vector<llvm::AllocaInst*>& staying) {
    std::map<llvm::AllocaInst*, bool> ended;
    std::erase_if(reads_, [&](const Read& read) {
      const auto [variable, isNew] = ended.try_emplace(read.variable->address);
      if (isNew && mayBeUsedAfterEnd(*variable->first)) {
        variable->second = true;
        staying.push_back(variable->first);
      }
      return variable->second;
    });
  }

  // A slot of clang's own, such as that of the result of a function that ends without a return, is no variable of the
  // program; what matters is whether the caller uses the result.
  static bool isUse(const llvm::LoadInst& load, const LocalVariable& variable, std::uint64_t offset) {
    if (isBytewiseCopy(load, offset, variable.address->getAllocatedType()) || isBitFieldUpdate(load)) return false;
    if (!variable.address->getAllocatedType()->isSingleValueType()) return true;
    return !llvm::findDVRDeclares(variable.address).empty() || !llvm::findDbgDeclares(variable.address).empty();
  }

  // What is read without being a use must still have one value, and not undef's many. One value is stored as what it is: a bool
  // that were filled as a byte would have to stay in memory, and then a loop that waits for it would seem to change memory.
  void settle(llvm::AllocaInst& variable) {
    llvm::IRBuilder<> builder(variable.getNextNode());
    if (llvm::Type* type = variable.getAllocatedType(); type->isSingleValueType() && !variable.isArrayAllocation()) {
      builder.CreateAlignedStore(llvm::Constant::getNullValue(type), &variable, variable.getAlign());
      return;
    }
    const std::uint64_t size = variable.getAllocationSize(layout_)->getFixedValue();
    builder.CreateMemSet(&variable, builder.getInt8(0), size, variable.getAlign());
  }

  void makeFlags(const DefiniteInitialisation& initialisation, const std::vector<LocalVariable>& variables) {
    if (reads_.empty()) return;
    llvm::BitVector needed(initialisation.atomCount());  // atoms that get a flag
    for (const Read& read : reads_) needed |= read.atoms;
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    for (const unsigned atom : needed.set_bits()) {
      flags_[atom] = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "initialised");
      builder.CreateStore(builder.getFalse(), flags_[atom]);
    }
    for (const LocalVariable& variable : variables) {
      for (const LocalUse& use : variable.uses) {
        if (!use.writes() && use.kind != LocalUse::Kind::life) continue;
        llvm::BitVector atoms = initialisation.atoms(variable, use);
        atoms &= needed;
        llvm::IRBuilder<> after(use.instruction->getNextNode());
        for (const unsigned atom : atoms.set_bits()) after.CreateStore(after.getInt1(use.writes()), flags_[atom]);
      }
    }
  }

  void testFlags() {
    for (const Read& read : reads_) {
      llvm::IRBuilder<> builder(read.load);
      llvm::Value* initialised = nullptr;
      for (const unsigned atom : read.atoms.set_bits()) {
        llvm::Value* flag = builder.CreateLoad(builder.getInt1Ty(), flags_[atom]);
        initialised = initialised ? builder.CreateAnd(initialised, flag) : flag;
      }
      const std::string& name = ins_.info.variables[ins_.names.local(*read.variable->address)].name;
      ins_.failIf(builder, builder.CreateNot(initialised), runtime::ErrorKind::uninitialisedRead,
                  (name.empty() ? "a temporary object" : name) + " was never initialised", ins_.sources.of(*read.load));
    }
  }

  Instrumentation& ins_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  std::vector<Read> reads_;
  std::set<llvm::AllocaInst*> settled_;
  std::map<const llvm::AllocaInst*, const LocalVariable*> locals_;  // while copies are expanded
  std::map<unsigned, llvm::AllocaInst*> flags_;
};

}  // namespace

std::vector<llvm::AllocaInst*> guardUninitialised(Instrumentation& instrumentation, llvm::Function& function) {
  return Uninitialised(instrumentation, function).guard();
}

}  // namespace heddle::native
