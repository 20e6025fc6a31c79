// Runs litmus programs without a memory model: each thread to its end, in turn, on one memory.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "litmus/test.h"

namespace heddle::litmus {

// A test whose only thread has this body; `x`, `y` are atomic ints, `p`, `q` plain ones, `a` an array of four.
inline std::string oneThread(const std::string& body, const std::string& condition = "") {
  return "C test\n{ x=0; y=0; p=0; q=0; int a[4] = {10, 11, 12, 13}; }\n"
         "P0(atomic_int* x, atomic_int* y, int* p, int* q, int* a, mutex* m) {\n" +
         body + "\n}\n" + condition;
}

struct Machine {
  explicit Machine(const Test& litmus) : test(litmus), program(*litmus.program) {}

  Value read(Address address, unsigned size) {
    Value value = 0;
    for (unsigned i = 0; i < size; ++i) {
      const auto found = memory.find(address + i);
      const Value byte = found != memory.end() ? found->second : program.initialValue(address + i, 1);
      value |= byte << (8 * i);
    }
    return value;
  }

  void write(Address address, unsigned size, Value value) {
    for (unsigned i = 0; i < size; ++i) memory[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  Result perform(const Operation& op) {
    Result result;
    switch (op.kind) {
      case OperationKind::load: result.value = read(op.address, op.size); break;
      case OperationKind::store: write(op.address, op.size, op.operand()); break;
      case OperationKind::rmw:
        result.value = read(op.address, op.size);
        write(op.address, op.size, applyRmw(op.rmw, result.value, op.operand(), op.size));
        break;
      case OperationKind::cas:
        result.value = read(op.address, op.size);
        result.success = result.value == op.expected();
        if (result.success) write(op.address, op.size, op.operand());
        break;
      case OperationKind::unlock: write(op.address, op.size, 0); break;
      case OperationKind::choose: result.value = op.choices() - 1; break;
      default: break;
    }
    return result;
  }

  // Returns the operation the thread stops at: end, block or error.
  Operation run(ThreadId thread = 0) {
    for (;;) {
      const Operation op = program.advance(thread);
      trace.push_back(op);
      if (op.kind == OperationKind::end || op.kind == OperationKind::block || op.kind == OperationKind::error) {
        return op;
      }
      program.resume(thread, perform(op));
    }
  }

  std::vector<std::int64_t> observed() {
    std::vector<std::int64_t> values;
    for (const Observable& o : test.observables) {
      values.push_back(o.isRegister ? static_cast<std::int64_t>(program.registerValue(o.thread, o.slot))
                                    : o.fromMemory(read(o.address, o.size)));
    }
    return values;
  }

  std::string state() { return test.stateText(observed().data()); }

  const Test& test;
  LitmusProgram& program;
  std::map<Address, std::uint8_t> memory;
  std::vector<Operation> trace;
};

// The final state of a one-thread test, in terms of the listed observables.
inline std::string finalState(const std::string& body, const std::string& locations) {
  const Test test = parseLitmus(oneThread(body, "locations [" + locations + "]"), "t.litmus");
  Machine machine(test);
  const Operation last = machine.run();
  EXPECT_EQ(last.kind, OperationKind::end) << body;
  return machine.state();
}

inline std::string errorOf(const std::string& text) {
  try {
    parseLitmus(text, "t.litmus");
  } catch (const LitmusError& error) {
    return error.what();
  }
  return "";
}

inline void expectError(const std::string& text, const std::string& part) {
  const std::string error = errorOf(text);
  EXPECT_NE(error.find(part), std::string::npos) << "for:\n" << text << "\nerror was:\n" << error;
}

}  // namespace heddle::litmus
