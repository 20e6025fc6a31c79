#include "native/instrument/assembly_text.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace heddle::native {
namespace {

std::string trimmed(const std::string& text) { return llvm::StringRef(text).trim().str(); }

// Statements end at a semicolon or a line's end.
std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines(1);
  bool comment = false;
  for (const char c : text) {
    if (c == '\n' || (c == ';' && !comment)) {
      lines.emplace_back();
      comment = false;
    } else if (c == '#') {
      comment = true;
    } else if (!comment) {
      lines.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return lines;
}

// Operands are separated by commas, except within the parentheses of an address.
std::vector<std::string> operandsOf(const std::string& text) {
  std::vector<std::string> operands;
  std::string operand;
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0) {
      operands.push_back(trimmed(operand));
      operand.clear();
    } else {
      operand += c;
    }
  }
  if (operand = trimmed(operand); !operand.empty()) operands.push_back(operand);
  return operands;
}

bool isLabel(const std::string& word) { return word.size() > 1 && word.back() == ':' && word.find('$') == std::string::npos; }

// With a suffix for the width, or without.
constexpr std::string_view kOfRegisters[] = {
    "mov",  "movabs", "lea",  "add",   "sub",   "adc",  "sbb",    "and",    "or",   "xor",  "not",  "neg",  "inc",   "dec",
    "shl",  "shr",    "sal",  "sar",   "rol",   "ror",  "rcl",    "rcr",    "shld", "shrd", "mul",  "imul", "bswap", "div",
    "idiv", "bsf",    "bsr",  "tzcnt", "lzcnt", "bt",   "bts",    "btr",    "btc",  "cmp",  "test", "xchg", "xadd",  "cmpxchg",
    "andn", "blsr",   "blsi", "pdep",  "pext",  "adcx", "popcnt", "blsmsk", "bzhi", "rorx", "mulx", "adox", "nop",
};
// As they are: extensions of signs, and flags.
constexpr std::string_view kOthers[] = {"cbw",  "cwde", "cdqe", "cwd",  "cdq", "cqo", "cbtw", "cwtl",
                                        "cltq", "cwtd", "cltd", "cqto", "clc", "stc", "cmc",  "pause"};
// Followed by a condition, or by widths.
constexpr std::string_view kFamilies[] = {"set", "cmov", "movz", "movs", "crc32"};

bool isOneOf(std::string_view name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool isKnownInstruction(std::string_view name) {
  if (isOneOf(name, kOfRegisters) || isOneOf(name, kOthers)) return true;
  if (!name.empty() && std::string_view("bwlq").find(name.back()) != std::string_view::npos &&
      isOneOf(name.substr(0, name.size() - 1), kOfRegisters))
    return true;
  return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](std::string_view family) { return name.starts_with(family); });
}

// $$1, $1, ${1:b}, or a register of general use. The stack pointer is none: what it holds is heddle's affair.
bool isRegisterOrConstant(const std::string& operand) {
  if (operand.starts_with("$$"))
    return operand.size() > 2 && operand.find_first_not_of("-0123456789abcdefx", 2) == std::string::npos;
  if (operand.starts_with("${")) {  // another modifier may make an address of a constant
    const std::size_t colon = operand.find(':');
    return colon + 3 == operand.size() && std::string_view("bwkqh").find(operand[colon + 1]) != std::string_view::npos;
  }
  if (operand.starts_with('$')) return operand.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!operand.starts_with('%') || operand.find('(') != std::string::npos) return false;
  if (operand.starts_with("%xmm") || (operand.starts_with("%r") && operand.size() > 2 && std::isdigit(operand[2]) != 0))
    return true;
  return std::any_of(std::begin(kRegisters), std::end(kRegisters),
                     [&](const RegisterNames& r) { return isOneOf(operand, r.names); });
}

// To a number in the same text: 1b, 2f.
bool isLocalJump(const Statement& statement) {
  const std::string& name = statement.mnemonic;
  if (!name.starts_with('j') || statement.operands.size() != 1) return false;
  const std::string& target = statement.operands[0];
  return target.size() >= 2 && (target.back() == 'b' || target.back() == 'f') &&
         std::all_of(target.begin(), target.end() - 1, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::vector<Statement> parseAssembly(const std::string& text) {
  std::vector<Statement> statements;
  Statement statement;
  for (std::string line : linesOf(text)) {
    line = trimmed(line);
    // `lock` and `rep` may stand on their own, and so may a label.
    while (!line.empty()) {
      const std::string word = line.substr(0, line.find_first_of(" \t"));
      if (word != "lock" && word != "rep" && !isLabel(word)) break;
      statement.locked |= word == "lock";
      statement.labelled |= isLabel(word);
      line = trimmed(line.substr(word.size()));
    }
    if (line.empty()) continue;
    const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    statement.mnemonic = line.substr(0, space);
    statement.operands = operandsOf(line.substr(space));
    statements.push_back(std::move(statement));
    statement = {};
  }
  return statements;
}

std::string canonicalRegister(const std::string& code) {
  if (code == "A") return "{ax}";
  for (const RegisterNames& names : kRegisters) {
    for (const char* name : names.names) {
      if (*name != 0 && code == fmt::format("{{{}}}", name + 1)) return names.code;
    }
  }
  return code;
}

bool isRegisterOnly(const Statement& statement) {
  if (isLocalJump(statement)) return true;
  if (statement.locked || !isKnownInstruction(statement.mnemonic)) return false;
  const std::vector<std::string>& operands = statement.operands;
  if (statement.mnemonic.starts_with("movs") && operands.size() != 2) return false;  // a copy of strings
  if (statement.mnemonic.starts_with("lea"))                                         // computes an address and does not use it
    return operands.size() == 2 && operands[0].find("%rsp") == std::string::npos &&
           operands[0].find("%rip") == std::string::npos && isRegisterOrConstant(operands[1]);
  return std::all_of(operands.begin(), operands.end(), isRegisterOrConstant);
}

}  // namespace heddle::native
