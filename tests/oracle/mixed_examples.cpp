// The examples, and their text as litmus tests. See mixed_examples.h.
#include "mixed_examples.h"

#include <regex>
#include <stdexcept>

namespace heddle::oracle {

namespace {

std::string statement(const std::string& text) {
  std::smatch part;
  const auto place = [&](const std::string& name, const std::string& first, const std::string& last) {
    const unsigned begin = static_cast<unsigned>(std::stoul(first));
    const unsigned size = last.empty() ? 1 : static_cast<unsigned>(std::stoul(last)) - begin + 1;
    const std::string type = size == 1 ? "char" : size == 2 ? "short" : size == 4 ? "int" : "long";
    return "(atomic_" + type + "*)" + name + " + " + std::to_string(begin / size);
  };
  static const std::regex store("([xy])(\\d)(?::(\\d))? = (\\w+)( \\w+)?");
  static const std::regex add("([xy])(\\d)(?::(\\d))? \\+= (\\w+)( \\w+)?");
  static const std::regex load("(\\w) = ([xy])(\\d)(?::(\\d))?( \\w+)?");
  const auto order = [&](std::size_t group) { return part[group].matched ? part[group].str() : " relaxed"; };
  if (std::regex_match(text, part, load)) {
    return "int " + part[1].str() + " = atomic_load_explicit(" + place(part[2], part[3], part[4]) + "," + order(5) + ");";
  }
  if (std::regex_match(text, part, store)) {
    return "atomic_store_explicit(" + place(part[1], part[2], part[3]) + ", " + part[4].str() + "," + order(5) + ");";
  }
  if (std::regex_match(text, part, add)) {
    return "atomic_fetch_add_explicit(" + place(part[1], part[2], part[3]) + ", " + part[4].str() + "," + order(5) + ");";
  }
  throw std::invalid_argument(text);
}

}  // namespace

std::string toLitmus(const Threads& threads) {
  std::string text = "C t\n{ long x = 0; long y = 0; }\n";
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += "P" + std::to_string(t) + "(atomic_long* x, atomic_long* y) {";
    for (const std::string& s : threads[t]) text += " " + statement(s);
    text += " }\n";
  }
  return text;
}

const std::vector<Threads>& mixedExamples() {
  static const std::vector<Threads> examples = {
      // Of the paper: 2.3, 2.4, 3.1 and 3.3, 3.2, 3.4, 4.1.
      {{"x0 = 2", "a = x1"}, {"x0:1 = 0x101"}},
      {{"x0 = 2", "a = x2"}, {"x0:3 += 0x1010101"}, {"x1 = 1"}},
      {{"a = x0:1"}, {"x0 = 1"}, {"x1 = 1"}},
      {{"a = x0:1"}, {"x0 = 1", "x1 = 1"}},
      {{"x0 = 2"}, {"a = x0:3"}, {"x0:1 = 0x101"}, {"x2:3 = 0x101"}},
      {{"x0:7 += 1"}, {"x0:7 += 1"}},
      // Tearing.
      {{"x0:1 = 0x101"}, {"x0:1 = 0x202"}, {"a = x0:1"}},
      {{"x0:7 = 1"}, {"x0:7 = 2"}},
      {{"x0:1 = 0x101"}, {"x0:1 = 0x202"}, {"a = x0"}, {"a = x1"}},
      // Coherence.
      {{"x0:3 = 1"}, {"x0:1 = 2"}, {"x2:3 = 3"}},
      {{"x0 = 1"}, {"x1 = 1"}, {"x2 = 1"}, {"x3 = 1"}},
      {{"x0:3 = 1"}, {"x0 = 1"}, {"x1 = 1"}, {"x2 = 1"}},
      // Read-modify-writes.
      {{"x0:1 += 0x101"}, {"x1 = 1"}},
      {{"x0:1 += 0x101"}, {"x0 += 1"}},
      {{"x0:1 += 0x101"}, {"x0 += 1"}, {"x1 += 1"}},
      {{"x0:3 += 1"}, {"x0:1 += 1"}, {"x1 += 1"}},
      // Store buffering.
      {{"x0 = 1", "a = x1"}, {"x1 = 1", "a = x0"}},
      {{"x0 = 1 seq_cst", "a = x1 seq_cst"}, {"x1 = 1 seq_cst", "a = x0 seq_cst"}},
      {{"x0 = 1", "a = x0:1"}, {"x1 = 1", "a = x0:1"}},
      // Synchronization.
      {{"y0 = 1", "x0:1 = 0x101"}, {"a = x1", "b = y0"}},
      {{"y0 = 1", "x0:1 = 0x101 release"}, {"a = x1 acquire", "b = y0"}},
      {{"y0 = 1", "x0 = 1 release"}, {"x0:1 += 0x100"}, {"a = x1 acquire", "b = y0"}},
      // The order of seq_cst events.
      {{"x0:1 = 0x101 seq_cst"}, {"a = x1 seq_cst", "b = y0 seq_cst"}, {"y0 = 1 seq_cst", "a = x0 seq_cst"}},
      {{"x0:1 = 0x101 seq_cst", "x1 = 2 release"}, {"a = x1 acquire", "b = y0 seq_cst"}, {"y0 = 1 seq_cst", "a = x0 seq_cst"}},
      {{"x0 = 1 seq_cst", "x1 = 2 release"}, {"a = x1 acquire", "b = y0 seq_cst"}, {"y0 = 1 seq_cst", "a = x0 seq_cst"}},
      // Four threads on one word, with wide updates and reads between narrow writes.
      {{"x0:3 += 0x1010101"}, {"x0 = 2", "a = x0:1"}, {"x1 = 2", "a = x0:3"}, {"x2:3 += 0x101"}},
  };
  return examples;
}

}  // namespace heddle::oracle
