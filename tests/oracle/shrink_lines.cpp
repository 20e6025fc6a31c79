// See shrink_lines.h.
#include "shrink_lines.h"

#include <algorithm>
#include <set>

namespace heddle::oracle {

namespace {

// The n-th block of a program, in the order of the text, the outermost ones first; null if there are not so many.
Lines* nthBlock(Lines& lines, std::size_t& n) {
  if (n-- == 0) return &lines;
  for (Line& line : lines) {
    if (line.end.empty()) continue;
    if (Lines* found = nthBlock(line.body, n)) return found;
  }
  return nullptr;
}
Lines* nthBlock(SequentialProgram& program, std::size_t n) {
  Lines* const found = nthBlock(program.body, n);
  return found != nullptr ? found : nthBlock(program.globals, n);
}

void collectNames(const std::string& text, std::set<std::string>& names) {
  const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = text.find('@'); i != std::string::npos; i = text.find('@', i + 1)) {
    std::size_t end = i + 1;
    while (end < text.size() && isPart(text[end])) ++end;
    names.insert(text.substr(i, end - i));
  }
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {  // members of structs
    if (text[i] != 'm' || std::isdigit(static_cast<unsigned char>(text[i + 1])) == 0 || (i > 0 && isPart(text[i - 1])))
      continue;
    names.insert(text.substr(i, 2));
  }
}
void collectNames(const Lines& lines, std::set<std::string>& names) {
  for (const Line& line : lines) {
    collectNames(line.text, names);
    collectNames(line.body, names);
  }
}

bool mentions(const std::string& text, const std::string& name) {
  std::set<std::string> names;
  collectNames(text, names);
  return names.contains(name);
}
// Is anything taken away?
bool forget(Lines& lines, const std::string& name) {
  bool changed = std::erase_if(lines, [&](const Line& line) { return mentions(line.text, name); }) != 0;
  for (Line& line : lines) changed |= forget(line.body, name);
  return changed;
}

class Shrinker {
 public:
  Shrinker(SequentialProgram program, const std::function<bool(const SequentialProgram&)>& stillDiffers, unsigned candidates)
      : program_(std::move(program)), stillDiffers_(stillDiffers), left_(candidates) {}

  SequentialProgram run() {
    while (removeNames() | removeLines() | unwrapBlocks()) {}
    return std::move(program_);
  }

 private:
  bool accept(SequentialProgram candidate) {
    if (left_ == 0) return false;
    --left_;
    if (!stillDiffers_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool removeLines() {
    bool changed = false;
    for (std::size_t n = 0; nthBlock(program_, n) != nullptr; ++n) {
      for (std::size_t piece = std::max<std::size_t>(1, nthBlock(program_, n)->size() / 2); piece > 0; piece /= 2) {
        for (std::size_t at = nthBlock(program_, n)->size(); at > 0;) {
          const std::size_t begin = at > piece ? at - piece : 0;
          SequentialProgram candidate = program_;
          Lines& lines = *nthBlock(candidate, n);
          lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.begin() + static_cast<std::ptrdiff_t>(at));
          changed |= accept(std::move(candidate));
          at = begin;
        }
      }
    }
    return changed;
  }

  bool unwrapBlocks() {
    for (std::size_t n = 0; nthBlock(program_, n) != nullptr; ++n) {
      for (std::size_t i = 0; i < nthBlock(program_, n)->size(); ++i) {
        if ((*nthBlock(program_, n))[i].end.empty()) continue;
        SequentialProgram candidate = program_;
        Lines& lines = *nthBlock(candidate, n);
        const Lines body = lines[i].body;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), body.begin(), body.end());
        if (accept(std::move(candidate))) return true;
      }
    }
    return false;
  }

  bool removeNames() {
    std::set<std::string> names;
    collectNames(program_.globals, names);
    collectNames(program_.body, names);
    bool changed = false;
    for (const std::string& name : names) {
      SequentialProgram candidate = program_;
      if (forget(candidate.globals, name) | forget(candidate.body, name)) changed |= accept(std::move(candidate));
    }
    return changed;
  }

  SequentialProgram program_;
  const std::function<bool(const SequentialProgram&)>& stillDiffers_;
  unsigned left_;
};

}  // namespace

SequentialProgram shrink(SequentialProgram program, const std::function<bool(const SequentialProgram&)>& stillDiffers,
                         unsigned candidates) {
  return Shrinker(std::move(program), stillDiffers, candidates).run();
}

}  // namespace heddle::oracle
