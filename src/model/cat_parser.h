// The .cat parser: recursive descent, one pass, names resolved and types checked on the way.
//
// Every name is defined before it is used, so the parser knows the type of each operand at once and a `let`
// costs nothing but a pointer: a definition is shared by all its uses. Types also settle the two meanings of
// `*`: `S * T` is the product of two sets and `r*` the closure of a relation. The syntax could tell them
// apart as well, by what follows the `*`; using both gives better messages.
//
// Input can be garbage, so everything that could grow is bounded: the nesting of the text (the parser's own
// stack), the depth of an expression (everyone else's stack), its size with all names expanded (a chain of
// definitions `let b = a ; a` doubles it each time), and the depth of includes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "model/cat.h"
#include "model/cat_lexer.h"
#include "model/cat_names.h"

namespace heddle::model {

inline constexpr unsigned kMaxNesting = 200;
inline constexpr unsigned kMaxDepth = 1000;
inline constexpr std::size_t kMaxSize = 100000;
inline constexpr std::size_t kMaxTerms = 1000000;  // of a model that is evaluated, each counted once
inline constexpr unsigned kMaxIncludeDepth = 16;

struct Measure {
  unsigned depth = 1;
  std::size_t size = 1;
};

// A file and its tokens, which a function that is defined there keeps.
struct TokenizedText {
  explicit TokenizedText(CatSource of) : source(std::move(of)), tokens(tokenize(source)) {}
  const CatSource source;
  const std::vector<Token> tokens;
};

struct Function;

// What names stand for at some place.
struct Scope {
  std::map<std::string, ExprPtr> names;
  std::map<std::string, std::shared_ptr<const Function>> functions;
};

// `let f(x, y) = body`. A call parses the body anew, with the arguments for the parameters and with all other names as they
// were where the function was defined.
struct Function {
  std::vector<std::string> parameters;
  std::shared_ptr<const TokenizedText> text;
  std::size_t body = 0;  // its first token
  Scope scope;
};

// What the main file and its includes have in common.
struct Session {
  const IncludeResolver& include;
  Model model;
  std::map<std::string, ExprPtr> names;
  std::unordered_map<const Expr*, Measure> measures;  // of every expression that is alive
  std::vector<std::string> openFiles;
  std::set<std::string> includedFiles;
  unsigned recursions = 0;
  bool proving = false;  // a query file or a model of one: dependencies can be named, and more words are keywords
  std::map<std::string, std::shared_ptr<const Function>> functions = {};
};

// An expression and where it stands in the text, for messages.
struct Operand {
  ExprPtr expr;
  const Token* first;
  const Token* last;
};

struct Binding {
  const Token* name;
  ExprPtr value;
};

inline std::string_view symbolOf(ExprKind kind) {
  switch (kind) {
    case ExprKind::unite: return "|";
    case ExprKind::sequence: return ";";
    case ExprKind::subtract: return "\\";
    case ExprKind::intersect: return "&";
    case ExprKind::product: return "*";
    case ExprKind::inverse: return "^-1";
    case ExprKind::plus: return "+";
    case ExprKind::star: return "*";
    case ExprKind::optional: return "?";
    default: return "";
  }
}

class Parser {
 public:
  Parser(Session& session, CatSource source) : Parser(session, std::make_shared<const TokenizedText>(std::move(source)), 0) {
    noteDefinitions();
  }

  // The title, if the file has one.
  std::optional<std::string> parseFile() {
    std::optional<std::string> title = parseTitle();
    while (at_->kind != TokenKind::end) {
      if (!parseOwnStatement()) parseStatement();
    }
    return title;
  }

  virtual ~Parser() = default;
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

 protected:
  // For languages that have more statements than models have (prove/query_parser.cpp): true if it took one.
  virtual bool parseOwnStatement() { return false; }

  // ---- Tokens and messages

  [[noreturn]] void fail(const Token& token, const std::string& message) const {
    if (token.kind == TokenKind::invalid) failAt(source_, token, token.text);
    failAt(source_, token, message);
  }

