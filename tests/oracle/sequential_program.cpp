// Putting programs together, and printing them. See sequential_program.h.
#include "sequential_program.h"

#include <array>
#include <sstream>
#include <string_view>

#include "sequential_recipes.h"

namespace heddle::oracle {

namespace {

constexpr const char* kPrologueC = R"(#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MIX(value) ({ unsigned long mixedIn = (unsigned long)(value); h = (h ^ mixedIn) * 1099511628211ul; })
)";

constexpr const char* kPrologueCpp = R"(#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <cassert>
#include <charconv>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
#define MIX(value) ({ unsigned long mixedIn = hashOf(value); h = (h ^ mixedIn) * 1099511628211ul; })
template <class T> requires std::is_arithmetic_v<T> || std::is_enum_v<T>
unsigned long hashOf(T value) { return (unsigned long)(value); }
template <class T> unsigned long hashOf(const std::atomic<T>& value) { return hashOf(value.load()); }
inline unsigned long hashOf(const char* text) { unsigned long h = 5; while (*text != 0) MIX(*text++); return h; }
inline unsigned long hashOf(const std::string& text) { unsigned long h = text.size(); for (char c : text) MIX(c); return h; }
inline unsigned long hashOf(std::string_view text) { return hashOf(std::string(text)); }
template <class A, class B> unsigned long hashOf(const std::pair<A, B>& pair) {
  unsigned long h = hashOf(pair.first);
  MIX(pair.second);
  return h;
}
template <class T> requires requires(const T& t) { t.begin(); t.end(); }
unsigned long hashOf(const T& values) { unsigned long h = 7; for (const auto& value : values) MIX(value); return h; }
struct Point {
  int x = 0;
  long y = 0;
  char z = 0;
  Point() = default;
  explicit Point(unsigned v) : x(int(v % 1000)), y(v % 77), z(char(v % 50)) {}
  auto operator<=>(const Point&) const = default;
};
inline unsigned long hashOf(const Point& p) { unsigned long h = 3; MIX(p.x); MIX(p.y); MIX(p.z); return h; }
struct Counted {
  unsigned v = 0;
  unsigned* copies = nullptr;
  explicit Counted(unsigned v) : v(v), copies(new unsigned(0)) {}
  Counted(const Counted& other) : v(other.v), copies(new unsigned(*other.copies + 1)) {}
  Counted(Counted&& other) noexcept : v(other.v), copies(std::exchange(other.copies, nullptr)) {}
  Counted& operator=(Counted other) noexcept { std::swap(v, other.v); std::swap(copies, other.copies); return *this; }
  ~Counted() { delete copies; }
  bool operator==(const Counted& other) const { return v == other.v; }
  auto operator<=>(const Counted& other) const { return v <=> other.v; }
};
inline unsigned long hashOf(const Counted& c) { unsigned long h = c.v; MIX(c.copies ? *c.copies : 99u); return h; }
template <class T> T valueOf(unsigned v) {
  if constexpr (std::is_same_v<T, std::string>) return std::string(v % 23, char('a' + v % 26)) + std::to_string(v);
  else return T(v);
}
)";

// Natively every run is a process of its own: it starts with the static variables as they are at first.
constexpr const char* kMain = R"(
static union { int word; char bytes[4]; } mixedSizes;

static unsigned long numberOf(const char* text) {
  unsigned long number = 0;
  for (; *text != 0; text++) number = number * 10 + (unsigned long)(*text - '0');
  return number;
}

static unsigned long checksumOf(unsigned long program, unsigned input) {
  unsigned x[3];
  for (int i = 0; i < 3; i++) {
    input = input * 1664525u + 1013904223u;
    x[i] = input >> (input >> 8) % 29u;
  }
  return programs[program](x[0], x[1], x[2]);
}

