// The parser of litmus tests in the kernel's dialect.
//
//     C MP+wmb+rmb
//     { int x = 0; int *p = &x; spinlock_t lo; 1:r0 = 5; }
//     P0(int *x, int *y) { WRITE_ONCE(*x, 1); smp_wmb(); WRITE_ONCE(*y, 1); }
//     P1(int *x, int *y) { int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x); }
//     locations [x; 0:r0]
//     filter (1:r0=1)
//     exists (1:r0=1 /\ 1:r1=0)
//
// A parameter is a pointer to the location of its name. Types are read and not used: every value is a number of 64 bits, or
// the address of a location. A variable that is assigned to without a declaration is a local one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "litmus/header.h"
#include "litmus/kernel/kernel_syntax.h"
#include "litmus/syntax.h"
#include "litmus/token_stream.h"

namespace heddle::litmus {

struct KernelTest {
  Syntax syntax;   // name, names of locations, what is observed, condition; no trees
  Formula filter;  // executions in which it does not hold do not count
  KernelProgram program;
};

// Is the test in this dialect? It is if it says something about the model lkmm, or uses a primitive that only the kernel has; or,
// if that is preferred, unless it uses atomics of C11.
bool isKernelDialect(const SourceFile& file, bool preferred);

class KernelParser : private TokenStream {
 public:
  KernelParser(const SourceFile& file, const Header& header) : TokenStream(file), header_(header) {}

  // Throws LitmusError.
  KernelTest parse();

 private:
  static constexpr std::size_t kMaxThreads = 64;
  static constexpr std::size_t kMaxLocals = 500;
  static constexpr std::size_t kMaxLocations = 10000;
  // Locations are far from the numbers that programs compute with, so that an address is recognised.
  static constexpr Address kFirstAddress = 0x10000000000;
  static constexpr Address kBetweenAddresses = 0x1000;

  // parse_kernel_test.cpp
  void parseInitialItem();
  std::int64_t parseInitialValue();
  void parseThread();
  void parseParameter();
  void parseObservedList();
  std::uint32_t parseObserved(bool isListed = false);
  Formula parseComparison();
  unsigned parseThreadNumber();
  std::size_t location(const std::string& name);
  void array(const std::string& name);
  Address addressOf(const std::string& name) { return test_.program.locations[location(name)].address; }
  unsigned local(std::size_t thread, const std::string& name);
  bool atEndOfThreads() const;
  // r1, r9a: such a name is a register, whether something is assigned to it or not.
  static bool isRegister(const std::string& name);

  // parse_kernel_struct.cpp
  struct Member {
    std::uint64_t distance;  // from the beginning of its structure
    std::uint64_t count;     // of elements; 0: no array
  };
  bool atStructure();
  void parseStructure();
  std::string parseMember();
  std::size_t memberOf(const std::string& variable, const std::string& member, std::uint64_t index);
  void parseStructVariable(const std::string& structure, const std::string& variable);
  std::string expectLocationName(const char* what);
  KernelExpr parseMemberAccess(KernelExpr of);

  // parse_kernel_body.cpp
  bool atType();
  bool skipType();
  Token peekToken();
  unsigned currentLine() const;
  KernelStmt parseBlock();
  void parsePart(std::vector<KernelStmt>& into);
  KernelStmt parseStatement();
  bool atLabel();
  KernelStmt parseLabel();
  KernelStmt parseJump();
  unsigned labelOf(const std::string& name, std::size_t offset);
  KernelStmt parseSwitch();
  WaysOut waysOut(const KernelStmt& stmt) const;
  void checkJumps(const KernelStmt& stmt, std::set<unsigned> around = {}) const;
  void parseDeclaration(std::vector<KernelStmt>& into);
  KernelStmt parseBranch();
  KernelStmt parseRound();
  KernelStmt parseLoop();
  KernelStmt parseCountedLoop();
  KernelStmt expressionStatement();
  KernelExpr parseCondition();
  KernelExpr parseExpression() { return parseAssignment(); }
  KernelExpr parseAssignment();
  KernelExpr parseConditional();
  KernelExpr parseBinary(unsigned level);
  KernelExpr parseUnary();
  KernelExpr parsePostfix();
  KernelExpr parsePrimary();
  KernelExpr parseCall(const std::string& name, std::size_t offset);
  KernelExpr pointerOfPlace(KernelExpr place, std::size_t offset, const std::string& user);
  KernelExpr make(KernelExprKind kind, std::vector<KernelExpr> parts = {}) const;
  KernelExpr assignTo(KernelExpr target, KernelExpr value, std::size_t offset);

  const Header& header_;
  KernelTest test_;
  std::map<std::string, std::size_t> locationOf_;
  std::map<std::string, std::uint32_t> observedOf_;
  std::vector<std::map<std::string, unsigned>> localOf_;        // by thread
  std::map<std::string, Address> parameters_;                   // of the thread that is being read
  std::map<std::string, std::vector<std::string>> structures_;  // their members
  std::map<std::string, Member> members_;
  struct Label {
    unsigned number = 0;
    std::size_t offset = 0;         // where it is first spoken of
    std::set<std::size_t> defined;  // in which threads
  };
  std::map<std::string, Label> labels_;
  unsigned loops_ = 0, breakable_ = 0;  // around the statement
  std::uint64_t nextDistance_ = 1;      // the variable itself has its address alone
  std::size_t thread_ = 0;
};

}  // namespace heddle::litmus