  const Token& take() {
    const Token& token = *at_;
    if (token.kind == TokenKind::invalid) fail(token, "");
    if (token.kind != TokenKind::end) ++at_;
    return token;
  }

  const Token& peek() const { return at_[at_->kind == TokenKind::end || at_->kind == TokenKind::invalid ? 0 : 1]; }
  static bool isWord(const Token& token, std::string_view word) { return token.kind == TokenKind::name && token.text == word; }
  bool atWord(std::string_view word) const { return isWord(*at_, word); }

  bool accept(TokenKind kind) {
    if (at_->kind != kind) return false;
    ++at_;
    return true;
  }

  bool acceptWord(std::string_view word) {
    if (!atWord(word)) return false;
    ++at_;
    return true;
  }

  void expect(TokenKind kind, std::string_view what, std::string_view where) {
    if (!accept(kind)) fail(*at_, fmt::format("expected `{}` {}, found {}", what, where, describe(*at_)));
  }

  Position positionOf(const Token& token) const { return {source_.file, token.line, token.column}; }

  std::string textOf(const Operand& operand) const { return excerpt(source_, operand.first->begin, operand.last->end); }

  const Token* lastTaken() const { return at_ - 1; }

  // ---- Statements

  // A quoted title, or a name alone on the first line.
  std::optional<std::string> parseTitle() {
    if (at_->kind == TokenKind::string) return take().text;
    const bool bare = at_->kind == TokenKind::name && !isKeyword(at_->text);
    const auto isAlone = [&](const Token* token) { return token[1].kind == TokenKind::end || token[1].line != token->line; };
    if (bare && isAlone(at_)) return take().text;
    // C RC11    RISCV "a partial order": which language the model is for, and then its name.
    const bool isName = peek().kind == TokenKind::string || (peek().kind == TokenKind::name && !isKeyword(peek().text));
    if (!bare || !isLanguage(at_->text) || !isName || !isAlone(at_ + 1)) return std::nullopt;
    take();
    return take().text;
  }

  void parseStatement() {
    const Token& first = *at_;
    if (first.kind == TokenKind::tilde && peek().kind == TokenKind::name && axiomKind(peek().text)) return parseAxiom();
    if (first.kind != TokenKind::name) expectedStatement(first);
    if (first.text == "let") return parseLet();
    if (first.text == "include") return parseInclude();
    if (axiomKind(first.text)) return parseAxiom();
    if (first.text == "flag" || first.text == "undefined_unless") return parseFlag();
    if (first.text == "enum") return parseEnum();
    if (first.text == "instructions") return skipInstructions();
    if (first.text == "with") return skipGeneration();
    if (first.text == "show" || first.text == "unshow") return skipShow();
    if (first.text == "mixed-sizes") {
      take();
      session_.model.mixedSizes = true;
      return;
    }
    if (first.text == "control-ends") {
      take();
      session_.model.controlEnds = true;
      return;
    }
    if (first.text == "races-by") return parseBy(session_.model.happensBefore, "a model has one happens-before");
    if (first.text == "issue-by") return parseBy(session_.model.causality.issue, kOneOrder);
    if (first.text == "commit-by") return parseBy(session_.model.causality.commit, kOneOrder);
    if (first.text == "barrier-by") return parseBy(session_.model.causality.barrier, kOneOrder);
    expectedStatement(first);
  }

  [[noreturn]] void expectedStatement(const Token& token) {
    if (token.kind == TokenKind::name) {
      std::string_view advice = adviceOnStatement(token.text);
      if (!advice.empty()) fail(token, std::string(advice));
      if (std::string nearest = nearestStatement(token.text); !nearest.empty() && nearest != token.text) {
        fail(token, fmt::format("{} does not start a statement; did you mean `{}`?", describe(token), nearest));
      }
    }
    fail(token, fmt::format("expected an operator or a statement (let, acyclic, irreflexive, empty, include, show), "
                            "found {}",
                            describe(token)));
  }

