#include "model/cat_parser.h"

namespace heddle::model {

Model parseCat(const std::string& text, const std::string& file, const IncludeResolver& include, bool proving) {
  Session session{include, {}, {}, {}, {}, {}, 0, proving};
  session.openFiles.push_back(std::filesystem::path(file).lexically_normal().string());
  std::optional<std::string> title = Parser(session, {file, text}).parseFile();
  session.model.file = file;
  session.model.name = title ? *title : std::filesystem::path(file).stem().string();
  return std::move(session.model);
}

}  // namespace heddle::model
