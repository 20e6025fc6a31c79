// Random programs of one thread, in C and C++: what they compute natively is what they must compute when they are checked.
//
// A program computes a checksum of everything that it does. It is free of undefined behaviour by construction, and does
// nothing that a compiler may choose (in which order arguments are evaluated, say), so that any compiler gives the same one.
//
// It comes from two sources. Recipes (sequential_recipes_*.cpp) are texts with holes: a way to use a container, an exception, a
// function of the library. Programs of structs (sequential_structs.cpp) declare random types, atomics among their members, and
// copy objects of them in every way there is.
//
// A program is a value: lines, some of which have a block of lines. So it can be made smaller (shrink_lines.h), without
// knowing what the lines mean: what does not compile, or has undefined behaviour, is not a smaller program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "print_c.h"
#include "random_program.h"

namespace heddle::oracle {

struct Line;
using Lines = std::vector<Line>;

// A statement or a declaration; or one with a block: `text {`, the lines of the block, and `end`.
struct Line {
  std::string text;
  Lines body = {};
  std::string end = {};  // "}", "};", "} while (x);"; empty if there is no block
};

// Names that begin with `@` are the program's own: they have its number in front when it is printed.
struct SequentialProgram {
  Lines globals;
  Lines body;
};

// The same seed gives the same program.
SequentialProgram randomSequential(std::uint64_t seed, Language language);

// A file with these programs. A program has three numbers as its input, which follow from one. Natively, that is with HOST
// defined, main prints the checksums of each program for inputs 0 to n - 1, n being its argument. Checked, its arguments are a
// program, an input and a checksum, and it asserts that they belong together; with a fourth it accesses memory of its own
// in different sizes first.
std::string toFile(std::span<const SequentialProgram> programs, Language language);

// What every file begins with, for precompiled headers.
std::string sequentialPrologue(Language language);

// How lines are printed, and how the names in a text get what is to stand in front of them.
void print(const Lines& lines, const std::string& indent, std::string& out);
std::string withPrefix(const std::string& text, const std::string& prefix);

// Writes the lines of one program: what the recipes and the struct generator use.
class ProgramWriter {
 public:
  ProgramWriter(std::uint64_t seed, Language of) : random(seed), language(of) {}

  void line(const std::string& text) { place().push_back({text}); }
  void open(const std::string& text, const std::string& end = "}");
  void close() { path_.pop_back(); }
  void global(const std::string& text) { program.globals.push_back({text}); }
  void globalBlock(Line block) { program.globals.push_back(std::move(block)); }

  // A recipe: globals, "---", and statements. See sequential_recipes.h for what is replaced in it. `suffix`: what names end
  // with in this use of it.
  void recipe(const std::string& text, const std::string& suffix);

  // An unsigned value: of variables, constants, and what `leaves` has besides.
  std::string expression(unsigned depth = 2);
  std::string constant();
  std::string number() { return std::to_string(next_++); }  // never used before

  Random random;
  Language language;
  SequentialProgram program;
  std::vector<std::string> leaves;

 private:
  Lines& place();
  Lines expand(const Lines& lines, const std::string& suffix, const std::string& type);
  std::string fill(const std::string& text, const std::string& suffix, const std::string& type);

  std::vector<std::size_t> path_;  // of open blocks, by their place in the one around them
  unsigned next_ = 0;
};

// Adds statements about structs to a program.
void writeStructs(ProgramWriter& writer);

}  // namespace heddle::oracle
