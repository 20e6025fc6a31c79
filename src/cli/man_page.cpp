#include "cli/man_page.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/options.h"
#include "util/version.h"

namespace heddle::cli {

namespace {

// What the table marks with `backquotes` is bold. A dash is written so that it can be copied, and what would be a request of roff
// at the beginning of a line is not.
std::string roff(std::string_view text) {
  std::string result;
  bool bold = false;
  if (text.starts_with('.') || text.starts_with('\'')) result = "\\&";
  for (const char c : text) {
    switch (c) {
      case '`':
        bold = !bold;
        result += bold ? "\\fB" : "\\fR";
        break;
      case '-': result += "\\-"; break;
      case '\\': result += "\\e"; break;
      default: result += c;
    }
  }
  return result;
}

std::string head(const std::string& page, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"heddle {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", page, util::version(), roff(page),
                     roff(summary));
}

std::string entry(const std::string& name, const std::string& argument, const std::string& text) {
  const std::string shown = argument.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(argument));
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), shown, roff(text));
}

std::string entry(const OptionInfo& option) {
  const std::string standard = option.standard.empty() ? "" : fmt::format(" Default: {}.", option.standard);
  if (option.isOperand()) return entry(option.argument, "", option.help);
  const bool joined = !option.implied.empty();
  return entry(joined ? fmt::format("{}[={}]", option.name, option.argument) : option.name, joined ? "" : option.argument,
               option.help + standard);
}

constexpr const char* kExitCodes =
    ".SH EXIT STATUS\n"
    ".TP\n0\nNo error was found.\n"
    ".TP\n1\nAn error was found, or an expectation is not met.\n"
    ".TP\n2\nThe command line, a file or a model cannot be used.\n"
    ".TP\n3\nThe run was cut short by time, memory, a limit or an interrupt; or a claim is not decided.\n"
    ".TP\n4\nAn internal error, which is a bug in heddle.\n";

std::string programPage() {
  std::string text = head("heddle", "check concurrent C and C++ under weak memory models");
  text +=
      ".SH SYNOPSIS\n\\fBheddle\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.SH DESCRIPTION\n"
      "Heddle explores every execution of a concurrent program that a memory model allows, each exactly once. It either says "
      "that none goes wrong, or shows one that does.\n.SH COMMANDS\n";
  for (const CommandInfo& command : commandTable()) text += entry(command.name, "", command.summary + '.');
  text += ".SH OPTIONS\n";
  text += entry("--version", "", "Print the version. With `--json`: the version, LLVM, the models and the features, as JSON.");
  text += entry("-h, --help", "", "Print the commands; after a command, its options.");
  text += kExitCodes;
  text += ".SH SEE ALSO\n";
  std::string separator;
  for (const CommandInfo& command : commandTable()) {
    text += fmt::format("{}\\fBheddle\\-{}\\fR(1)", separator, command.name);
    separator = ",\n";
  }
  return text + '\n';
}

}  // namespace

std::string manPage(const std::string& command) {
  if (command.empty()) return programPage();
  std::string text;
  for (const CommandInfo& info : commandTable()) {
    if (info.name != command) continue;
    text = head("heddle-" + info.name, info.summary);
    text += fmt::format(".SH SYNOPSIS\n\\fBheddle {}\\fR {}\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n", info.name, roff(info.usage),
                        roff(info.help));
  }
  for (const OptionInfo& option : optionTable()) {
    if (option.command == command && !option.hidden) text += entry(option);
  }
  text += entry("-h, --help", "", "Print the options.");
  return text + kExitCodes + ".SH SEE ALSO\n\\fBheddle\\fR(1)\n";
}

}  // namespace heddle::cli
