#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/options.h"
#include "model/library.h"

namespace heddle::cli {

namespace {

// What may stand for an option's argument.
struct Values {
  std::vector<std::string> words;
  bool files = false;
};

std::vector<std::string> modelNames() {
  std::vector<std::string> names;
  for (const model::BuiltinModel& model : model::builtinModels()) names.emplace_back(model.name);
  return names;
}

std::vector<std::string> commandNames() {
  std::vector<std::string> names;
  for (const CommandInfo& command : commandTable()) names.push_back(command.name);
  return names;
}

Values valuesOf(const OptionInfo& option) {
  const bool isModel = option.name == "--model" || option.name == "--compare" || option.command == "models";
  const bool isFile = option.argument.find("FILE") != std::string::npos || option.argument.find("DIR") != std::string::npos ||
                      option.argument.find("FOLDER") != std::string::npos;
  if (!option.range.choices.empty()) return {option.range.choices, false};
  if (isModel) return {modelNames(), true};
  if (option.argument == "COMMAND") return {commandNames(), false};
  return {{}, isFile};
}

// The rows of a command that people see.
std::vector<const OptionInfo*> rowsOf(const std::string& command) {
  std::vector<const OptionInfo*> rows;
  for (const OptionInfo& option : optionTable()) {
    if (option.command == command && !option.hidden && !option.isRest()) rows.push_back(&option);
  }
  return rows;
}

// The first sentence of a help text, without backquotes and what shells take for their own.
std::string brief(const std::string& help) {
  std::string text = help.substr(0, std::min(help.find(". "), help.find(": ")));
  std::erase_if(text, [](char c) { return std::string_view("`'\"[]()\\$").find(c) != std::string_view::npos; });
  std::ranges::replace(text, ':', ',');
  while (text.ends_with('.')) text.pop_back();
  return text;
}

std::string bashScript() {
  std::string text = "# bash completion for heddle; made by `heddle help --completion bash`\n"
                     "_heddle() {\n"
                     "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
                     "  COMPREPLY=()\n"
                     "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W \"{} --version --help\" -- \"$word\"))\n    return\n  fi\n",
                      fmt::join(commandNames(), " "));
  text += "  case \"$command $before\" in\n";
  for (const OptionInfo& option : optionTable()) {
    if (option.hidden || option.isFlag() || option.isOperand() || option.isRest() || !option.implied.empty()) continue;
    const Values values = valuesOf(option);
    if (!values.files && values.words.empty()) {
      text += fmt::format("    \"{} {}\") return ;;\n", option.command, option.name);
      continue;
    }
    text += fmt::format("    \"{} {}\") COMPREPLY=($(compgen {}-W \"{}\" -- \"$word\")); return ;;\n", option.command,
                        option.name, values.files ? "-f " : "", fmt::join(values.words, " "));
  }
  text += "  esac\n  case \"$command\" in\n";
  for (const CommandInfo& command : commandTable()) {
    std::vector<std::string> names;
    Values operands;
    for (const OptionInfo* option : rowsOf(command.name)) {
      if (!option->isOperand()) names.push_back(option->name);
      if (option->isOperand()) operands = valuesOf(*option);
    }
    text += fmt::format("    {}) if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"{} --help\" -- \"$word\"))\n"
                        "      else COMPREPLY=($(compgen {}-W \"{}\" -- \"$word\")); fi ;;\n",
                        command.name, fmt::join(names, " "), operands.files ? "-f " : "", fmt::join(operands.words, " "));
  }
  return text + "  esac\n}\ncomplete -o filenames -F _heddle heddle\n";
}

std::string zshAction(const OptionInfo& option) {
  const Values values = valuesOf(option);
  std::string words;
  if (!values.words.empty()) words = fmt::format("compadd {}", fmt::join(values.words, " "));
  if (!values.files) return words.empty() ? " " : fmt::format("({})", fmt::join(values.words, " "));
  return words.empty() ? "_files" : fmt::format("{{ {}; _files }}", words);
}

std::string zshScript() {
  std::string text = "#compdef heddle\n# zsh completion for heddle; made by `heddle help --completion zsh`\n"
                     "_heddle() {\n  local -a commands\n  commands=(\n";
  for (const CommandInfo& command : commandTable()) text += fmt::format("    '{}:{}'\n", command.name, brief(command.summary));
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe 'command' commands\n    return\n  fi\n"
          "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandInfo& command : commandTable()) {
    text += fmt::format("    {}) _arguments", command.name);
    for (const OptionInfo* option : rowsOf(command.name)) {
      const std::string help = brief(option->help);
      if (option->isOperand()) {
        text += fmt::format(" \\\n      '*:{}:{}'", help, zshAction(*option));
      } else if (option->isFlag()) {
        text += fmt::format(" \\\n      '{}[{}]'", option->name, help);
      } else if (!option->implied.empty()) {
        text += fmt::format(" \\\n      '{}=-[{}]::{}:{}'", option->name, help, option->argument, zshAction(*option));
      } else {
        text += fmt::format(" \\\n      '{}{}[{}]:{}:{}'", option->repeatable ? "*" : "", option->name, help, option->argument,
                            zshAction(*option));
      }
    }
    text += " ;;\n";
  }
  return text + "  esac\n}\n_heddle \"$@\"\n";
}

std::string fishScript() {
  std::string text = "# fish completion for heddle; made by `heddle help --completion fish`\n";
  for (const CommandInfo& command : commandTable()) {
    text += fmt::format("complete -c heddle -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name, brief(command.summary));
  }
  text += "complete -c heddle -n __fish_use_subcommand -f -l version -d 'print the version'\n";
  for (const OptionInfo& option : optionTable()) {
    if (option.hidden || option.isRest()) continue;
    const Values values = valuesOf(option);
    std::string line = fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}'", option.command);
    if (option.isOperand()) {
      if (values.words.empty()) continue;
      line += fmt::format(" -a '{}'", fmt::join(values.words, " "));
    } else {
      line += option.name.starts_with("--") ? " -l " + option.name.substr(2) : " -s " + option.name.substr(1);
      if (!option.isFlag() && option.implied.empty()) line += values.files ? " -r" : " -x";
      if (!values.words.empty()) line += fmt::format(" -a '{}'", fmt::join(values.words, " "));
    }
    text += fmt::format("{} -d '{}'\n", line, brief(option.help));
  }
  return text;
}

}  // namespace

std::string completionScript(const std::string& shell) {
  if (shell == "bash") return bashScript();
  return shell == "zsh" ? zshScript() : fishScript();
}

}  // namespace heddle::cli
