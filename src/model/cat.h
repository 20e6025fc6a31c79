// The .cat front end: text in, resolved Model out. See docs/models.md for the accepted language.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "model/ast.h"

namespace heddle::model {

// Anything wrong with a model's text. what() is "file:line:column: error: ..." with the offending line and,
// where there is one, the expression.
class CatError : public std::runtime_error {
 public:
  CatError(Position position, const std::string& message);
  const Position& position() const { return position_; }

 private:
  Position position_;
};

// Finds the text of an included file, or returns nullopt. `fromFile` is the including file.
using IncludeResolver = std::function<std::optional<std::string>(const std::string& name, const std::string& fromFile)>;

// With `proving`, the model is one to prove theorems about and need not be one that programs can be explored under: it
// may mention the dependencies addr, data and ctrl.
// `bell`: the text of the file of the same name with tags, which is read before.
Model parseCat(const std::string& text, const std::string& file, const IncludeResolver& include = {}, bool proving = false,
               const std::optional<std::string>& bell = std::nullopt);

}  // namespace heddle::model
