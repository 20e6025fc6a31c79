#include "cli/version.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "model/library.h"
#include "native/clang_headers.h"
#include "report/results/results.h"
#include "trace/formats/formats.h"
#include "util/version.h"

namespace heddle::cli {

std::string versionText() { return fmt::format("heddle {}", util::version()); }

std::string versionJson() {
  using Json = nlohmann::ordered_json;
  Json json{{"version", util::version()}, {"llvm", native::clangVersion()}, {"machine", "x86_64-linux"}};
  json["commands"] = Json::array();
  for (const CommandInfo& command : commandTable()) json["commands"].push_back(command.name);
  json["models"] = Json::array();
  for (const model::BuiltinModel& model : model::builtinModels()) json["models"].push_back(model.name);
  json["features"] = {"mixed-sizes", "load-buffering", "persistency", "checkpoints", "sampling"};
  json["formats"] = {"json"};
  for (const trace::Format& format : trace::formats()) {
    if (format.inFile != nullptr) json["formats"].push_back(format.name);
  }
  for (const report::ResultFormat& format : report::resultFormats()) json["formats"].push_back(format.name);
  return json.dump(2) + '\n';
}

}  // namespace heddle::cli
