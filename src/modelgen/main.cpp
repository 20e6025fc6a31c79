// heddle_modelgen: writes the searches of the built-in models' axioms, and the compiled models. Run by the build.
#include <fstream>
#include <iostream>

#include "model/generate.h"
#include "model/library.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: heddle_modelgen SEARCHES.cpp MODELS.cpp\n";
    return 2;
  }
  try {
    std::vector<heddle::model::CompiledModel> models;
    std::vector<std::pair<std::string, heddle::model::CompiledModel>> named;
    for (const auto& model : heddle::model::builtinModels()) {
      const std::string name(model.name);
      models.push_back(compile(heddle::model::loadModel(name)));
      named.emplace_back(name, models.back());
    }
    std::ofstream(argv[1]) << generateSearches(models);
    std::ofstream(argv[2]) << generateModels(named);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
