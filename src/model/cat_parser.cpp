// What .cat has beyond relations and axioms: functions, local definitions, flags, tags.
//
// A function is its text, which each call parses anew with the arguments in the place of the parameters. So its arguments need
// no types, and what comes out is an expression like any other: nobody after the parser knows functions.
#include "model/cat_parser.h"

#include "program/event_tag.h"

namespace heddle::model {

void Parser::evaluateBecause(const Token& token, std::string_view what) {
  std::string& why = session_.model.evaluatedBecause;
  if (why.empty()) why = fmt::format("{} ({}:{}:{})", what, source_.file, token.line, token.column);
}

// ---- Functions

// name ( ... ) =, or name parameter ... =
bool Parser::atFunction() const {
  if (at_->kind != TokenKind::name || isKeyword(at_->text)) return false;
  if (peek().kind == TokenKind::openParen) return true;
  const Token* token = at_ + 1;
  while (token->kind == TokenKind::name && !isKeyword(token->text)) ++token;
  return token > at_ + 1 && token->kind == TokenKind::equals;
}

void Parser::parseFunction() {
  const Token& name = take();
  auto function = std::make_shared<Function>();
  const bool parenthesised = accept(TokenKind::openParen);
  do {
    if (at_->kind == TokenKind::closeParen) break;
    if (at_->kind != TokenKind::name || isKeyword(at_->text)) fail(*at_, "expected a parameter, found " + describe(*at_));
    function->parameters.push_back(take().text);
  } while (parenthesised ? accept(TokenKind::comma) : at_->kind == TokenKind::name);
  if (parenthesised) expect(TokenKind::closeParen, ")", "after the parameters");
  expect(TokenKind::equals, "=", "after the parameters");
  function->text = text_;
  function->body = static_cast<std::size_t>(at_ - tokens_.data());
  function->scope = {session_.names, session_.functions};
  skipExpression();
  session_.names.erase(name.text);
  session_.functions[name.text] = std::move(function);
}

// To the next statement, or the `and` or `in` that ends the definition. A `let` where an operand is due is a local one.
void Parser::skipExpression() {
  unsigned open = 0, locals = 0, attempts = 0;
  bool operandIsDue = true;
  for (; at_->kind != TokenKind::end; ++at_) {
    const Token& token = *at_;
    if (token.kind == TokenKind::invalid) fail(token, "");
    const bool isWord = token.kind == TokenKind::name;
    if (isWord && token.text == "let" && operandIsDue) {
      ++locals;
      continue;
    }
    if (isWord && token.text == "in" && locals > 0) {
      --locals;
      operandIsDue = true;
      continue;
    }
    if (isWord && token.text == "try") ++attempts;
    const bool isWith = isWord && token.text == "with" && attempts > 0;
    if (isWith) --attempts;
    const bool ends = isWord && isKeyword(token.text) && token.text != "rec" && token.text != "try" && !isWith;
    if (ends && open == 0 && locals == 0) return;
    if (token.kind == TokenKind::tilde && !operandIsDue && open == 0 && locals == 0) return;  // ~empty ...
    switch (token.kind) {
      case TokenKind::openParen:
      case TokenKind::openBracket: ++open; break;
      case TokenKind::closeParen:
      case TokenKind::closeBracket:
        if (open == 0) return;
        --open;
        break;
      default: break;
    }
    operandIsDue = token.kind != TokenKind::name && token.kind != TokenKind::zero && token.kind != TokenKind::closeParen &&
                   token.kind != TokenKind::closeBracket && token.kind != TokenKind::plus &&
                   token.kind != TokenKind::question && token.kind != TokenKind::inverse &&
                   token.kind != TokenKind::caretPlus && token.kind != TokenKind::caretStar && token.kind != TokenKind::star;
  }
}

std::vector<Operand> Parser::parseArguments() {
  std::vector<Operand> arguments;
  if (!accept(TokenKind::openParen)) {  // f x
    arguments.push_back(parsePrimary());
    return arguments;
  }
  do arguments.push_back(parseExpr());
  while (accept(TokenKind::comma));
  expect(TokenKind::closeParen, ")", "after the arguments");
  return arguments;
}

Operand Parser::parseCall() {
  Nesting nesting(*this);
  const Token& name = take();
  const std::shared_ptr<const Function> function = session_.functions.at(name.text);
  const std::vector<Operand> arguments = parseArguments();
  if (arguments.size() != function->parameters.size()) {
    fail(name, fmt::format("{} takes {} argument{}, not {}", describe(name), function->parameters.size(),
                           function->parameters.size() == 1 ? "" : "s", arguments.size()));
  }
  Scope outside{std::exchange(session_.names, function->scope.names),
                std::exchange(session_.functions, function->scope.functions)};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    session_.names[function->parameters[i]] = arguments[i].expr;
    session_.functions.erase(function->parameters[i]);
  }
  Parser body(session_, function->text, function->body);
  body.nesting_ = nesting_;
  const ExprPtr result = body.parseExpr().expr;
  session_.names = std::move(outside.names);
  session_.functions = std::move(outside.functions);
  variableUsed_ |= body.variableUsed_;
  return {result, &name, lastTaken()};
}

