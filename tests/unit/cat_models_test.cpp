// The built-in models parse, and each has what the engine needs to find in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/cat.h"

namespace heddle::model {
namespace {

#ifndef HEDDLE_MODELS_DIR
#define HEDDLE_MODELS_DIR "models"
#endif

// The models' folder: given by the build, or found upwards of the working directory.
std::filesystem::path modelsFolder() {
  std::filesystem::path folder = HEDDLE_MODELS_DIR;
  if (folder.is_absolute()) return folder;
  for (auto at = std::filesystem::current_path();; at = at.parent_path()) {
    if (std::filesystem::exists(at / folder / "sc.cat")) return at / folder;
    if (at == at.parent_path()) return folder;
  }
}

class BuiltInModel : public testing::TestWithParam<const char*> {};

TEST_P(BuiltInModel, HasTheAxiomsTheEngineNeeds) {
  std::filesystem::path file = modelsFolder() / (std::string(GetParam()) + ".cat");
  std::ifstream in(file);
  if (!in) GTEST_SKIP() << "the models are not at " << file;
  std::stringstream text;
  text << in.rdbuf();
  Model model = parseCat(text.str(), file.string());

  EXPECT_EQ(model.name, GetParam());
  auto axiom = [&](const std::string& name) -> std::string {
    auto it = std::find_if(model.axioms.begin(), model.axioms.end(), [&](const Axiom& a) { return a.name == name; });
    return it == model.axioms.end() ? "" : toString(*it->expr);
  };
  EXPECT_EQ(axiom("no-load-buffering"), "po | rf");
  EXPECT_EQ(axiom("atomicity"), "rmw & (rb ; co)");
  EXPECT_TRUE(axiom("coherence").ends_with(" ; (rf | co | rb)+")) << axiom("coherence");
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInModel,
                         testing::Values("sc", "tso", "pso", "ra", "ra-msa", "rc20", "rc11", "c11-orig", "mca", "mca-rr"));

}  // namespace
}  // namespace heddle::model
