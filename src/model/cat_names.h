// The words of .cat: keywords, the base sets and relations, and advice about the words we do not accept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/ast.h"

namespace heddle::model {

// A word that no `let` can bind.
bool isKeyword(std::string_view word);

// Words that end an expression in a query file.
bool isQueryKeyword(std::string_view word);

// A language of litmus tests, which a title may begin with.
bool isLanguage(std::string_view word);

// A keyword that starts a statement we accept.
bool startsStatement(std::string_view word);

// A base name. A primitive one has kind `base` and stands for parts[0]; a derived one is the union or the
// intersection of its parts, or the complement of their union. All parts are primitive and of the same type.
struct BaseName {
  std::string_view name;
  ExprType type;
  ExprKind kind;
  std::vector<std::string_view> parts;
};

// nullptr if there is no such base name.
const BaseName* findBaseName(std::string_view name);

// A name of the wider language that is another one's here, or of what no program has: then it means nothing.
struct FieldName {
  std::string_view name, means;
  ExprType type;
};
const FieldName* findFieldName(std::string_view name);

// Why a statement, a function or a name of the wider language is not accepted and what to write instead, or
// an empty string if there is nothing to say about it.
std::string_view adviceOnStatement(std::string_view keyword);
std::string_view adviceOnFunction(std::string_view name);
std::string_view adviceOnName(std::string_view name);

// The candidate or base name that `word` is most likely a misspelling of, or an empty string.
std::string nearestName(std::string_view word, const std::vector<std::string>& candidates);
std::string nearestStatement(std::string_view word);

}  // namespace heddle::model
