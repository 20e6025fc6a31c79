// What a kind of problem is called and what to do about it: the rules of SARIF.
#pragma once

#include <string>

namespace heddle::report {

std::string ruleTitle(const std::string& kind);  // "data race"
std::string ruleHelp(const std::string& kind);   // what it means and what to do, in a few sentences

}  // namespace heddle::report
