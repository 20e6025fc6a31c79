// Prints a random program as a .litmus file.
#include <regex>
#include <set>
#include <sstream>

#include "random_program.h"

namespace heddle::oracle {

namespace {

const char* orderName(Order order) {
  switch (order) {
    case Order::plain: return "plain";
    case Order::relaxed: return "memory_order_relaxed";
    case Order::acquire: return "memory_order_acquire";
    case Order::release: return "memory_order_release";
    case Order::acq_rel: return "memory_order_acq_rel";
    case Order::seq_cst: return "memory_order_seq_cst";
  }
  return "";
}

const char* functionName(RmwOp op) {
  switch (op) {
    case RmwOp::exchange: return "atomic_exchange_explicit";
    case RmwOp::add: return "atomic_fetch_add_explicit";
    case RmwOp::sub: return "atomic_fetch_sub_explicit";
    case RmwOp::bitAnd: return "atomic_fetch_and_explicit";
    case RmwOp::bitOr: return "atomic_fetch_or_explicit";
    case RmwOp::bitXor: return "atomic_fetch_xor_explicit";
    default: return "unsupported";
  }
}

std::string registerName(int reg) { return "r" + std::to_string(reg); }

std::string mutexName(unsigned mutex) { return std::string(1, "mn"[mutex % 2]); }

const char* typeName(unsigned size) {
  switch (size) {
    case 1: return "char";
    case 2: return "short";
    case 8: return "long";
    default: return "int";
  }
}

// In hexadecimal where the bytes of a number say more than the number.
std::string constantText(std::int64_t constant) {
  if (constant >= -255 && constant <= 255) return std::to_string(constant);
  std::ostringstream out;
  out << "0x" << std::hex << constant;
  return out.str();
}

std::string useText(int reg, RegisterUse use) {
  const std::string name = registerName(reg);
  switch (use) {
    case RegisterUse::value: break;
    case RegisterUse::lowBit: return "(" + name + " & 1)";
    case RegisterUse::zero: return "(" + name + " ^ " + name + ")";
  }
  return name;
}

std::string operandText(const Operand& operand) {
  if (operand.reg < 0) return constantText(operand.constant);
  const std::string used = useText(operand.reg, operand.use);
  if (operand.otherReg >= 0) return used + " + " + registerName(operand.otherReg);
  return used + (operand.constant == 0 ? "" : " + " + std::to_string(operand.constant));
}

std::string conditionText(const Condition& c) {
  return useText(c.reg, c.use) + (c.equal ? " == " : " != ") + constantText(c.constant);
}

// The address of an access: the location, an element of it, or a part of it, seen through another type.
std::string addressText(const Statement& s, const Location& whole) {
  const std::string location = locationName(s.location);
  if (whole.elements > 1) return "&" + location + "[" + operandText(s.index) + "]";
  if (s.size == 0 || s.size == whole.size) return location;
  const std::string cast = std::string("(") + (s.order == Order::plain ? "" : "atomic_") + typeName(s.size) + "*)";
  return cast + location + (s.offset == 0 ? "" : " + " + std::to_string(s.offset / s.size));
}

std::string simpleStatement(const Statement& s, const std::vector<Location>& locations) {
  const std::string location = addressText(s, locations.at(s.location));
  const bool element = location.starts_with('&');
  const bool simple = location.find('+') == std::string::npos;
  const std::string target = element ? location.substr(1) : simple ? "*" + location : "*(" + location + ")";
  const unsigned size = s.size == 0 ? locations.at(s.location).size : s.size;
  const bool wide = size == 8 && (s.kind == StatementKind::load || s.kind == StatementKind::rmw);
  const std::string assigned = (wide ? "long " : "int ") + registerName(s.reg) + " = ";
  switch (s.kind) {
    case StatementKind::load:
      if (s.order == Order::plain) return assigned + target + ";";
      return assigned + "atomic_load_explicit(" + location + ", " + orderName(s.order) + ");";
    case StatementKind::store:
      if (s.order == Order::plain) return target + " = " + operandText(s.value) + ";";
      return "atomic_store_explicit(" + location + ", " + operandText(s.value) + ", " + orderName(s.order) + ");";
    case StatementKind::rmw:
      return assigned + functionName(s.op) + "(" + location + ", " + operandText(s.value) + ", " + orderName(s.order) + ");";
    case StatementKind::cas:
      return std::string(typeName(size)) + " " + registerName(s.expectedReg) + " = " + operandText(s.expected) + "; " +
             assigned + "atomic_compare_exchange_" + (s.weak ? "weak" : "strong") + "_explicit(" + location + ", &" +
             registerName(s.expectedReg) + ", " + operandText(s.value) + ", " + orderName(s.order) + ", " +
             orderName(s.failureOrder) + ");";
    case StatementKind::fence: return std::string("atomic_thread_fence(") + orderName(s.order) + ");";
    case StatementKind::assume: return "assume(" + conditionText(s.condition) + ");";
    case StatementKind::assertion: return "assert(" + conditionText(s.condition) + ");";
    case StatementKind::choose: return assigned + "choose(2);";
    default: return "";
  }
}

std::string unlockText(const Statement& s) {
  const std::string unlock = std::string(s.reading ? "rdunlock(" : "unlock(") + mutexName(s.mutex) + ");\n";
  switch (s.unlock) {
    case Unlock::always: return unlock;
    case Unlock::conditional: return "if (" + conditionText(s.condition) + ") " + unlock;
    case Unlock::never: break;
  }
  return "";
}

// The variables are there before the loop, and are given their values in it.
void printAwait(const Statement& s, const std::vector<Location>& locations, Waiting waiting, const std::string& indent,
                std::string& out) {
  static const std::regex declared("(int|long|char|short) (r[0-9]+) = ");
  std::string declarations, body;
  for (const Statement& part : s.body) {
    const std::string text = simpleStatement(part, locations);
    for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at) {
      declarations += indent + at->str() + "0;\n";
    }
    body +=
        waiting == Waiting::assume ? indent + text + "\n" : indent + "  " + std::regex_replace(text, declared, "$2 = ") + "\n";
  }
  const std::string condition = conditionText(s.condition);
  out += waiting == Waiting::assume ? body + indent + "assume(" + condition + ");\n"
                                    : declarations + indent + "do {\n" + body + indent + "} while (!(" + condition + "));\n";
}

void printBlock(const Block& block, const std::vector<Location>& locations, Waiting waiting, const std::string& indent,
                std::string& out) {
  for (const Statement& s : block) {
    switch (s.kind) {
      case StatementKind::await: printAwait(s, locations, waiting, indent, out); break;
      case StatementKind::branch:
        out += indent + "if (" + conditionText(s.condition) + ") {\n";
        printBlock(s.body, locations, waiting, indent + "  ", out);
        if (!s.otherwise.empty()) {
          out += indent + "} else {\n";
          printBlock(s.otherwise, locations, waiting, indent + "  ", out);
        }
        out += indent + "}\n";
        break;
      case StatementKind::critical:
        out += indent + (s.reading ? "rdlock(" : "lock(") + mutexName(s.mutex) + ");\n";
        printBlock(s.body, locations, waiting, indent, out);
        if (s.unlock != Unlock::never) out += indent + unlockText(s);
        break;
      case StatementKind::attempt:
        out +=
            indent + "int " + registerName(s.reg) + (s.reading ? " = tryrdlock(" : " = trylock(") + mutexName(s.mutex) + ");\n";
        out += indent + "if (" + registerName(s.reg) + " == 1) {\n";
        printBlock(s.body, locations, waiting, indent + "  ", out);
        if (s.unlock != Unlock::never) out += indent + "  " + unlockText(s);
        if (!s.otherwise.empty()) {
          out += indent + "} else {\n";
          printBlock(s.otherwise, locations, waiting, indent + "  ", out);
        }
        out += indent + "}\n";
        break;
      case StatementKind::spawn:
        out += indent + "spawn(P" + std::to_string(s.thread) + ");\n";
        printBlock(s.body, locations, waiting, indent, out);
        if (s.joined) out += indent + "join(P" + std::to_string(s.thread) + ");\n";
        break;
      default: out += indent + simpleStatement(s, locations) + "\n";
    }
  }
}

bool isAccess(const Statement& s) {
  return s.kind == StatementKind::load || s.kind == StatementKind::store || s.kind == StatementKind::rmw ||
         s.kind == StatementKind::cas;
}

struct Used {
  std::set<unsigned> locations;
  std::set<unsigned> plain;  // those with a plain access
  std::set<unsigned> mutexes;
};

void collect(const Block& block, Used& used) {
  for (const Statement& s : block) {
    if (isAccess(s)) used.locations.insert(s.location);
    if (isAccess(s) && s.order == Order::plain) used.plain.insert(s.location);
    if (s.kind == StatementKind::critical || s.kind == StatementKind::attempt) used.mutexes.insert(s.mutex);
    collect(s.body, used);
    collect(s.otherwise, used);
  }
}

// A condition that any front end accepts; what it says does not matter here.
std::string finalCondition(const RandomProgram& program, const Used& used) {
  for (std::size_t t = 0; t < program.initialThreads; ++t) {
    for (const Statement& s : program.threads[t]) {
      const bool sets = s.kind == StatementKind::load || s.kind == StatementKind::rmw || s.kind == StatementKind::cas;
      if (sets) return "exists (" + std::to_string(t) + ":" + registerName(s.reg) + "=0)\n";
    }
  }
  const unsigned location = used.locations.empty() ? 0 : *used.locations.begin();
  const bool array = program.locations.at(location).elements > 1;
  return "exists (" + locationName(location) + (array ? "[0]" : "") + "=0)\n";
}

}  // namespace

