// The parser of query files: the parser of models, with more statements.
//
// A model that is included under a name is parsed by itself, and its definitions come in as names with a dot. So one
// file can speak of several models that define the same names.
#include <fmt/format.h>

#include <stdexcept>

#include "model/cat_parser.h"
#include "model/library.h"
#include "prove/alphabet.h"
#include "prove/query.h"
#include "util/read_file.h"

namespace heddle::prove {

namespace {

using model::AxiomKind;
using model::CatSource;
using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::ExprType;
using model::Token;
using model::TokenKind;

class QueryParser : public model::Parser {
 public:
  QueryParser(model::Session& session, CatSource source, QueryFile& query)
      : Parser(session, std::move(source)), query_(query) {}

  void parse() {
    parseFile();
    if (!session_.model.axioms.empty()) {
      throw model::CatError(session_.model.axioms.front().position,
                            "an axiom outside a model; write `assume`, `assert`, or put it between `model NAME` and `end`");
    }
  }

 private:
  bool parseOwnStatement() override {
    if (atWord("assume")) return parseAssume(), true;
    if (atWord("assert")) return parseAssert(), true;
    if (atWord("declare")) return parseDeclare(), true;
    if (atWord("model")) return parseModel(), true;
    if (atWord("mapping")) return parseMapping(), true;
    if (atWord("include") && peek().kind == TokenKind::string && model::Parser::isWord(at_[2], "as")) {
      return parseNamedInclude(), true;
    }
    return false;
  }

  std::string textFrom(const Token& first) const { return excerpt(source_, first.begin, lastTaken()->end); }

  const Token& expectName(std::string_view what) {
    if (at_->kind != TokenKind::name) fail(*at_, fmt::format("expected {}, found {}", what, describe(*at_)));
    return take();
  }

  // ---- Models

  void addModel(const Token& name, model::Model model) {
    if (!query_.models.emplace(name.text, model).second) fail(name, describe(name) + " is already a model");
    for (const auto& [definition, expr] : model.definitions) {
      adopt(*expr);
      session_.names[name.text + "." + definition] = expr;
    }
    kept_.push_back(std::move(model));
  }

  void parseNamedInclude() {
    take();
    const Token& path = take();
    take();
    const Token& name = expectName("the model's name after `as`");
    try {
      addModel(name, model::loadModelToProve(path.text, source_.file));
    } catch (const model::CatError&) {
      throw;
    } catch (const std::runtime_error&) {
      fail(path, fmt::format("cannot find the model `{}`", path.text));
    }
  }

  void parseModel() {
    take();
    const Token& name = expectName("the model's name");
    model::Model outer = std::move(session_.model);
    const auto names = session_.names;
    const auto included = session_.includedFiles;
    session_.model = {};
    while (!atWord("end")) {
      if (at_->kind == TokenKind::end) fail(name, fmt::format("model {} has no `end`", describe(name)));
      parseStatement();
    }
    take();
    model::Model inner = std::move(session_.model);
    session_.model = std::move(outer);
    session_.names = names;
    session_.includedFiles = included;
    inner.name = name.text;
    inner.file = source_.file;
    addModel(name, std::move(inner));
  }

  // The size of an expression that another parser made.
  model::Measure adopt(const Expr& expr) {
    if (const auto known = session_.measures.find(&expr); known != session_.measures.end()) return known->second;
    model::Measure measure;
    for (const ExprPtr& arg : expr.args) {
      const model::Measure inner = adopt(*arg);
      measure.depth = std::max(measure.depth, inner.depth + 1);
      measure.size += inner.size;
    }
    session_.measures[&expr] = measure;
    return measure;
  }

  // ---- Declarations

  void parseDeclare() {
    take();
    const bool sets = acceptWord("set");
    do {
      const Token& name = expectName("a name to declare");
      auto& known = sets ? query_.sets : query_.relations;
      if (model::findBaseName(name.text) != nullptr || session_.names.count(name.text) > 0) {
        fail(name, describe(name) + " is defined already");
      }
      if (known.size() >= (sets ? kDeclaredSets : kDeclaredRelations)) {
        fail(name, fmt::format("at most {} {} can be declared", known.size(), sets ? "sets" : "relations"));
      }
      known.push_back(name.text);
      session_.names[name.text] =
          make({ExprKind::base, sets ? ExprType::set : ExprType::relation, name.text, 0, {}, positionOf(name)}, name);
    } while (accept(TokenKind::comma));
  }

