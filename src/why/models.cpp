#include "why/models.h"

#include "model/library.h"

namespace heddle::why {

std::vector<trace::Why::ModelVerdict> judgeByModels(const Graph& graph, bool mixedSizes) {
  using Verdict = trace::Why::Verdict;
  std::vector<trace::Why::ModelVerdict> verdicts;
  Relabelled execution(graph, false);
  for (const char* const name : {"sc", "tso", "armv8", "riscv", "power"}) {
    const model::Model model = model::loadModel(name);
    if (mixedSizes && !model.mixedSizes) continue;
    Judge judge(execution, model, nullptr);
    execution.setDependencies(false);
    Verdict verdict = judge.forbiddenBy() ? Verdict::forbidden : Verdict::allowed;
    if (verdict == Verdict::allowed && hasDependencies(model)) {
      execution.setDependencies(true);
      if (judge.forbiddenBy()) verdict = Verdict::dependencies;
    }
    verdicts.push_back({name, verdict});
  }
  return verdicts;
}

}  // namespace heddle::why
