// The text of inline assembly: its statements, the names of registers, and what is harmless.
#pragma once

#include <string>
#include <vector>

namespace heddle::native {

// A statement: its mnemonic and its operands.
struct Statement {
  std::string mnemonic;
  std::vector<std::string> operands;
  bool locked = false;
  bool labelled = false;  // it can be jumped to
};

std::vector<Statement> parseAssembly(const std::string& text);

// The names of registers that constraints may ask for: 8 bytes, 4, 2, 1, the second byte.
struct RegisterNames {
  const char* code;
  const char* names[5];
};
inline constexpr RegisterNames kRegisters[] = {
    {"{ax}", {"%rax", "%eax", "%ax", "%al", "%ah"}}, {"{bx}", {"%rbx", "%ebx", "%bx", "%bl", "%bh"}},
    {"{cx}", {"%rcx", "%ecx", "%cx", "%cl", "%ch"}}, {"{dx}", {"%rdx", "%edx", "%dx", "%dl", "%dh"}},
    {"{si}", {"%rsi", "%esi", "%si", "%sil", ""}},   {"{di}", {"%rdi", "%edi", "%di", "%dil", ""}},
};

// A constraint may name the register by any of its names.
std::string canonicalRegister(const std::string& code);

// Does the statement compute with nothing but registers, flags and constants, given that no operand of the assembly is in
// memory? Instructions are known by name: those that are not could use memory, or the system, without saying so.
bool isRegisterOnly(const Statement& statement);

}  // namespace heddle::native
