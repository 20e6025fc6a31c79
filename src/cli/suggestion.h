// What somebody may have meant who typed a word that heddle does not know: a name that is spelt in almost the same way, an option of
// another command, or a flag for clang, which belongs after `--`.
#pragma once

#include <string>

namespace heddle::cli {

// One line, with its end; empty if there is nothing to suggest. `word` begins with a dash.
std::string suggestOption(const std::string& command, const std::string& word);

// For a word in the place of a command: a command, or a file that a command should read.
std::string suggestCommand(const std::string& word);

// For a word in the place of a built-in model: a line of its own, without its end.
std::string suggestModel(const std::string& word);

}  // namespace heddle::cli
