#include "trace/formats/describe.h"

#include <fmt/format.h>

#include "trace/words.h"
#include "util/page.h"

namespace heddle::trace {

using util::printable;

std::string actionText(const Event& event) {
  std::string text = wordOf(event.kind);
  if (!event.location.empty()) text += ' ' + event.location;
  if (!event.success) {
    const std::string& seen = event.oldValue.empty() ? event.value : event.oldValue;
    text += event.spurious ? " fails spuriously" : " fails";
    if (!seen.empty()) text += " at " + seen;
  } else if (event.reads && event.writes && !event.oldValue.empty()) {
    text += fmt::format(": {} -> {}", event.oldValue, event.value);
  } else if (!event.value.empty()) {
    text += (event.location.empty() ? " " : " = ") + event.value;
  }
  if (!event.order.empty()) text += ", " + event.order;
  if (event.fate == Fate::persisted) text += "  (persisted)";
  if (event.fate == Fate::lost) text += "  (lost)";
  return printable(text);
}

bool isThreadEvent(const Event& event) { return event.kind == Kind::spawn || event.kind == Kind::join; }

std::string threadName(const Execution& execution, ThreadId thread) {
  if (thread < execution.threads.size()) return printable(execution.threads[thread]);
  return thread == 0 ? "main" : fmt::format("thread {}", thread);
}

std::string placeText(const std::string& file, unsigned line) {
  if (file.empty()) return "";
  return printable(line == 0 ? file : fmt::format("{}:{}", file, line));
}

std::string placeText(const Place& place) { return placeText(place.file, place.line); }

std::string errorLine(const Error& error) {
  if (error.message.empty()) return error.title;
  // Some messages are a whole sentence already: "data race on x", "assertion 'x == 1' failed".
  const std::string begin = error.title.substr(0, error.title.find(' '));
  return printable(error.message.rfind(begin, 0) == 0 ? error.message : error.title + ": " + error.message);
}

}  // namespace heddle::trace