  // ---- Assumptions

  void parseAssume() {
    const Token& first = take();
    AssumeStatement statement{AssumeKind::inclusion, nullptr, nullptr, "", positionOf(first)};
    if (acceptWord("transitive")) {
      statement.kind = AssumeKind::transitive;
      statement.left = declaredRelation();
    } else if (acceptWord("total")) {
      statement.kind = AssumeKind::total;
      statement.left = declaredRelation();
      if (!acceptWord("on")) fail(*at_, "expected `on` and a set after `assume total r`");
      statement.right = setExpr();
    } else if (acceptWord("irreflexive")) {
      statement.kind = AssumeKind::irreflexive;
      statement.left = relationExpr();
    } else if (acceptWord("acyclic")) {
      statement.kind = AssumeKind::acyclic;
      statement.left = relationExpr();
    } else {
      const bool equality = comparison("`<=` or `=`", statement.left, statement.right);
      statement.kind = equality ? AssumeKind::equality : AssumeKind::inclusion;
    }
    statement.text = textFrom(first);
    query_.assumptions.push_back(std::move(statement));
  }

  // `left <= right`, or `left = right`, for which it returns true. `wanted`: what might stand between them.
  bool comparison(const char* wanted, model::ExprPtr& left, model::ExprPtr& right) {
    model::Operand first = parseExpr();
    const bool equality = at_->kind == TokenKind::equals;
    if (!equality && at_->kind != TokenKind::lessEqual) {
      fail(*at_, fmt::format("expected {}, found {}", wanted, describe(*at_)));
    }
    take();
    model::Operand second = parseExpr();
    matchTypes(first, second);
    left = first.expr;
    right = second.expr;
    return equality;
  }

  void matchTypes(model::Operand& left, model::Operand& right) {
    for (model::Operand* side : {&left, &right}) {
      const model::Operand& other = side == &left ? right : left;
      if (side->expr->kind == ExprKind::empty) side->expr = emptyExpr(other.expr->type, *side->first);
    }
    if (left.expr->type != right.expr->type) {
      fail(*right.first, "one side is a set and the other a relation; write `[S]` for the identity on a set");
    }
  }

  ExprPtr declaredRelation() {
    const Token& name = *at_;
    const ExprPtr expr = relationExpr();
    const auto& known = query_.relations;
    const bool declared = expr->kind == ExprKind::base && std::count(known.begin(), known.end(), expr->name) > 0;
    if (!declared) fail(name, "expected a declared relation");
    return expr;
  }
  ExprPtr relationExpr() {
    const model::Operand operand = parseExpr();
    requireRelation(operand, "this statement");
    return operand.expr;
  }
  ExprPtr setExpr() {
    const model::Operand operand = parseExpr();
    if (operand.expr->type != ExprType::set) fail(*operand.first, "expected a set");
    return operand.expr;
  }

  // ---- Claims

  void parseAssert() {
    const Token& first = take();
    Claim claim{.kind = ClaimKind::inclusion, .position = positionOf(first)};
    if (acceptWord("irreflexive")) {
      claim.kind = ClaimKind::irreflexive;
      claim.left = relationExpr();
    } else if (acceptWord("acyclic")) {
      claim.kind = ClaimKind::acyclic;
      claim.left = relationExpr();
    } else if (at_->kind == TokenKind::name && (isWord(peek(), "stronger") || isWord(peek(), "equivalent"))) {
      parseComparison(claim);
    } else {
      const bool equality = comparison("`<=`, `=`, `stronger` or `equivalent`", claim.left, claim.right);
      claim.kind = equality ? ClaimKind::equality : ClaimKind::inclusion;
    }
    claim.text = textFrom(first);
    claim.name = fmt::format("claim{}", query_.claims.size() + 1);
    if (acceptWord("as")) claim.name = expectName("the claim's name after `as`").text;
    if (acceptWord("expect")) claim.expected = expectation();
    claim.assumptions = query_.assumptions.size();
    query_.claims.push_back(std::move(claim));
  }

