// Query files: what is claimed, of which models, under which assumptions. docs/prove.md is the reference.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ast.h"
#include "model/cat.h"

namespace heddle::prove {

enum class AssumeKind { inclusion, equality, transitive, total, irreflexive, acyclic };

struct AssumeStatement {
  AssumeKind kind;
  model::ExprPtr left;
  model::ExprPtr right;  // inclusion, equality; total: the set
  std::string text;
  model::Position position;
};

enum class ClaimKind { inclusion, equality, irreflexive, acyclic, stronger, equivalent };
enum class Expected { proved, refuted, undecided };

struct Claim {
  ClaimKind kind;
  model::ExprPtr left = {};
  model::ExprPtr right = {};
  std::string leftModel = {};  // stronger, equivalent
  std::string rightModel = {};
  std::string mapping = {};               // or empty
  std::vector<std::string> without = {};  // axioms of the right model
  std::string name = {};                  // from `as`, or claim1, claim2, ...
  Expected expected = Expected::proved;
  std::size_t assumptions = 0;  // how many of the file's stand before it
  std::string text = {};
  model::Position position = {};
};

// What an event becomes on the machine: fences before, itself (or nothing), fences after.
struct MappingRow {
  model::ExprPtr source;
  std::vector<model::ExprPtr> before;
  model::ExprPtr image;  // nullptr: skip
  std::vector<model::ExprPtr> after;
  model::Position position;
};

struct Mapping {
  std::string name;
  std::vector<MappingRow> rows;
};

struct QueryFile {
  std::string file;
  std::map<std::string, model::Model> models;
  std::map<std::string, Mapping> mappings;
  std::vector<std::string> sets;       // declared
  std::vector<std::string> relations;  // declared
  std::vector<AssumeStatement> assumptions;
  std::vector<Claim> claims;
};

// Throws model::CatError.
QueryFile parseQuery(const std::string& text, const std::string& file);
QueryFile loadQuery(const std::string& path);

}  // namespace heddle::prove
