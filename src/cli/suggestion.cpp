#include "cli/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "model/library.h"

namespace heddle::cli {

namespace {

// How often a letter must be inserted, removed or replaced, or two neighbours change places (Levenshtein, Damerau).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    rows[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({replaced, rows[i][j - 1] + 1, rows[i - 1][j] + 1});
      const bool changePlaces = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (changePlaces) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows.back().back();
}

// The nearest of these names, if it is near enough: a letter or two, or the beginning of it was typed.
std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  std::size_t least = letters < 5 ? 2 : 3;  // that is too far
  for (const std::string& name : names) {
    if (const std::size_t d = distance(word, name); d < least) {
      least = d;
      best = name;
    }
  }
  const bool isBeginning = letters >= 2;
  for (const std::string& name : names) {
    if (best.empty() && isBeginning && name.starts_with(word)) best = name;
  }
  return best;
}

bool isForClang(std::string_view word) {
  constexpr std::array kBeginnings = {"-D", "-U", "-I",   "-O",       "-W",       "-f",      "-g",       "-m",
                                      "-l", "-L", "-std", "-isystem", "-include", "-iquote", "-pthread", "--std="};
  return std::ranges::any_of(kBeginnings, [&](const char* beginning) { return word.starts_with(beginning); });
}

bool takesFlags(const std::string& command) {
  return std::ranges::any_of(optionTable(), [&](const OptionInfo& o) { return o.command == command && o.isRest(); });
}

}  // namespace

std::string suggestOption(const std::string& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> own;
  std::string owner;  // another command that has it
  for (const OptionInfo& option : optionTable()) {
    if (option.command == command && !option.hidden && !option.isOperand()) own.push_back(option.name);
    if (option.command != command && option.name == name && owner.empty()) owner = option.command;
  }
  if (takesFlags(command) && isForClang(word)) {
    return fmt::format("Put clang's flags after `--`: heddle {} FILE -- {}\n", command, word);
  }
  if (const std::string near = nearest(name, own); !near.empty()) return fmt::format("Did you mean {}?\n", near);
  return owner.empty() ? "" : fmt::format("{} is an option of `heddle {}`.\n", name, owner);
}

std::string suggestModel(const std::string& word) {
  std::vector<std::string> names;
  for (const model::BuiltinModel& model : model::builtinModels()) names.emplace_back(model.name);
  const std::string near = nearest(word, names);
  return near.empty() ? "" : fmt::format("\nDid you mean {}?", near);
}

std::string suggestCommand(const std::string& word) {
  std::vector<std::string> names;
  for (const CommandInfo& command : commandTable()) names.push_back(command.name);
  if (const std::string near = nearest(word, names); !near.empty()) return fmt::format("Did you mean `heddle {}`?\n", near);
  const auto endsIn = [&](std::initializer_list<const char*> suffixes) {
    return std::ranges::any_of(suffixes, [&](const char* suffix) { return word.ends_with(suffix); });
  };
  if (endsIn({".c", ".cc", ".cpp", ".cxx", ".ll"})) return fmt::format("Did you mean `heddle check {}`?\n", word);
  if (endsIn({".litmus"})) return fmt::format("Did you mean `heddle litmus {}`?\n", word);
  return endsIn({".prove"}) ? fmt::format("Did you mean `heddle prove {}`?\n", word) : "";
}

}  // namespace heddle::cli
