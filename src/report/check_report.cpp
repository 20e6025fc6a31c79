#include "report/check_report.h"

#include <fmt/format.h>

namespace heddle::report {

using native::CheckResult;
using native::TraceEvent;

const char* name(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::verified: return "verified";
    case CheckVerdict::bounded: return "bounded";
    case CheckVerdict::sampled: return "sampled";
    case CheckVerdict::error: return "error";
    case CheckVerdict::incomplete: return "incomplete";
  }
  return "?";
}

std::string errorLine(const native::Error& error) {
  const std::string title = native::title(error.kind);
  if (error.message.empty()) return title;
  // Some messages are a whole sentence already: "data race on x", "assertion 'x == 1' failed".
  const std::string begin = title.substr(0, title.find(' '));
  return printable(error.message.rfind(begin, 0) == 0 ? error.message : title + ": " + error.message);
}

std::string threadName(const CheckResult& result, ThreadId thread) {
  if (thread < result.threadNames.size()) return printable(result.threadNames[thread]);
  return thread == 0 ? "main" : fmt::format("thread {}", thread);
}

std::string placeText(const std::string& file, unsigned line) {
  if (file.empty()) return "";
  return printable(line == 0 ? file : fmt::format("{}:{}", file, line));
}

bool isThreadEvent(const TraceEvent& event) {
  return event.kind == "spawn" || event.kind == "join";
}

std::string actionText(const TraceEvent& event) {
  std::string text = event.kind;
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
  return printable(text);
}

std::string printable(const std::string& text) {
  std::string result = text;
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) c = byte == '\t' ? ' ' : '?';
  }
  return result;
}

}  // namespace heddle::report
