#include "native/jit/later_functions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

#include "native/jit/arch/stubs.h"
#include "native/jit/computation.h"
#include "native/jit/round_counter.h"
#include "runtime/call_targets.h"
#include "sandbox/sandbox.h"

void* heddle_generate_stack = nullptr;

namespace heddle::native {
namespace {

LaterFunctions* current = nullptr;

// Made once, and never given back: LLVM wants about as much as a thread has.
void makeStack() {
  constexpr std::size_t kSize = std::size_t{8} << 20;
  if (heddle_generate_stack) return;
  void* const stack = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) throw std::bad_alloc();
  heddle_generate_stack = static_cast<std::byte*>(stack) + kSize;
}

// So that code of other modules can refer to it.
void makeVisible(llvm::GlobalValue& value) {
  if (!value.hasName()) value.setName("heddle.unnamed");
  value.setLinkage(llvm::GlobalValue::ExternalLinkage);
  value.setVisibility(llvm::GlobalValue::HiddenVisibility);
  value.setDSOLocal(true);
}

std::unordered_set<const llvm::GlobalValue*> withAliases(const llvm::Module& module) {
  std::unordered_set<const llvm::GlobalValue*> functions;
  for (const llvm::GlobalAlias& alias : module.aliases()) functions.insert(alias.getAliaseeObject());
  return functions;
}

// Labels whose addresses are taken belong to the module.
bool canMove(const llvm::Function& function) {
  if (function.isDeclaration() || !function.hasLocalLinkage()) return false;
  for (const llvm::BasicBlock& block : function)
    if (block.hasAddressTaken()) return false;
  return true;
}

// Declares in a module what code that comes there from another one refers to.
class Declarations : public llvm::ValueMaterializer {
 public:
  explicit Declarations(llvm::Module& module) : module_(module) {}

  llvm::Value* materialize(llvm::Value* value) override {
    auto* const global = llvm::dyn_cast<llvm::GlobalValue>(value);
    if (!global) return nullptr;
    llvm::GlobalValue* declaration = nullptr;
    if (auto* const type = llvm::dyn_cast<llvm::FunctionType>(global->getValueType())) {
      auto* const function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, global->getName(), module_);
      if (const auto* original = llvm::dyn_cast<llvm::Function>(global)) {
        function->setAttributes(original->getAttributes());
        function->setCallingConv(original->getCallingConv());
      }
      declaration = function;
    } else {
      const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
      declaration = new llvm::GlobalVariable(module_, global->getValueType(), variable && variable->isConstant(),
                                             llvm::GlobalValue::ExternalLinkage, nullptr, global->getName());
      if (variable) llvm::cast<llvm::GlobalVariable>(declaration)->setAlignment(variable->getAlign());
    }
    declaration->setVisibility(global->getVisibility());
    declaration->setDSOLocal(global->isDSOLocal());
    return declaration;
  }

 private:
  llvm::Module& module_;
};

std::unique_ptr<llvm::Module> emptyLike(const llvm::Module& module) {
  auto made = std::make_unique<llvm::Module>("later", module.getContext());
  made->setTargetTriple(module.getTargetTriple());
  made->setDataLayout(module.getDataLayout());
  llvm::SmallVector<llvm::Module::ModuleFlagEntry, 8> flags;
  module.getModuleFlagsMetadata(flags);
  for (const auto& flag : flags) made->addModuleFlag(flag.Behavior, flag.Key->getString(), flag.Val);
  return made;
}

}  // namespace

LaterFunctions::LaterFunctions(llvm::Module& module, ImageMemory& memory, Generator generator)
    : module_(module),
      generator_(std::move(generator)),
      bodies_(std::make_unique<llvm::Module>("bodies", module.getContext())) {
  makeStack();
  computing_ = computingFunctions(module);
  const auto aliased = withAliases(module);
  std::vector<llvm::Function*> moved;
  for (llvm::Function& function : module)
    if (canMove(function) && !aliased.contains(&function)) moved.push_back(&function);
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasLocalLinkage()) makeVisible(variable);
  for (llvm::Function& function : module)
    if (function.hasLocalLinkage()) makeVisible(function);
  for (llvm::Function* function : moved) takeOut(*function);

  slots_.resize(functions_.size());
  rounds_.resize(functions_.size());
  const std::span<std::byte> pages = memory.takePages(functions_.size() * kStubSize);
  stubs_ = pages.data();
  for (std::uint32_t i = 0; i < functions_.size(); ++i) {
    writeStub(stubs_ + i * kStubSize, i, &slots_[i]);
    runtime::callTargets().add(reinterpret_cast<Address>(stubs_ + i * kStubSize));
  }
  memory.makeExecutable(pages);
  current = this;
}

LaterFunctions::~LaterFunctions() { current = nullptr; }

// A declaration takes its place.
void LaterFunctions::takeOut(llvm::Function& function) {
  const std::string name = function.getName().str();
  auto* const declaration = llvm::Function::Create(function.getFunctionType(), llvm::GlobalValue::ExternalLinkage, "", module_);
  declaration->takeName(&function);
  declaration->setAttributes(function.getAttributes());
  declaration->setCallingConv(function.getCallingConv());
  makeVisible(*declaration);
  function.replaceAllUsesWith(declaration);
  function.setName(name + ".code");
  function.removeFromParent();
  bodies_->getFunctionList().push_back(&function);
  numbers_.emplace(name, functions_.size());
  functions_.push_back(&function);
}

void* LaterFunctions::operator()(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? nullptr : stubs_ + found->second * kStubSize;
}

void* LaterFunctions::generate(std::uint32_t number) {
  llvm::Function* function = std::exchange(functions_[number], nullptr);
  if (computing_.contains(function)) {
    functions_[number] = function;
    llvm::ValueToValueMapTy values;
    function = llvm::CloneFunction(function, values);
    countRounds(*function, &rounds_[number], &heddle_improve_entry, number);
  }
  return slots_[number] = finish(*function, /*optimised=*/false);
}

void LaterFunctions::improve(std::uint32_t number) {
  rounds_[number] = 0;  // there may still be calls of the plain code, which go on counting
  if (llvm::Function* const function = std::exchange(functions_[number], nullptr))
    slots_[number] = finish(*function, /*optimised=*/true);
}

void* LaterFunctions::finish(llvm::Function& function, bool optimised) {
  const std::unique_ptr<llvm::Module> module = emptyLike(module_);
  function.removeFromParent();
  module->getFunctionList().push_back(&function);
  Declarations declarations(*module);
  llvm::ValueToValueMapTy values;
  llvm::ValueMapper(values, llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs, nullptr, &declarations)
      .remapFunction(function);
  return generator_(function, optimised);
}

}  // namespace heddle::native

// Nothing can be thrown through the code of the program.
template <class F>
static auto orEnd(F&& generate) {
  const heddle::sandbox::OwnCode own;
  try {
    return generate();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(2);
  }
}

void* heddle_generate(std::uint32_t number) {
  return orEnd([&] { return heddle::native::current->generate(number); });
}

void heddle_improve(std::uint32_t number) {
  orEnd([&] { heddle::native::current->improve(number); });
}
