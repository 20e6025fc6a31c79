// heddle_modelgen: writes the searches of the built-in models' axioms. Run by the build.
#include <fstream>
#include <iostream>

#include "model/generate.h"
#include "model/library.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: heddle_modelgen OUTPUT.cpp\n";
    return 2;
  }
  try {
    std::vector<heddle::model::CompiledModel> models;
    for (const auto& model : heddle::model::builtinModels()) {
      models.push_back(compile(heddle::model::loadModel(std::string(model.name))));
    }
    std::ofstream(argv[1]) << generateSearches(models);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
