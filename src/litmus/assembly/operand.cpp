#include "litmus/assembly/operand.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace heddle::litmus {

namespace {

// Words that say how a register is extended to an address.
constexpr std::array<std::string_view, 10> kExtensions = {"sxtw", "uxtw", "sxtx", "uxtx", "lsl",
                                                          "lsr",  "asr",  "sxtb", "uxtb", "sxth"};

class LineParser {
 public:
  LineParser(const SourceFile& file, std::size_t begin, std::size_t end, const RegisterLookup& registers)
      : file_(file), at_(begin), end_(end), registers_(registers) {}

  AssemblyLine parse() {
    AssemblyLine line;
    skipBlanks();
    line.offset = at_;
    line.mnemonic = lowerCase(word());
    if (line.mnemonic == "lock") {
      line.locked = true;
      skipBlanks();
      line.mnemonic = lowerCase(word());
    }
    if (line.mnemonic.empty()) file_.fail(line.offset, "expected an instruction");
    skipBlanks();
    while (at_ < end_) {
      line.operands.push_back(operand());
      skipBlanks();
      if (at_ == end_) break;
      if (!accept(',')) file_.fail(at_, "expected `,` between the operands of an instruction");
      skipBlanks();
      if (at_ == end_) file_.fail(at_, "expected another operand after `,`");
    }
    return line;
  }

 private:
  char now() const { return at_ < end_ ? file_.text[at_] : '\0'; }
  void skipBlanks() {
    while (at_ < end_ && isAssemblyBlank(file_.text[at_])) ++at_;
  }
  bool accept(char c) {
    if (now() != c) return false;
    ++at_;
    return true;
  }

  std::string word() {
    const std::size_t begin = at_;
    if (now() == '%') ++at_;
    while (at_ < end_ && isAssemblyWord(file_.text[at_])) ++at_;
    return file_.text.substr(begin, at_ - begin);
  }

  bool beginsNumber() const { return isAssemblyDigit(now()) || now() == '#' || now() == '$' || now() == '-' || now() == '+'; }

  std::int64_t number() {
    const std::size_t begin = at_;
    if (now() == '#' || now() == '$') ++at_;
    skipBlanks();
    const bool negative = accept('-');
    if (!negative) accept('+');
    int base = 10;
    if (now() == '0' && at_ + 1 < end_ && (file_.text[at_ + 1] == 'x' || file_.text[at_ + 1] == 'X')) {
      base = 16;
      at_ += 2;
    }
    std::uint64_t value = 0;
    const auto [stop, problem] = std::from_chars(file_.text.data() + at_, file_.text.data() + end_, value, base);
    if (problem == std::errc::result_out_of_range) file_.fail(begin, "this number does not fit in 64 bits");
    if (problem != std::errc()) file_.fail(begin, "expected a number");
    at_ = static_cast<std::size_t>(stop - file_.text.data());
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }

  RegisterPart expectRegister(std::string_view where) {
    const std::size_t begin = at_;
    const std::string name = word();
    const auto found = registers_(name);
    if (!found) file_.fail(begin, fmt::format("expected a register {}, found `{}`", where, name));
    return *found;
  }

  AssemblyOperand operand() {
    AssemblyOperand operand;
    operand.offset = at_;
    if (now() == '[') {
      memoryInBrackets(operand);
    } else if (now() == '(' || beginsNumber()) {
      operand.kind = OperandKind::number;
      if (now() != '(') operand.number = number();
      skipBlanks();
      if (accept('(')) baseInParentheses(operand);
    } else {
      named(operand);
    }
    return operand;
  }

  // 0(r2)    (x6)
  void baseInParentheses(AssemblyOperand& operand) {
    operand.kind = OperandKind::memory;
    skipBlanks();
    operand.base = expectRegister("that has an address");
    skipBlanks();
    if (!accept(')')) file_.fail(at_, "expected `)` after the register");
  }

  // [X1]    [X1,#4]    [X1,W2,SXTW]    [X1,X2,LSL #2]    [x]    [x+4]
  void memoryInBrackets(AssemblyOperand& operand) {
    operand.kind = OperandKind::memory;
    ++at_;
    for (;;) {
      skipBlanks();
      if (accept(']')) break;
      if (at_ == end_) file_.fail(operand.offset, "this `[` is never closed");
      if (accept(',')) continue;
      if (beginsNumber()) {
        operand.number += number();
        continue;
      }
      const std::size_t begin = at_;
      const std::string name = word();
      if (name.empty()) file_.fail(begin, "expected a register, a number or a location");
      if (const auto found = registers_(name)) {
        (operand.base ? operand.index : operand.base) = *found;
      } else if (std::ranges::find(kExtensions, lowerCase(name)) != kExtensions.end()) {
        operand.extension = lowerCase(name);
        skipBlanks();
        if (beginsNumber()) operand.shift = static_cast<unsigned>(number()) & 63;
      } else {
        operand.name = name;
      }
    }
    if (accept('!')) operand.writesBack = true;
  }

  void named(AssemblyOperand& operand) {
    operand.name = word();
    if (operand.name.empty()) file_.fail(at_, fmt::format("`{}` cannot begin an operand", now()));
    if (const auto found = registers_(operand.name)) {
      operand.kind = OperandKind::reg;
      operand.reg = *found;
      return;
    }
    skipBlanks();
    if (beginsNumber() && std::ranges::find(kExtensions, lowerCase(operand.name)) != kExtensions.end()) {
      operand.shift = static_cast<unsigned>(number()) & 63;
    }
  }

  const SourceFile& file_;
  std::size_t at_, end_;
  const RegisterLookup& registers_;
};

}  // namespace

bool isAssemblyWord(char c) {
  return isAssemblyDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

std::string lowerCase(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

AssemblyLine parseAssemblyLine(const SourceFile& file, std::size_t begin, std::size_t end, const RegisterLookup& registers) {
  return LineParser(file, begin, end, registers).parse();
}

}  // namespace heddle::litmus
