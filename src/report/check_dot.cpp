#include "report/check_dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::report {

namespace {

using native::CheckResult;
using native::TraceEvent;

const char* const kErrorNode = "error";

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string node(unsigned number) {
  return fmt::format("e{}", number);
}

class Drawing {
 public:
  explicit Drawing(const CheckReport& report) : report_(report), result_(report.result) {
    for (const TraceEvent& event : result_.trace) threads_[event.thread].push_back(&event);
    if (result_.hasError) threads_[result_.error.thread];
  }

  std::string text() {
    line(0, "digraph execution {");
    line(1, fmt::format("graph [label={}, labelloc=t, fontname=\"sans-serif\"];", quoted(title())));
    line(1, "node [shape=box, fontname=\"monospace\", fontsize=11];");
    line(1, "edge [fontname=\"sans-serif\", fontsize=10];");
    if (!result_.trace.empty() || result_.hasError) {
      for (const auto& [thread, events] : threads_) drawThread(thread, events);
      for (const TraceEvent& event : result_.trace) drawEdges(event);
    }
    line(0, "}");
    return text_;
  }

 private:
  std::string title() const {
    std::string files = fmt::format("{} under {}: ", fmt::join(report_.files, " "), report_.model);
    if (result_.hasError) return files + errorLine(result_.error);
    return files + name(result_.verdict) + (result_.trace.empty() ? ", no execution to show" : "");
  }

  void line(std::size_t depth, const std::string& content) { text_ += std::string(2 * depth, ' ') + content + '\n'; }

  void drawThread(ThreadId thread, const std::vector<const TraceEvent*>& events) {
    line(1, fmt::format("subgraph cluster_{} {{", thread));
    line(2, fmt::format("label={};", quoted(threadName(result_, thread))));
    std::string previous;
    const auto follow = [&](const std::string& next) {
      if (!previous.empty()) line(2, fmt::format("{} -> {} [weight=10];", previous, next));
      previous = next;
    };
    for (const TraceEvent* event : events) {
      drawEvent(*event);
      follow(node(event->number));
    }
    if (result_.hasError && thread == result_.error.thread) {
      std::string label = errorLine(result_.error) + '\n' + placeText(result_.errorFile, result_.errorLine);
      for (const native::Caller& caller : result_.errorCallers) label += '\n' + placeText(caller.file, caller.line);
      line(2, fmt::format("{} [label={}, style=filled, fillcolor=\"#ffd0d0\", color=red];", kErrorNode, quoted(label)));
      follow(kErrorNode);
    }
    line(1, "}");
  }

  void drawEvent(const TraceEvent& event) {
    std::string label = fmt::format("{}: {}", event.number, actionText(event));
    if (isThreadEvent(event)) label += ' ' + threadName(result_, event.partner);
    const std::string place = placeText(event.file, event.line);
    if (!place.empty()) label += '\n' + place;
    std::string style;
    if (event.involved) style = ", color=red, fontcolor=red";
    if (!event.relevant) style = ", color=gray, fontcolor=gray";
    line(2, fmt::format("{} [label={}{}];", node(event.number), quoted(label), style));
  }

  void drawEdges(const TraceEvent& event) {
    const std::string self = node(event.number);
    const auto drawRf = [&](unsigned from, const std::string& label) {
      if (from == 0) return;
      line(1, fmt::format("{} -> {} [label={}, color=darkgreen, fontcolor=darkgreen];", node(from), self, label));
    };
    const auto drawCo = [&](unsigned after, const std::string& label) {
      if (after == 0) return;
      line(1, fmt::format("{} -> {} [label={}, color=brown, fontcolor=brown, style=dashed, constraint=false];",
                          node(after), self, label));
    };
    for (const TraceEvent::Part& part : event.fromParts) drawRf(part.number, quoted("rf " + part.bytes));
    for (const TraceEvent::Part& part : event.coAfterParts) drawCo(part.number, quoted("co " + part.bytes));
    if (event.reads && event.fromParts.empty()) drawRf(event.from, "rf");
    if (event.writes && event.coAfterParts.empty()) drawCo(event.coAfter, "co");
    const auto partner = threads_.find(event.partner);
    if (!isThreadEvent(event) || partner == threads_.end() || partner->second.empty()) return;
    const auto& events = partner->second;
    if (event.kind == "spawn") line(1, fmt::format("{} -> {} [style=dotted];", self, node(events.front()->number)));
    if (event.kind == "join") line(1, fmt::format("{} -> {} [style=dotted];", node(events.back()->number), self));
  }

  const CheckReport& report_;
  const CheckResult& result_;
  std::map<ThreadId, std::vector<const TraceEvent*>> threads_;
  std::string text_;
};

}  // namespace

std::string checkDot(const CheckReport& report) {
  return Drawing(report).text();
}

}  // namespace heddle::report
