// Every way to show an execution, in one table.
//
// A format is a file in this folder and a row in formats.cpp. The commands `check`, `litmus` and `prove` go through the table:
// what has a function for the page is part of their text, what has one for the object is part of what --json prints, and
// what has one for a file becomes an option, --NAME, of all three.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "trace/execution.h"
#include "util/page.h"

namespace heddle::trace {

struct Format {
  const char* name;  // of the option, and the suffix of files
  const char* help;  // of the option: how the execution is written, as the end of a sentence
  std::string (*onPage)(const Execution& execution, const util::Page& page);
  void (*inObject)(const Execution& execution, nlohmann::ordered_json& object);
  // All the executions that a run has to show. One without events and errors has only a title, which says why.
  std::string (*inFile)(std::span<const Execution> executions);
  bool eachState = false;  // in a file: of a litmus test it shows an execution for each final state, not only the one asked for
};

std::span<const Format> formats();

// What the formats of the table say of it, one after the other.
std::string onPage(const Execution& execution, const util::Page& page);
void addToObject(const Execution& execution, nlohmann::ordered_json& object);

}  // namespace heddle::trace