// domain(r), range(r), fencerel(S), ctrlcfence(S), toid(S), different-values(r)
Operand Parser::parseBuiltinCall() {
  const Token& name = *at_;
  static constexpr std::string_view kBuiltin[] = {"domain", "range", "fencerel", "ctrlcfence", "toid", "different-values"};
  if (std::ranges::find(kBuiltin, name.text) == std::end(kBuiltin) || session_.names.count(name.text) > 0) failFunction(name);
  take();
  const std::vector<Operand> arguments = parseArguments();
  if (arguments.size() != 1) fail(name, fmt::format("{} takes 1 argument, not {}", describe(name), arguments.size()));
  Operand argument = arguments[0];
  if (name.text == "fencerel" || name.text == "ctrlcfence" || name.text == "toid") {
    if (argument.expr->kind == ExprKind::empty) argument.expr = emptyExpr(ExprType::set, name);
    if (argument.expr->type != ExprType::set) {
      fail(*argument.first, fmt::format("`{}` is a relation, but {} needs a set", textOf(argument), describe(name)));
    }
    Operand identity = wrap(ExprKind::bracket, ExprType::relation, argument, name);
    if (name.text == "toid") return identity;
    const Operand po{baseExpr(*findBaseName("po"), name), &name, &name};
    const Operand before = name.text == "fencerel" ? po : Operand{baseExpr(*findBaseName("ctrl"), name), &name, &name};
    return {build(ExprKind::sequence, ExprType::relation, {before, identity, po}).expr, &name, lastTaken()};
  }
  requireRelation(argument, describe(name));
  evaluateBecause(name, fmt::format("`{}(...)`", name.text));
  if (name.text == "different-values") {
    const Operand differ{make({ExprKind::base, ExprType::relation, name.text, 0, {}, positionOf(name)}, name), &name, &name};
    return {build(ExprKind::intersect, ExprType::relation, {argument, differ}).expr, &name, lastTaken()};
  }
  return wrap(name.text == "domain" ? ExprKind::domain : ExprKind::range, ExprType::set, argument, name);
}

// ---- Local definitions

// let x = e in f
Operand Parser::parseLocal() {
  Nesting nesting(*this);
  const Token& first = *at_;
  Scope outside{session_.names, session_.functions};
  const bool outsideUsed = variableUsed_;
  parseDefinitions();
  if (!acceptWord("in")) fail(*at_, fmt::format("expected `in` after the local definition, found {}", describe(*at_)));
  variableUsed_ |= outsideUsed;
  const ExprPtr result = parseExpr().expr;
  session_.names = std::move(outside.names);
  session_.functions = std::move(outside.functions);
  return {result, &first, lastTaken()};
}

