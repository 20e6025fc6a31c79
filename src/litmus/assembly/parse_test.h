// The format of assembly litmus tests, without what the instructions mean.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "litmus/assembly/architecture.h"
#include "litmus/header.h"
#include "litmus/syntax.h"
#include "litmus/token_stream.h"

namespace heddle::litmus {

// A number, or the address of a location.
struct SymbolicValue {
  std::int64_t number = 0;
  std::optional<std::uint32_t> location;
};

struct AssemblyThread {
  std::map<std::string, std::uint16_t> registers;  // slots, by the name of the whole register
  std::vector<SymbolicValue> initial;              // by slot
  struct Item {
    std::string label;  // or empty, then it is a line
    std::size_t offset = 0;
    AssemblyLine line;
  };
  std::vector<Item> items;
  std::uint32_t source = 0;  // the thread's name in the text
};

struct AssemblyTest {
  Syntax syntax;  // name, locations, sources, what is observed, condition
  std::vector<AssemblyThread> threads;
  struct Pointer {  // in memory at first
    std::uint32_t location, element, target;
  };
  std::vector<Pointer> pointers;
  std::vector<SymbolicValue> compared;  // with what the condition compares, in its order
};

class AssemblyParser : private TokenStream {
 public:
  AssemblyParser(const SourceFile& file, const Header& header, const Architecture& architecture);

  AssemblyTest parse();

 private:
  static constexpr unsigned kMaxThreads = 256;
  static constexpr std::size_t kMaxRegisters = 500;

  // The initial state.
  void parseInitialState();
  void parseInitialItem();
  bool parseType(Type& type);
  void parseInitialRegister(unsigned thread);
  void parseInitialLocation(bool typed, const Type& type);
  SymbolicValue parseValue();
  unsigned parseThreadNumber();

  // The threads.
  void parseThreads();
  bool isAtCondition(std::size_t at) const;
  std::vector<std::pair<std::size_t, std::size_t>> parseRow();  // its cells
  void parseNames(const std::vector<std::pair<std::size_t, std::size_t>>& cells);
  void parseCell(AssemblyThread& thread, std::size_t begin, std::size_t end);

  // The condition.
  void parseEnd();
  void parseObservedList();
  Formula parseComparison();
  std::uint32_t parseObserved();
  std::uint32_t observe(Observed observed);

  std::uint32_t location(const std::string& name);
  std::optional<RegisterPart> findRegister(AssemblyThread& thread, std::string_view word) const;
  AssemblyThread& threadNumbered(unsigned number);

  const Header& header_;
  const Architecture& architecture_;
  AssemblyTest test_;
  std::size_t at_ = 0;                                             // where the text goes on after the initial state
  std::vector<std::pair<std::string, SymbolicValue>> everywhere_;  // registers that are given for all threads
  std::size_t lastInitial_ = 0;                                    // offset of the last register that is given
  std::map<std::string, std::uint32_t> locationOf_;
  std::map<std::string, std::uint32_t> observedOf_;
};

}  // namespace heddle::litmus
