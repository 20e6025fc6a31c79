// The machines whose litmus tests are understood. Each is a row: how its registers are named, what its instructions do, and
// the model that a test is run under unless another one is asked for.
//
// The instructions of a machine are a table, too, in the file of its name: a row a mnemonic.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "litmus/assembly/operand.h"
#include "litmus/assembly/thread_writer.h"

namespace heddle::litmus {

struct InstructionRow;
using Translate = void (*)(ThreadWriter& writer, const AssemblyLine& line, const InstructionRow& row);

struct InstructionRow {
  std::string_view mnemonic;  // in lower case
  std::string_view form;      // how it is written, for messages
  Translate translate;
  unsigned size = 0;  // bytes that it accesses; 0: those of its register
  Order order = Order::relaxed;
  RmwOp rmw = RmwOp::exchange;
  Operator op = Operator::none;
  Comparison comparison = Comparison::equal;
  std::optional<MachineFence> fence = std::nullopt;
  bool isSigned = false;  // what is loaded is extended by its sign
};

struct Architecture {
  std::string_view name;  // the first word of a test
  std::string_view model;
  std::optional<RegisterName> (*registerNamed)(std::string_view word);
  std::span<const InstructionRow> instructions;
  std::string_view impliedRegister = {};  // that instructions use without naming it
  bool statusIsDependency = false;  // what depends on the success of a store-conditional depends on the store, for the model
};

// Null: no such machine.
const Architecture* findArchitecture(std::string_view word);

std::optional<RegisterName> aarch64Register(std::string_view word);
std::optional<RegisterName> powerRegister(std::string_view word);
std::optional<RegisterName> riscvRegister(std::string_view word);
std::optional<RegisterName> x86Register(std::string_view word);
std::span<const InstructionRow> aarch64Instructions();
std::span<const InstructionRow> powerInstructions();
std::span<const InstructionRow> riscvInstructions();
std::span<const InstructionRow> x86Instructions();

}  // namespace heddle::litmus