  void parseComparison(Claim& claim) {
    claim.leftModel = modelName();
    claim.kind = take().text == "stronger" ? ClaimKind::stronger : ClaimKind::equivalent;
    claim.rightModel = modelName();
    if (acceptWord("by")) {
      const Token& name = expectName("a mapping's name");
      if (query_.mappings.count(name.text) == 0) fail(name, "there is no mapping " + describe(name));
      if (claim.kind == ClaimKind::equivalent) fail(name, "a mapping goes one way: write `stronger`");
      claim.mapping = name.text;
    }
    if (!acceptWord("without")) return;
    do {
      const Token& axiom = expectName("an axiom's name");
      const auto& axioms = query_.models.at(claim.rightModel).axioms;
      if (std::none_of(axioms.begin(), axioms.end(), [&](const auto& a) { return a.name == axiom.text; })) {
        fail(axiom, fmt::format("model {} has no axiom {}", claim.rightModel, describe(axiom)));
      }
      claim.without.push_back(axiom.text);
    } while (accept(TokenKind::comma));
  }

  std::string modelName() {
    const Token& name = expectName("a model's name");
    if (query_.models.count(name.text) == 0) fail(name, "there is no model " + describe(name));
    return name.text;
  }

  Expected expectation() {
    if (acceptWord("proved")) return Expected::proved;
    if (acceptWord("refuted")) return Expected::refuted;
    if (acceptWord("undecided")) return Expected::undecided;
    fail(*at_, "expected `proved`, `refuted` or `undecided` after `expect`");
  }

  // ---- Mappings

  void parseMapping() {
    take();
    const Token& name = expectName("the mapping's name");
    Mapping mapping{name.text, {}};
    while (!acceptWord("end")) {
      if (at_->kind == TokenKind::end) fail(name, fmt::format("mapping {} has no `end`", describe(name)));
      mapping.rows.push_back(parseRow());
    }
    if (!query_.mappings.emplace(name.text, std::move(mapping)).second) fail(name, "there is a mapping of this name");
  }

  MappingRow parseRow() {
    MappingRow row{nullptr, {}, nullptr, {}, positionOf(*at_)};
    row.source = setExpr();
    if (!accept(TokenKind::arrow)) fail(*at_, "expected `->`, found " + describe(*at_));
    if (acceptWord("skip")) return row;
    // The parts are sets separated by `;`, which an expression would take for composition.
    bool imageSeen = false;
    std::vector<ExprPtr> parts;
    do {
      const model::Operand part = parseDifference();
      if (part.expr->type != ExprType::set) fail(*part.first, "expected a set of events");
      parts.push_back(part.expr);
    } while (accept(TokenKind::semicolon));
    for (const ExprPtr& part : parts) {
      const bool access = mentionsAccess(*part);
      if (access && imageSeen) fail(*at_, "a row of a mapping has one access");
      if (access || (parts.size() == 1)) {
        row.image = part;
        imageSeen = true;
      } else {
        (imageSeen ? row.after : row.before).push_back(part);
      }
    }
    if (!imageSeen) fail(*at_, "a row of a mapping keeps the event itself (R or W, or one fence alone), or is `skip`");
    return row;
  }

  static bool mentionsAccess(const Expr& expr) {
    if (expr.kind == ExprKind::base && (expr.name == "R" || expr.name == "W")) return true;
    return std::any_of(expr.args.begin(), expr.args.end(), [](const ExprPtr& arg) { return mentionsAccess(*arg); });
  }

  QueryFile& query_;
  std::vector<model::Model> kept_;  // their expressions are measured by address
};

// A file included without a name gives its definitions.
std::optional<std::string> resolve(const std::string& name, const std::string& fromFile) {
  std::filesystem::path path = name;
  if (path.is_relative()) path = std::filesystem::path(fromFile).parent_path() / path;
  if (auto text = util::readFile(path)) return text;
  for (const auto* models : {&model::proverModels(), &model::builtinModels()}) {
    for (const model::BuiltinModel& model : *models) {
      if (name == std::string(model.name) + ".cat") return std::string(model.text);
    }
  }
  return std::nullopt;
}

}  // namespace

QueryFile parseQuery(const std::string& text, const std::string& file) {
  QueryFile query;
  query.file = file;
  const model::IncludeResolver include = resolve;
  model::Session session{include, {}, {}, {}, {}, {}, 0, true};
  session.openFiles.push_back(std::filesystem::path(file).lexically_normal().string());
  QueryParser(session, {file, text}, query).parse();
  return query;
}

QueryFile loadQuery(const std::string& path) {
  const std::optional<std::string> text = util::readFile(path);
  if (!text) throw std::runtime_error(fmt::format("{}: error: cannot read the file", path));
  return parseQuery(*text, path);
}

}  // namespace heddle::prove