  static std::optional<AxiomKind> axiomKind(std::string_view word) {
    if (word == "acyclic") return AxiomKind::acyclic;
    if (word == "irreflexive") return AxiomKind::irreflexive;
    if (word == "empty") return AxiomKind::empty;
    return std::nullopt;
  }

  void parseAxiom() {
    const Token& first = *at_;
    Axiom axiom = parseCheck(fmt::format("axiom{}", session_.model.axioms.size() + 1));
    if (axiom.negated && session_.proving) {
      fail(first, "an axiom with `~` demands that something is there; proofs know only what is forbidden");
    }
    session_.model.axioms.push_back(std::move(axiom));
  }

  // acyclic e as name, ~empty e, ...
  Axiom parseCheck(std::string name) {
    const Token& first = *at_;
    const bool negated = accept(TokenKind::tilde);
    if (negated) evaluateBecause(first, "a negated axiom");
    const Token& keyword = take();
    const std::optional<AxiomKind> kind = axiomKind(keyword.text);
    if (keyword.kind != TokenKind::name || !kind) {
      fail(keyword, fmt::format("expected acyclic, irreflexive or empty, found {}", describe(keyword)));
    }
    Operand operand = parseExpr();
    if (*kind != AxiomKind::empty) requireRelation(operand, fmt::format("`{}`", keyword.text));
    if (acceptWord("as")) {
      if (at_->kind != TokenKind::name) fail(*at_, "expected the axiom's name after `as`, found " + describe(*at_));
      name = take().text;
    }
    return {*kind, name, operand.expr, positionOf(keyword), negated};
  }

  static constexpr std::string_view kOneOrder = "a model has one causal order";

  void parseBy(ExprPtr& relation, std::string_view why) {
    const Token& keyword = take();
    Operand operand = parseExpr();
    requireRelation(operand, fmt::format("`{}`", keyword.text));
    if (relation) fail(keyword, fmt::format("a second `{}`: {}", keyword.text, why));
    relation = operand.expr;
  }

  // `show` is for drawing and may mention anything. Two operands side by side are an error all the same, or a
  // misspelt keyword on the next line would be skipped together with its axiom.
  void skipShow() {
    take();
    bool afterOperand = false;
    while (at_->kind != TokenKind::end && !(at_->kind == TokenKind::name && isKeyword(at_->text) && !atWord("as"))) {
      const Token& token = take();
      switch (token.kind) {
        case TokenKind::name:
          if (token.text == "as") {
            afterOperand = false;
            break;
          }
          [[fallthrough]];
        case TokenKind::string:
        case TokenKind::zero:
        case TokenKind::openBracket:
          if (afterOperand) expectedStatement(token);
          afterOperand = token.kind != TokenKind::openBracket;
          break;
        case TokenKind::closeParen:
        case TokenKind::closeBracket:
        case TokenKind::plus:
        case TokenKind::question:
        case TokenKind::inverse:
        case TokenKind::caretPlus:
        case TokenKind::caretStar: afterOperand = true; break;
        case TokenKind::star: afterOperand = !startsOperand(*at_) || at_->line != token.line; break;
        default: afterOperand = false; break;
      }
    }
  }

  void parseInclude() {
    const Token& keyword = take();
    if (at_->kind != TokenKind::string) fail(*at_, "expected a file name in quotes after `include`");
    const Token& name = take();
    std::filesystem::path path = name.text;
    if (path.is_relative()) path = std::filesystem::path(source_.file).parent_path() / path;
    const std::string file = path.lexically_normal().string();

    if (std::count(session_.openFiles.begin(), session_.openFiles.end(), file) > 0) {
      fail(keyword, fmt::format("{} includes itself", file));
    }
    if (session_.openFiles.size() >= kMaxIncludeDepth) {
      fail(keyword, fmt::format("includes are nested more than {} deep", kMaxIncludeDepth));
    }
    if (session_.includedFiles.count(file) > 0) return;  // its definitions and axioms are here already
    std::optional<std::string> text;
    if (session_.include) text = session_.include(name.text, source_.file);
    if (!text) fail(name, fmt::format("cannot find the file `{}`", name.text));

    session_.includedFiles.insert(file);
    session_.openFiles.push_back(file);
    Parser(session_, {file, *std::move(text)}).parseFile();
    session_.openFiles.pop_back();
  }

