#include "native/loops/loop_causes.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace heddle::native {
namespace {

std::string callText(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return "inline assembly";
  if (llvm::isa<llvm::MemTransferInst>(call)) return "a copy of memory";
  if (llvm::isa<llvm::MemSetInst>(call)) return "memory that is filled";
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return "a call by a pointer";
  const llvm::DISubprogram* const function = callee->getSubprogram();
  return "a call of " + (function ? function->getName().str() : llvm::demangle(callee->getName().str()));
}

std::string kindText(const llvm::Instruction& effect) {
  if (llvm::isa<llvm::StoreInst>(effect)) return "a store";
  if (llvm::isa<llvm::AtomicRMWInst>(effect)) return "a read-modify-write";
  if (llvm::isa<llvm::AtomicCmpXchgInst>(effect)) return "a compare-exchange";
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&effect)) return callText(*call);
  return "an instruction";
}

}  // namespace

std::string nameOf(const llvm::PHINode& value) {
  llvm::SmallVector<llvm::DbgValueInst*, 2> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*, 2> records;
  llvm::findDbgValues(intrinsics, const_cast<llvm::PHINode*>(&value), &records);  // it changes nothing
  for (const llvm::DbgVariableRecord* record : records) return record->getVariable()->getName().str();
  for (const llvm::DbgValueInst* intrinsic : intrinsics) return intrinsic->getVariable()->getName().str();
  return "a value that the next round goes on with";
}

std::string effectText(Instrumentation& instrumentation, const llvm::Instruction& effect) {
  const std::uint32_t place = instrumentation.sources.of(effect);
  const std::string text = kindText(effect);
  return place == 0 ? text : text + " at " + instrumentation.sources.text(place);
}

std::string watchedText(Instrumentation& instrumentation, const std::vector<llvm::Instruction*>& effects,
                        const std::vector<llvm::PHINode*>& values) {
  constexpr std::size_t kMost = 3;  // that are named
  std::vector<std::string> watched;
  const auto add = [&](std::string text) {
    if (std::find(watched.begin(), watched.end(), text) == watched.end()) watched.push_back(std::move(text));
  };
  for (const llvm::Instruction* effect : effects) add(effectText(instrumentation, *effect));
  for (const llvm::PHINode* value : values) add(nameOf(*value));
  std::string text;
  for (std::size_t i = 0; i < std::min(watched.size(), kMost); ++i) text += (i == 0 ? "" : " and ") + watched[i];
  if (watched.size() > kMost) text += " and more";
  return text.empty() ? text : "watches " + text;
}

}  // namespace heddle::native
