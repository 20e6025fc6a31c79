// The theorems about models that come with Heddle (proofs/), on random executions: none of them contradicts one.
//
// The prover is not asked here; the claims are evaluated. A theorem that is stated of the wrong models, or a scheme
// that inserts the wrong fence, fails even if it could be proved by mistake.
// The executions are those of src/prove/sample.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "prove/claim_context.h"
#include "prove/graph.h"
#include "prove/query.h"
#include "prove/sample.h"
#include "prove/shown.h"

namespace heddle::prove {

namespace {

namespace fs = std::filesystem;

bool allows(const model::Model& model, const Graph& graph, const View& view, const std::vector<std::string>& without = {}) {
  return std::all_of(model.axioms.begin(), model.axioms.end(), [&](const model::Axiom& axiom) {
    return std::count(without.begin(), without.end(), axiom.name) > 0 || holds(axiom, graph, view);
  });
}

std::vector<std::string> proofs() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "proofs")) {
    if (entry.path().extension() == ".prove") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ProveRandomGraphs : public testing::TestWithParam<std::string> {};

TEST_P(ProveRandomGraphs, ContradictNoTheorem) {
  constexpr int kGraphs = 800, kFewest = 100;
  constexpr auto kLongest = std::chrono::milliseconds(500);  // POWER takes long to evaluate
  const QueryFile query = loadQuery(GetParam());
  for (const Claim& claim : query.claims) {
    const bool equivalent = claim.kind == ClaimKind::equivalent;
    if (claim.expected != Expected::proved || !(equivalent || claim.kind == ClaimKind::stronger)) continue;
    const model::Model& strong = query.models.at(claim.leftModel);
    const model::Model& weak = query.models.at(claim.rightModel);
    const ClaimContext context(query, claim, {});
    SampledExecutions executions(1);
    int forbidden = 0;
    const auto end = std::chrono::steady_clock::now() + kLongest;
    for (int i = 0; i < kGraphs && (i < kFewest || std::chrono::steady_clock::now() < end); ++i) {
      const auto graph = context.fit(executions.next());
      if (!graph) continue;
      const bool weakAllows = allows(weak, *graph, context.sourceView(), claim.without);
      if (weakAllows && !equivalent) continue;
      const bool strongAllows = allows(strong, *graph, context.machineView());
      if (!weakAllows) ++forbidden;
      ASSERT_FALSE(strongAllows && !weakAllows) << claim.name << "\n" << shown(*graph);
      ASSERT_FALSE(equivalent && weakAllows && !strongAllows) << claim.name << ", other direction\n" << shown(*graph);
    }
    // Claims about coherence alone are true of these graphs without further ado.
    if (claim.name.find("coh") == std::string::npos) {
      EXPECT_GT(forbidden, 0) << claim.name;
    }
    RecordProperty(claim.name, forbidden);
  }
}

std::string nameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Proofs, ProveRandomGraphs, testing::ValuesIn(proofs()), nameOf);

}  // namespace
}  // namespace heddle::prove
