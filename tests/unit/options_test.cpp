// The defaults of a command are those of its own rows of the option table, and of no other command's.

#include "cli/options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

namespace heddle::cli {
namespace {

// What a field holds, as the table writes defaults.
std::string textOf(const Options& options, const Field& field) {
  return std::visit(
      [&](auto member) -> std::string {
        const auto& value = options.*member;
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool>) {
          return value ? "on" : "";
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          return fmt::format("{}", fmt::join(value, ","));
        } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
          return value.empty() ? "" : value.begin()->second;
        } else {
          return fmt::format("{}", value);
        }
      },
      field);
}

const OptionInfo* ownRow(const std::string& command, const Field& field) {
  const auto& table = optionTable();
  const auto found =
      std::ranges::find_if(table, [&](const OptionInfo& option) { return option.command == command && option.field == field; });
  return found == table.end() ? nullptr : &*found;
}

Options parsed(const std::string& command) {
  const bool takesFile = std::ranges::any_of(
      optionTable(), [&](const OptionInfo& option) { return option.command == command && option.isOperand(); });
  const char* const words[] = {"heddle", command.c_str(), "operand"};
  const auto result = parseCommandLine(takesFile ? 3 : 2, words);
  EXPECT_TRUE(std::holds_alternative<Options>(result)) << command;
  return std::holds_alternative<Options>(result) ? std::get<Options>(result) : Options{};
}

TEST(OptionDefaults, AreThoseOfTheCommandItself) {
  const Options untouched;
  for (const CommandInfo& command : commandTable()) {
    const Options options = parsed(command.name);
    EXPECT_EQ(options.command, command.name);
    for (const OptionInfo& option : optionTable()) {
      const OptionInfo* const own = ownRow(command.name, option.field);
      if (own && own->isOperand()) continue;
      const bool hasDefault = own && !own->standard.empty();
      EXPECT_EQ(textOf(options, option.field), hasDefault ? own->standard : textOf(untouched, option.field))
          << "heddle " << command.name << ", the field of " << option.name << " of heddle " << option.command;
    }
  }
}

TEST(OptionDefaults, GiveWayToWhatTheCommandLineSays) {
  const char* const words[] = {"heddle", "prove", "--time", "5", "claims.prove"};
  const auto result = parseCommandLine(5, words);
  ASSERT_TRUE(std::holds_alternative<Options>(result));
  EXPECT_EQ(std::get<Options>(result).time, 5);
}

// A field that starts out as something else than nothing would hide a default that is lost.
TEST(OptionDefaults, AreNowhereElse) {
  const Options untouched;
  for (const OptionInfo& option : optionTable()) {
    const std::string text = textOf(untouched, option.field);
    EXPECT_TRUE(text.empty() || text == "0") << option.name << " starts out as " << text;
  }
}

}  // namespace
}  // namespace heddle::cli