#ifdef HOST
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  for (unsigned long program = 0; program < sizeof programs / sizeof *programs; program++) {
    for (unsigned input = 0; input < numberOf(argv[1]); input++) {
      if (fork() == 0) {
        printf("%lu\n", checksumOf(program, input));
        fflush(stdout);
        _exit(0);
      }
      int status;
      wait(&status);
      if (status != 0) return 1;
    }
  }
  return 0;
}
#else
int main(int argc, char** argv) {
  if (argc > 4) {
    __atomic_store_n(&mixedSizes.word, 0x01020304, __ATOMIC_RELAXED);
    assert(__atomic_load_n(&mixedSizes.bytes[1], __ATOMIC_RELAXED) == 3);
  }
  unsigned long checksum = checksumOf(numberOf(argv[1]), (unsigned)numberOf(argv[2]));
  assert(checksum == numberOf(argv[3]));
  return 0;
}
#endif
)";

// The lines of a text: what is between `{` at the end of a line and `}` at the beginning of one is a block.
Lines parse(std::istringstream& in) {
  Lines lines;
  for (std::string text; std::getline(in, text);) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    text = text.substr(begin);
    if (text[0] == '}') {
      lines.push_back({"", {}, text});  // for whoever has opened the block
      return lines;
    }
    if (!text.ends_with("{")) {
      lines.push_back({text});
      continue;
    }
    text.pop_back();
    while (text.ends_with(" ")) text.pop_back();
    Line block{text, parse(in)};
    block.end = block.body.back().end;
    block.body.pop_back();
    lines.push_back(std::move(block));
  }
  return lines;
}

}  // namespace

void print(const Lines& lines, const std::string& indent, std::string& out) {
  for (const Line& line : lines) {
    out += indent + line.text + (line.end.empty() ? "" : line.text.empty() ? "{" : " {") + "\n";
    if (line.end.empty()) continue;
    print(line.body, indent + "  ", out);
    out += indent + line.end + "\n";
  }
}

std::string withPrefix(const std::string& text, const std::string& prefix) {
  std::string out;
  for (const char c : text) {
    if (c == '@') {
      out += prefix;
    } else {
      out += c;
    }
  }
  return out;
}

Lines& ProgramWriter::place() {
  Lines* lines = &program.body;
  for (const std::size_t index : path_) lines = &(*lines)[index].body;
  return *lines;
}

void ProgramWriter::open(const std::string& text, const std::string& end) {
  Lines& lines = place();
  lines.push_back({text, {}, end});
  path_.push_back(lines.size() - 1);
}

std::string ProgramWriter::constant() {
  static constexpr std::array<const char*, 6> special = {"0u", "1u", "255u", "65535u", "4294967295u", "2147483648u"};
  return random.percent(20) ? special[random.below(6)] : std::to_string(random.below(100)) + "u";
}

std::string ProgramWriter::expression(unsigned depth) {
  static constexpr std::array<const char*, 6> operators = {" + ", " - ", " * ", " ^ ", " & ", " | "};
  if (depth == 0 || random.percent(35)) {
    if (!leaves.empty() && random.percent(50)) return leaves[random.below(static_cast<unsigned>(leaves.size()))];
    return random.percent(60) ? "x" + std::to_string(random.below(3)) : constant();
  }
  const std::string left = expression(depth - 1);
  if (random.percent(12)) return "(" + left + " >> " + std::to_string(random.between(1, 9)) + ")";
  if (random.percent(8)) return "(" + left + " % " + std::to_string(random.between(2, 30)) + "u)";
  return "(" + left + operators[random.below(6)] + expression(depth - 1) + ")";
}

std::string ProgramWriter::fill(const std::string& text, const std::string& suffix, const std::string& type) {
  static constexpr std::array<const char*, 7> strings = {"\"\"",
                                                         "\"a\"",
                                                         "\"heddle\"",
                                                         "\"to be, or not\"",
                                                         "\"x=%y\"",
                                                         "\"a longer text that is not kept in place\"",
                                                         "\"0123456789abcdef\""};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (text[i] == '@') {
      out += '@';
      while (i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0)) out += text[++i];
      out += suffix;
    } else if (text[i] == '[' && next == '?') {
      const std::size_t end = text.find("?]", i);
      std::vector<std::string> choices;
      std::istringstream in(text.substr(i + 2, end - i - 2));
      for (std::string choice; std::getline(in, choice, '|');) choices.push_back(choice);
      out += fill(choices[random.below(static_cast<unsigned>(choices.size()))], suffix, type);
      i = end + 1;
    } else if (text[i] == '$') {
      ++i;
      switch (next) {
        case 'e': out += expression(); break;
        case 'x': out += "x" + std::to_string(random.below(3)); break;
        case 'k': out += std::to_string(random.below(10)); break;
        case 'n': out += std::to_string(random.between(1, 4)); break;
        case 's': out += strings[random.below(strings.size())]; break;
        case 'T': out += type; break;
        case 't': out += "valueOf<" + type + ">(" + expression() + ")"; break;
        default: out += next;
      }
    } else {
      out += text[i];
    }
  }
  return out;
}