std::string locationName(unsigned location) { return std::string(1, "xyzuvw"[location % 6]); }

ThreadText threadText(const RandomProgram& program, std::size_t thread, Waiting waiting) {
  Used used;
  collect(program.threads[thread], used);
  ThreadText text;
  for (const unsigned l : used.locations) {
    const std::string atomic = used.plain.contains(l) ? "" : "atomic_";
    text.parameters.emplace_back(atomic + typeName(program.locations[l].size), locationName(l));
  }
  for (const unsigned m : used.mutexes) text.parameters.emplace_back("mutex", mutexName(m));
  printBlock(program.threads[thread], program.locations, waiting, "  ", text.body);
  return text;
}

std::string toLitmus(const RandomProgram& program, const std::string& name, Waiting waiting) {
  Used used;
  for (const Block& thread : program.threads) collect(thread, used);
  if (used.locations.empty()) used.locations.insert(0);
  std::string out = "C " + name + "\n{ ";
  for (const unsigned l : used.locations) {
    const Location& location = program.locations.at(l);
    const std::string type = location.size == 4 && location.elements == 1 ? "" : std::string(typeName(location.size)) + " ";
    out += type + locationName(l);
    out +=
        location.elements > 1 ? "[" + std::to_string(location.elements) + "]; " : "=" + std::to_string(location.initial) + "; ";
  }
  for (const unsigned m : used.mutexes) out += "mutex " + mutexName(m) + "; ";
  out += "}\n\n";
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const ThreadText text = threadText(program, t, waiting);
    std::string parameters;
    for (const auto& [type, parameter] : text.parameters) {
      parameters += (parameters.empty() ? "" : ", ") + type + "* " + parameter;
    }
    out += "P" + std::to_string(t) + "(" + parameters + ") {\n" + text.body + "}\n\n";
  }
  return out + finalCondition(program, used);
}

bool hasPlainAccess(const RandomProgram& program) {
  Used used;
  for (const Block& thread : program.threads) collect(thread, used);
  return !used.plain.empty();
}

}  // namespace heddle::oracle
