// An instruction of an assembly litmus test as it is written: a mnemonic and operands, with names of registers resolved.
//
//     LDR W3,[X4,W2,SXTW]        register, memory (base, index, extension)
//     lwz r1,0(r2)               register, memory (displacement, base)
//     MOV [x],$1                 memory (location), number
//     B.NE Exit1                 name
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/source.h"

namespace heddle::litmus {

// A register by the name of the whole of it: W1 is the lower half of X1.
struct RegisterName {
  std::string whole;
  unsigned size = 8;    // bytes of what was named
  bool isZero = false;  // reads as 0, and forgets what is written to it
};

// A register of a thread.
struct RegisterPart {
  std::uint16_t slot = 0;  // kNoRegister: the one that is always 0
  unsigned size = 8;
};

enum class OperandKind : std::uint8_t { reg, number, memory, name };

struct AssemblyOperand {
  OperandKind kind = OperandKind::name;
  std::size_t offset = 0;  // in the file
  RegisterPart reg;
  std::int64_t number = 0;  // memory: the displacement
  std::string name;         // memory: a location; otherwise a label, an option or an extension (`SXTW`, `LSL #2`)
  std::optional<RegisterPart> base, index;
  std::string extension;  // memory: of the index
  unsigned shift = 0;     // of the extension
  bool writesBack = false;
};

struct AssemblyLine {
  std::string mnemonic;  // in lower case, with its suffixes: "amoswap.w.aq"
  std::vector<AssemblyOperand> operands;
  std::size_t offset = 0;
  std::uint32_t source = 0;  // index in Code::sources
  bool locked = false;       // X86: after LOCK
};

// The register that a word names, if it names one.
using RegisterLookup = std::function<std::optional<RegisterPart>(std::string_view)>;

// Parses file.text from `begin` to `end`, which is not empty and has no label in front.
AssemblyLine parseAssemblyLine(const SourceFile& file, std::size_t begin, std::size_t end, const RegisterLookup& registers);

// A word as labels and mnemonics are made of it.
bool isAssemblyWord(char c);
inline bool isAssemblyDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isAssemblyBlank(char c) { return static_cast<unsigned char>(c) <= ' '; }
std::string lowerCase(std::string_view text);

}  // namespace heddle::litmus