Lines ProgramWriter::expand(const Lines& lines, const std::string& suffix, const std::string& type) {
  const auto filled = [&](const Line& line, std::size_t from) {
    return Line{fill(line.text.substr(from), suffix, type), expand(line.body, suffix, type), fill(line.end, suffix, type)};
  };
  Lines out;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    while (end < lines.size() && lines[end].text.starts_with("~ ")) ++end;
    if (end != i) {
      const auto size = static_cast<unsigned>(end - i);
      for (unsigned n = random.between(size / 2, size + 2); n > 0; --n) out.push_back(filled(lines[i + random.below(size)], 2));
      i = end;
    } else if (!lines[i].text.starts_with("? ")) {
      out.push_back(filled(lines[i++], 0));
    } else if (random.percent(50)) {
      out.push_back(filled(lines[i++], 2));
    } else {
      ++i;
    }
  }
  return out;
}

void ProgramWriter::recipe(const std::string& text, const std::string& suffix) {
  static constexpr std::array<const char*, 7> types = {"int",         "unsigned char", "long",   "std::string",
                                                       "std::string", "Point",         "Counted"};
  const std::string type = types[random.below(types.size())];
  const std::size_t separator = text.find("---\n");
  std::istringstream globals(text.substr(0, separator)), statements(text.substr(separator + 4));
  for (Line& line : expand(parse(globals), suffix, type)) program.globals.push_back(std::move(line));
  open("");
  for (Line& line : expand(parse(statements), suffix, type)) place().push_back(std::move(line));
  close();
}

SequentialProgram randomSequential(std::uint64_t seed, Language language) {
  ProgramWriter writer(seed, language);
  const std::vector<std::string>& all = recipes(language);
  const bool structs = writer.random.percent(language == Language::c ? 50 : 20);
  for (unsigned n = writer.random.between(structs ? 0 : 1, structs ? 1 : 3); n > 0; --n) {
    writer.recipe(all[writer.random.below(static_cast<unsigned>(all.size()))], "_" + writer.number());
  }
  if (structs) writeStructs(writer);
  for (int i = 0; i < 3; ++i) writer.line("MIX(x" + std::to_string(i) + ");");
  return std::move(writer.program);
}

std::string sequentialPrologue(Language language) { return language == Language::c ? kPrologueC : kPrologueCpp; }

std::string toFile(std::span<const SequentialProgram> programs, Language language) {
  std::string out = sequentialPrologue(language), table;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::string prefix = "p" + std::to_string(i) + "_";
    std::string text = "\n";
    print(programs[i].globals, "", text);
    text += "static unsigned long @run(unsigned x0, unsigned x1, unsigned x2) {\n";
    text += "  unsigned long h = 14695981039346656037ul;\n";
    print(programs[i].body, "  ", text);
    text += "  return h;\n}\n";
    out += withPrefix(text, prefix);
    table += (table.empty() ? "" : ", ") + prefix + "run";
  }
  return out + "\nstatic unsigned long (*const programs[])(unsigned, unsigned, unsigned) = {" + table + "};\n" + kMain;
}

const std::vector<std::string>& recipes(Language language) {
  static const std::vector<std::string> both = [] {
    std::vector<std::string> all = cppRecipes();
    all.insert(all.end(), cRecipes().begin(), cRecipes().end());
    return all;
  }();
  return language == Language::c ? cRecipes() : both;
}

}  // namespace heddle::oracle
