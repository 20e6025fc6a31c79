// The parser of litmus files: recursive descent, one token of lookahead.
//
// One class, because C needs the same context everywhere (which names are types, locations, variables), spread
// over one file per layer of the language:
//
//     parse_file.cpp        header, initial state, threads, `locations`
//     parse_condition.cpp   the final condition and what it observes
//     parse_statement.cpp   types, declarations, control flow
//     parse_expression.cpp  operators, assignments, places in memory
//     parse_call.cpp        the functions: atomics, fences, locks, assume, assert, choose, spawn, join
//
// The input may be anything. Recursion is bounded by kMaxNesting, chains of operators by kMaxExprDepth (later
// passes recurse over them), and no token is looked at more than a fixed number of times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "litmus/header.h"
#include "litmus/syntax.h"
#include "litmus/token_stream.h"

namespace heddle::litmus {

class Parser : private TokenStream {
 public:
  Parser(const SourceFile& file, const Header& header) : TokenStream(file), header_(header) {}

  Syntax parse();

 private:
  static constexpr unsigned kMaxExprDepth = 1000;
  static constexpr unsigned kMaxThreads = 1000;
  static constexpr unsigned kMaxLocals = 500;

  struct Parameter {
    std::uint32_t location;
    Type type;
  };
  struct SpawnSite {
    std::int64_t number;
    std::size_t offset;
    bool isSpawn;
  };

  // parse_file.cpp
  void parseInitialItem();
  void parseInitialRegister(unsigned thread, bool typed, const Type& type);
  void parseInitialLocation(bool typed, const Type& type);
  std::int64_t parseSignedValue();
  void parseThread();
  void parseParameter();
  std::uint32_t location(const std::string& name);
  void checkThreads();

  // parse_condition.cpp
  void parseObservedList();
  void parseFinalCondition();
  Formula parseComparison();
  std::uint32_t parseObserved(bool wholeArrays);
  std::uint32_t observe(Observed observed);

  // parse_statement.cpp
  Type parseType();
  void skipQualifiers();
  const Stmt* parseStatement();
  const Stmt* parseBlock();
  const Stmt* parseDeclaration();
  const Stmt* parseAtomic();
  const Stmt* parseIf();
  const Stmt* parseWhile();
  const Stmt* parseDo();
  const Stmt* parseFor();
  const Stmt* parseJump(StmtKind kind);
  const Stmt* parseExpressionStatement();
  const Expr* parseControllingExpression();
  Stmt* makeStmt(StmtKind kind);
  std::uint16_t declareLocal(const std::string& name, const Type& type, std::size_t offset);
  std::uint16_t declareUnnamed(const Type& type, std::size_t offset);
  void beginSource();
  void endSource(std::uint32_t source);

  // parse_expression.cpp
  const Expr* parseExpression();  // with commas
  const Expr* parseAssignment();
  const Expr* parseConditional();
  const Expr* parseBinary(int minPrecedence);
  const Expr* parseUnary();
  const Expr* parsePostfix();
  const Expr* parsePrimary();
  const Expr* parseIdentifier();
  const Expr* parseElement(const std::string& name, const Parameter& parameter, std::size_t offset);
  const Expr* makeAssignment(const Expr* target, Operator op, const Expr* value, bool postfix, std::size_t offset);
  Place parsePlace(bool allowSum);
  Place parseCastPlace();
  Expr* makeExpr(ExprKind kind, std::size_t offset);
  const Expr* seal(Expr* expr);
  void noteUse(const Expr& expr);
  const Expr* constant(std::int64_t value, std::size_t offset);
  const Expr* makeBinary(Operator op, const Expr* left, const Expr* right, std::size_t offset);
  const Expr* makeAccess(const Place& place, std::size_t offset);
  const Expr* value(const Expr* expr) const;  // checks that it has one
  [[noreturn]] void failUnknown(const std::string& name, std::size_t offset) const;

  // parse_call.cpp
  const Expr* parseCall(const std::string& name, std::size_t offset);
  const Expr* parseAtomicCall(const std::string& base, bool isExplicit, std::size_t offset);
  const Expr* parseTrylock(bool trueOnSuccess, std::size_t offset);
  const Expr* parseTryForReading(std::size_t offset);
  const Expr* parseSpawnOrJoin(ExprKind kind, std::size_t offset);
  const Expr* parseCas(bool weak, bool isExplicit, std::size_t offset);
  std::optional<std::uint16_t> parseAddressOfLocal();  // its slot
  Place parseExpectedInMemory();
  const Expr* withExpectedInMemory(Expr* cas, Place expected);
  Order parseOrder(ExprKind kind);
  Order parseOptionalOrder(ExprKind kind, bool isExplicit);
  void expectComma(std::string_view after);

  const Header& header_;
  Syntax syntax_;

  std::unordered_map<std::string, std::uint32_t> locationOf_;
  std::vector<std::vector<Local>> initialRegisters_;  // by thread number
  std::vector<std::size_t> initialRegisterOffset_;
  std::unordered_set<std::string> initialRegisterNames_;
  std::vector<SpawnSite> spawnSites_;
  std::unordered_map<std::string, std::uint32_t> observedOf_;

  // The thread being parsed.
  Thread* thread_ = nullptr;
  std::unordered_map<std::string, Parameter> parameters_;
  std::unordered_map<std::string, std::uint16_t> slotOf_;   // every variable of the thread
  std::unordered_map<std::string, std::uint16_t> inScope_;  // those that can be named here
  std::vector<std::string> scopeStack_;                     // names declared, innermost last
  unsigned loopDepth_ = 0;
  std::optional<unsigned> loopsAroundAtomic_;  // in a transaction: the loops that it is in
  std::uint32_t source_ = 0;

  // The registers of every thread by name, for the condition.
  std::vector<std::unordered_map<std::string, std::uint16_t>> registersOf_;
};

inline constexpr const char* kMutexOnly = "a mutex is used by lock, trylock and unlock only";

// The value of an operator on constants; division by zero must have been excluded.
std::int64_t applyOperator(Operator op, std::int64_t left, std::int64_t right);

}  // namespace heddle::litmus