// try e with f: f if e has a name that nothing has
Operand Parser::parseTry() {
  const Token& first = take();
  const Token* const attempt = at_;
  ExprPtr known;
  std::string tried = "...";
  try {
    const Operand operand = parseExpr();
    known = operand.expr;
    tried = textOf(operand);
  } catch (const CatError&) {
    at_ = attempt;
    skipExpression();
  }
  if (!acceptWord("with")) fail(*at_, fmt::format("expected `with` after `try {}`, found {}", tried, describe(*at_)));
  const Operand otherwise = parseExpr();
  return {known ? known : otherwise.expr, &first, lastTaken()};
}

// ---- Flags and tags

// flag ~empty e as name. `undefined_unless empty e as name` raises the flag where the check does not hold.
void Parser::parseFlag() {
  const Token& keyword = take();
  evaluateBecause(keyword, fmt::format("`{}`", keyword.text));
  Axiom flag = parseCheck(fmt::format("flag{}", session_.model.flags.size() + 1));
  if (keyword.text == "undefined_unless") flag.negated = !flag.negated;
  session_.model.flags.push_back(std::move(flag));
}

// enum Accesses = 'once || 'release: the sets Once and Release. A tag that no program has is an empty set.
void Parser::parseEnum() {
  take();
  if (at_->kind != TokenKind::name) fail(*at_, "expected the name of the enumeration, found " + describe(*at_));
  take();
  expect(TokenKind::equals, "=", "after the name of the enumeration");
  do {
    if (at_->kind != TokenKind::tag) fail(*at_, "expected a tag such as `'once`, found " + describe(*at_));
    const Token& tag = take();
    std::string name = tag.text;
    if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
    if (!findEventTag(name) && findBaseName(name) == nullptr) session_.names[name] = emptyExpr(ExprType::set, tag);
  } while (accept(TokenKind::bar) && (accept(TokenKind::bar), true));
}

// instructions R[{'once,'acquire}]: which tags instructions may have is not checked.
void Parser::skipInstructions() {
  take();
  if (at_->kind != TokenKind::name) fail(*at_, "expected a kind of instructions, found " + describe(*at_));
  take();
  expect(TokenKind::openBracket, "[", "after the kind of instructions");
  while (at_->kind != TokenKind::closeBracket) {
    if (at_->kind == TokenKind::end) fail(*at_, "expected `]` after the tags of instructions");
    take();
  }
  take();
}

// with co from generate_cos(co0): the exploration generates the coherence order itself.
void Parser::skipGeneration() {
  const Token& keyword = take();
  if (!acceptWord("co") || !acceptWord("from")) {
    fail(keyword, "`with ... from` is supported for `co` only, whose orders the exploration generates itself");
  }
  skipExpression();
}

// The events of a tag; nullptr if there is no such tag.
ExprPtr Parser::taggedSet(const Token& name) {
  if (name.text == "emptyset") return emptyExpr(ExprType::set, name);
  if (!findEventTag(name.text)) return nullptr;
  evaluateBecause(name, fmt::format("the tag `{}`", name.text));
  return make({ExprKind::base, ExprType::set, name.text, 0, {}, positionOf(name)}, name);
}

// FW: the last write of each location.
ExprPtr Parser::finalWrites(const Token& name) {
  evaluateBecause(name, "the set `FW`");
  const ExprPtr co = baseExpr(*findBaseName("co"), name);
  const ExprPtr overwritten = make({ExprKind::domain, ExprType::set, "", 0, {co}, positionOf(name)}, name);
  const std::vector<ExprPtr> both = {baseExpr(*findBaseName("W"), name), overwritten};
  return make({ExprKind::subtract, ExprType::set, "", 0, both, positionOf(name)}, name);
}

Model parseCat(const std::string& text, const std::string& file, const IncludeResolver& include, bool proving,
               const std::optional<std::string>& bell) {
  Session session{include, {}, {}, {}, {}, {}, 0, proving};
  session.openFiles.push_back(std::filesystem::path(file).lexically_normal().string());
  if (bell) Parser(session, {std::filesystem::path(file).replace_extension("bell").string(), *bell}).parseFile();
  std::optional<std::string> title = Parser(session, {file, text}).parseFile();
  session.model.file = file;
  session.model.name = title ? *title : std::filesystem::path(file).stem().string();
  return std::move(session.model);
}

}  // namespace heddle::model