  // ---- Definitions

  // Notes where each name is defined in this file, to tell "not yet defined" from "unknown".
  void noteDefinitions() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!isWord(tokens_[i], "let") && !isWord(tokens_[i], "and")) continue;
      std::size_t name = i + (isWord(tokens_[i + 1], "rec") ? 2 : 1);
      if (name < tokens_.size() && tokens_[name].kind == TokenKind::name) {
        definedAtLine_.emplace(tokens_[name].text, tokens_[name].line);
      }
    }
  }

  void parseLet() {
    for (const Binding& binding : parseDefinitions()) {
      session_.model.definitions.emplace_back(binding.name->text, binding.value);
    }
    if (atWord("in"))
      fail(*at_, "this `let` is a statement; `let ... in` is an expression, as in `let x = (let y = po in y ; y)`");
  }

  // From `let` to the last binding, which are in scope then.
  std::vector<Binding> parseDefinitions() {
    take();
    bool recursive = acceptWord("rec");
    std::vector<Binding> bindings = recursive ? parseRecursion() : parseBindings();
    for (const Binding& binding : bindings) {
      session_.names[binding.name->text] = binding.value;
      session_.functions.erase(binding.name->text);
    }
    return bindings;
  }

  const Token& parseBoundName() {
    const Token& name = *at_;
    if (name.kind != TokenKind::name) fail(name, "expected a name to define, found " + describe(name));
    if (isKeyword(name.text) || name.text == "_") fail(name, describe(name) + " is a keyword; choose another name");
    take();
    if (at_->kind == TokenKind::openParen) fail(name, fmt::format("{} is a function, and cannot be recursive", describe(name)));
    expect(TokenKind::equals, "=", "after the defined name");
    return name;
  }

  std::vector<Binding> parseBindings() {
    std::vector<Binding> bindings;
    do {
      if (atFunction()) {
        parseFunction();
        continue;
      }
      const Token& name = parseBoundName();
      beingDefined_.push_back(&name);
      bindings.push_back({&name, parseExpr().expr});
    } while (acceptWord("and"));
    beingDefined_.clear();
    return bindings;
  }

  // All names of the group are variables in all its right-hand sides, so the group's names come first. Which of them are sets is
  // found by trying.
  std::vector<Binding> parseRecursion() {
    const Token* const first = at_;
    std::vector<const Token*> names = namesOfGroup();
    std::vector<ExprType> types(names.size(), ExprType::relation);
    std::string group;
    for (const Token* name : names) group += (group.empty() ? "" : ",") + name->text;
    group += fmt::format("#{}", ++session_.recursions);
    std::vector<ExprPtr> values = parseGroup(first, names, types, group);

    std::vector<Binding> bindings;
    for (unsigned i = 0; i < values.size(); ++i) {
      ExprPtr value = values[i];
      if (variableUsed_) {
        value = make({ExprKind::recursion, types[i], group, i, values, positionOf(*names[i])}, *names[i]);
        if (types[i] == ExprType::set) evaluateBecause(*names[i], "a recursive set");
      }
      bindings.push_back({names[i], value});
    }
    return bindings;
  }

  // The right-hand sides. They are read with all names as relations; whenever that is found to be wrong, with other ones as sets.
  std::vector<ExprPtr> parseGroup(const Token* first, const std::vector<const Token*>& names, std::vector<ExprType>& types,
                                  const std::string& group) {
    constexpr std::size_t kMostTried = 8;
    std::optional<CatError> problem;
    for (std::size_t sets = 0; sets < std::size_t{1} << std::min(names.size(), kMostTried); ++sets) {
      for (std::size_t i = 0; i < std::min(names.size(), kMostTried); ++i) {
        types[i] = (sets >> i & 1) != 0 ? ExprType::set : ExprType::relation;
      }
      at_ = first;
      try {
        return tryGroup(names, types, group);
      } catch (const CatError& error) {
        if (!problem) problem = error;
      }
    }
    throw CatError(*problem);
  }

  std::vector<ExprPtr> tryGroup(const std::vector<const Token*>& names, const std::vector<ExprType>& types,
                                const std::string& group) {
    for (unsigned i = 0; i < names.size(); ++i) {
      session_.names[names[i]->text] = make({ExprKind::variable, types[i], group, i, {}, positionOf(*names[i])}, *names[i]);
      session_.functions.erase(names[i]->text);
    }
    variableUsed_ = false;
    std::vector<ExprPtr> values;
    do {
      const Token& name = parseBoundName();
      Operand operand = parseExpr();
      const std::size_t i = values.size();
      if (i >= names.size()) fail(name, "expected a statement");
      if (types[i] == ExprType::set && operand.expr->kind == ExprKind::empty) operand.expr = emptyExpr(ExprType::set, name);
      if (operand.expr->type != types[i]) {
        const bool isSet = operand.expr->type == ExprType::set;
        fail(name, fmt::format("{} is used as a {}, but is a {}", describe(name), isSet ? "relation" : "set",
                               isSet ? "set" : "relation"));
      }
      values.push_back(operand.expr);
    } while (acceptWord("and"));
    return values;
  }

  // Looks ahead: the name after `let rec`, and after each `and` before the next statement.
  std::vector<const Token*> namesOfGroup() const {
    std::vector<const Token*> names;
    for (const Token* token = at_; token->kind != TokenKind::end && token->kind != TokenKind::invalid; ++token) {
      bool first = token == at_;
      bool next = isWord(*token, "and") && token[1].kind == TokenKind::name;
      if (!first && !next && (isWord(*token, "in") || (token->kind == TokenKind::name && startsStatement(token->text)))) break;
      if (!first && !next) continue;
      const Token* name = first ? token : token + 1;
      if (std::any_of(names.begin(), names.end(), [&](const Token* other) { return other->text == name->text; })) {
        fail(*name, describe(*name) + " is defined twice in this `let rec`");
      }
      names.push_back(name);
    }
    return names;
  }

  // ---- Expressions, from the loosest operator to the tightest

  Operand parseExpr() { return parseUnion(); }
  Operand parseUnion() { return parseChain(TokenKind::bar, ExprKind::unite, &Parser::parseSequence); }
  Operand parseSequence() { return parseChain(TokenKind::semicolon, ExprKind::sequence, &Parser::parseDifference); }
  Operand parseIntersection() { return parseChain(TokenKind::ampersand, ExprKind::intersect, &Parser::parseProduct); }

  Operand parseChain(TokenKind symbol, ExprKind kind, Operand (Parser::*parseOperand)()) {
    std::vector<Operand> operands{(this->*parseOperand)()};
    while (accept(symbol)) operands.push_back((this->*parseOperand)());
    return operands.size() == 1 ? operands[0] : combine(kind, operands);
  }

  Operand parseDifference() {
    Operand left = parseIntersection();
    while (accept(TokenKind::backslash)) {
      std::vector<Operand> operands{left, parseIntersection()};
      left = combine(ExprKind::subtract, operands);
    }
    return left;
  }

  Operand parseProduct() {
    Operand left = parsePrefix();
    if (at_->kind != TokenKind::star) return left;
    take();
    std::vector<Operand> operands{left, parsePrefix()};
    for (Operand& operand : operands) {
      if (operand.expr->kind == ExprKind::empty) operand.expr = emptyExpr(ExprType::set, *operand.first);
      if (operand.expr->type == ExprType::set) continue;
      fail(*operand.first, fmt::format("`{}` is a relation, but `*` between two operands is the product of two sets; "
                                       "to continue after a closure write `r* ; ...`",
                                       textOf(operand)));
    }
    return build(ExprKind::product, ExprType::relation, operands);
  }

  Operand parsePrefix() {
    if (at_->kind != TokenKind::tilde) return parsePostfix();
    const Token& tilde = take();
    Nesting nesting(*this);
    Operand operand = parsePrefix();
    return wrap(ExprKind::complement, operand.expr->type, operand, tilde);
  }

  Operand parsePostfix() {
    Operand operand = parsePrimary();
    for (;;) {
      ExprKind kind;
      switch (at_->kind) {
        case TokenKind::plus:
        case TokenKind::caretPlus: kind = ExprKind::plus; break;
        case TokenKind::question: kind = ExprKind::optional; break;
        case TokenKind::inverse: kind = ExprKind::inverse; break;
        case TokenKind::star:
          if (startsOperand(peek())) return operand;  // a product
          [[fallthrough]];
        case TokenKind::caretStar: kind = ExprKind::star; break;
        default: return operand;
      }
      requireRelation(operand, fmt::format("`{}`", symbolOf(kind)));
      take();
      operand = wrap(kind, ExprType::relation, operand, *operand.first);
    }
  }

  bool startsOperand(const Token& token) const {
    switch (token.kind) {
      case TokenKind::name: return !isKeyword(token.text) && !(session_.proving && isQueryKeyword(token.text));
      case TokenKind::zero:
      case TokenKind::openParen:
      case TokenKind::openBracket:
      case TokenKind::tilde: return true;
      default: return false;
    }
  }

  Operand parsePrimary() {
    Nesting nesting(*this);
    const Token& first = *at_;
    switch (first.kind) {
      case TokenKind::zero: take(); return {emptyExpr(ExprType::relation, first), &first, &first};
      case TokenKind::name: return parseName();
      case TokenKind::openParen: {
        take();
        Operand inner = parseExpr();
        if (at_->kind == TokenKind::comma) fail(*at_, "tuples are not supported");
        expect(TokenKind::closeParen, ")", fmt::format("to match the `(` of line {}", first.line));
        return {inner.expr, &first, lastTaken()};
      }
      case TokenKind::openBracket: {
        take();
        Operand inner = parseExpr();
        if (inner.expr->kind == ExprKind::empty) inner.expr = emptyExpr(ExprType::set, *inner.first);
        if (inner.expr->type != ExprType::set) {
          fail(*inner.first, fmt::format("`{}` is a relation, but `[ ]` needs a set", textOf(inner)));
        }
        expect(TokenKind::closeBracket, "]", fmt::format("to match the `[` of line {}", first.line));
        return wrap(ExprKind::bracket, ExprType::relation, inner, first);
      }
      case TokenKind::openBrace:
        take();
        if (!accept(TokenKind::closeBrace)) fail(first, "sets cannot be listed with braces; `{}` and `0` are the empty set");
        return {emptyExpr(ExprType::set, first), &first, lastTaken()};
      default: fail(first, "expected a set or a relation, found " + describe(first));
    }
  }

  Operand parseName() {
    const Token& name = *at_;
    if (name.text == "let") return parseLocal();
    if (name.text == "try") return parseTry();
    if (isKeyword(name.text)) {
      std::string_view advice = adviceOnStatement(name.text);
      if (!advice.empty()) fail(name, std::string(advice));
      fail(name, "expected a set or a relation, found the keyword " + describe(name));
    }
    if (session_.functions.count(name.text) > 0) return parseCall();
    if (peek().kind == TokenKind::openParen) return parseBuiltinCall();
    ExprPtr expr = lookUp(name);
    take();
    return {expr, &name, &name};
  }

  [[noreturn]] void failFunction(const Token& name) {
    if (session_.names.count(name.text) > 0 || findBaseName(name.text) != nullptr) {
      fail(peek(), fmt::format("expected an operator between {} and `(`", describe(name)));
    }
    std::string_view advice = adviceOnFunction(name.text);
    if (!advice.empty()) fail(name, fmt::format("functions such as `{}(...)` are not supported; {}", name.text, advice));
    fail(name, fmt::format("unknown function {}", describe(name)));
  }

  ExprPtr lookUp(const Token& name) {
    if (auto it = session_.names.find(name.text); it != session_.names.end()) {
      if (it->second->kind == ExprKind::variable) variableUsed_ = true;
      return it->second;
    }
    if (const BaseName* base = findBaseName(name.text)) return withFenceOfC(baseExpr(*base, name), name);
    if (ExprPtr tagged = taggedSet(name)) return tagged;
    if (name.text == "FW") return finalWrites(name);
    if (const FieldName* other = findFieldName(name.text)) {
      return other->means.empty() ? emptyExpr(other->type, name) : baseExpr(*findBaseName(other->means), name);
    }
    failUnknown(name);
  }

  // Three fences of machines are fences of C as well, and assembly has them as those (litmus/assembly).
  ExprPtr withFenceOfC(ExprPtr fence, const Token& name) {
    const std::string_view order = name.text == "Fence.r.rw"    ? "ACQ"
                                   : name.text == "Fence.rw.w"  ? "REL"
                                   : name.text == "Fence.rw.rw" ? "SC"
                                                                : "";
    if (order.empty()) return fence;
    const std::vector<ExprPtr> both = {baseExpr(*findBaseName("F"), name), baseExpr(*findBaseName(order), name)};
    const ExprPtr ofC = make({ExprKind::intersect, ExprType::set, "", 0, both, positionOf(name)}, name);
    return make({ExprKind::unite, ExprType::set, "", 0, {std::move(fence), ofC}, positionOf(name)}, name);
  }

  [[noreturn]] void failUnknown(const Token& name) {
    auto isName = [&](const Token* token) { return token->text == name.text; };
    if (std::any_of(beingDefined_.begin(), beingDefined_.end(), isName)) {
      fail(name, fmt::format("{} is used in its own definition; write `let rec`", describe(name)));
    }
    if (auto it = definedAtLine_.find(name.text); it != definedAtLine_.end()) {
      fail(name, fmt::format("{} is used before it is defined (in line {})", describe(name), it->second));
    }
    if (std::string_view advice = adviceOnName(name.text); !advice.empty()) {
      fail(name, fmt::format("{} is not available: {}", describe(name), advice));
    }
    std::vector<std::string> known;
    for (const auto& [knownName, expr] : session_.names) known.push_back(knownName);
    std::string nearest = nearestName(name.text, known);
    std::string hint = nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest);
    if (name.text.ends_with("-1"))
      hint = fmt::format("; an inverse is written `{}^-1`", name.text.substr(0, name.text.size() - 2));
    fail(name, fmt::format("unknown name {}{}", describe(name), hint));
  }

  // ---- Types

  void requireRelation(const Operand& operand, const std::string& user) const {
    if (operand.expr->type == ExprType::relation) return;
    fail(*operand.first,
         fmt::format("`{0}` is a set, but {1} needs a relation; write `[{0}]` for the identity on it", textOf(operand), user));
  }

  Operand combine(ExprKind kind, std::vector<Operand>& operands) {
    auto isSet = [](const Operand& operand) { return operand.expr->type == ExprType::set; };
    if (kind == ExprKind::sequence || std::none_of(operands.begin(), operands.end(), isSet)) {
      for (const Operand& operand : operands) requireRelation(operand, fmt::format("`{}`", symbolOf(kind)));
      return build(kind, ExprType::relation, operands);
    }
    for (Operand& operand : operands) {
      if (operand.expr->kind == ExprKind::empty) operand.expr = emptyExpr(ExprType::set, *operand.first);
    }
    auto relation = std::find_if_not(operands.begin(), operands.end(), isSet);
    if (relation == operands.end()) return build(kind, ExprType::set, operands);
    auto set = std::find_if(operands.begin(), operands.end(), isSet);
    fail(*set->first, fmt::format("`{0}` is a set and `{1}` is a relation, and `{2}` cannot mix them; write `[{0}]` "
                                  "for the identity on the set",
                                  textOf(*set), textOf(*relation), symbolOf(kind)));
  }

  // ---- Making expressions

  ExprPtr make(Expr expr, const Token& token) {
    Measure measure;
    for (const ExprPtr& arg : expr.args) {
      const Measure& inner = session_.measures.at(arg.get());
      measure.depth = std::max(measure.depth, inner.depth + 1);
      measure.size += inner.size;
    }
    if (!session_.model.evaluatedBecause.empty() && session_.measures.size() < kMaxTerms)
      measure.size = 1;  // never written out
    if (measure.depth > kMaxDepth || measure.size > kMaxSize) {
      fail(token, fmt::format("this expression is too {} with its names written out (at most {})",
                              measure.depth > kMaxDepth ? "deep" : "large", measure.depth > kMaxDepth ? kMaxDepth : kMaxSize));
    }
    ExprPtr result = std::make_shared<const Expr>(std::move(expr));
    session_.measures[result.get()] = measure;
    return result;
  }

  Operand build(ExprKind kind, ExprType type, const std::vector<Operand>& operands) {
    std::vector<ExprPtr> args;
    for (const Operand& operand : operands) args.push_back(operand.expr);
    const Token& first = *operands.front().first;
    return {make({kind, type, "", 0, std::move(args), positionOf(first)}, first), &first, operands.back().last};
  }

  Operand wrap(ExprKind kind, ExprType type, const Operand& operand, const Token& first) {
    return {make({kind, type, "", 0, {operand.expr}, positionOf(first)}, first), &first, lastTaken()};
  }

  ExprPtr emptyExpr(ExprType type, const Token& token) {
    return make({ExprKind::empty, type, "", 0, {}, positionOf(token)}, token);
  }

  ExprPtr baseExpr(const BaseName& base, const Token& token) {
    std::vector<ExprPtr> parts;
    for (std::string_view part : base.parts) {
      parts.push_back(make({ExprKind::base, base.type, std::string(part), 0, {}, positionOf(token)}, token));
    }
    if (base.kind == ExprKind::base) return parts[0];
    bool complement = base.kind == ExprKind::complement;
    ExprKind kind = complement ? ExprKind::unite : base.kind;
    ExprPtr result = make({kind, base.type, "", 0, std::move(parts), positionOf(token)}, token);
    if (!complement) return result;
    return make({ExprKind::complement, base.type, "", 0, {result}, positionOf(token)}, token);
  }

  // ---- cat_parser.cpp: functions, local definitions, flags and tags

  // From a token of the text on.
  Parser(Session& session, std::shared_ptr<const TokenizedText> text, std::size_t first)
      : session_(session),
        text_(std::move(text)),
        source_(text_->source),
        tokens_(text_->tokens),
        at_(tokens_.data() + first) {}

  void evaluateBecause(const Token& token, std::string_view what);
  bool atFunction() const;
  void parseFunction();
  void skipExpression();
  Operand parseCall();
  Operand parseBuiltinCall();
  Operand parseLocal();
  Operand parseTry();
  void parseFlag();
  void parseEnum();
  void skipInstructions();
  void skipGeneration();
  ExprPtr taggedSet(const Token& name);
  ExprPtr finalWrites(const Token& name);
  std::vector<Operand> parseArguments();

  // Counts how deep the text is nested, so that the parser's stack is bounded.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) {
        parser_.fail(*parser_.at_, fmt::format("nested more than {} deep", kMaxNesting));
      }
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  Session& session_;
  const std::shared_ptr<const TokenizedText> text_;
  const CatSource& source_;
  const std::vector<Token>& tokens_;
  const Token* at_;
  unsigned nesting_ = 0;
  bool variableUsed_ = false;
  std::vector<const Token*> beingDefined_;
  std::map<std::string, unsigned> definedAtLine_;
};

}  // namespace heddle::model
