#include "trace/formats/dot.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "trace/formats/describe.h"
#include "trace/words.h"

namespace heddle::trace {

namespace {

const char* const kErrorNode = "error";

std::string dotString(const std::string& text) {
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

std::string node(unsigned number) { return fmt::format("e{}", number); }

class Drawing {
 public:
  explicit Drawing(const Execution& execution) : execution_(execution) {
    for (const Event& event : execution.events) threads_[event.thread].push_back(&event);
    if (execution.error) threads_[execution.error->site.thread];
  }

  std::string text() {
    line(0, "digraph execution {");
    line(1, fmt::format("graph [label={}, labelloc=t, fontname=\"sans-serif\"];", dotString(execution_.title)));
    line(1, "node [shape=box, fontname=\"monospace\", fontsize=11];");
    line(1, "edge [fontname=\"sans-serif\", fontsize=10];");
    for (const auto& [thread, events] : threads_) drawThread(thread, events);
    for (const Event& event : execution_.events) drawEdges(event);
    for (const Relation& relation : execution_.relations) drawRelation(relation);
    line(0, "}");
    return text_;
  }

 private:
  void line(std::size_t depth, const std::string& content) { text_ += std::string(2 * depth, ' ') + content + '\n'; }

  void drawThread(ThreadId thread, const std::vector<const Event*>& events) {
    line(1, fmt::format("subgraph cluster_{} {{", thread));
    line(2, fmt::format("label={};", dotString(threadName(execution_, thread))));
    std::string previous;
    const auto follow = [&](const std::string& next) {
      if (!previous.empty()) line(2, fmt::format("{} -> {} [weight=10];", previous, next));
      previous = next;
    };
    for (const Event* event : events) {
      drawEvent(*event);
      follow(node(event->number));
    }
    if (execution_.error && thread == execution_.error->site.thread) {
      const Site& site = execution_.error->site;
      std::string label = errorLine(*execution_.error) + '\n' + placeText(site.at);
      for (const Place& caller : site.callers) label += '\n' + placeText(caller);
      line(2, fmt::format("{} [label={}, style=filled, fillcolor=\"#ffd0d0\", color=red];", kErrorNode, dotString(label)));
      follow(kErrorNode);
    }
    line(1, "}");
  }

  void drawEvent(const Event& event) {
    std::string label = fmt::format("{}: {}", event.number, actionText(event));
    if (isThreadEvent(event)) label += ' ' + threadName(execution_, event.partner);
    const std::string place = placeText(event.place);
    if (!place.empty()) label += '\n' + place;
    std::string style;
    if (event.involved) style = ", color=red, fontcolor=red";
    if (!event.relevant) style = ", color=gray, fontcolor=gray";
    line(2, fmt::format("{} [label={}{}];", node(event.number), dotString(label), style));
  }

  void drawEdges(const Event& event) {
    const std::string self = node(event.number);
    const auto drawRf = [&](unsigned from, const std::string& label) {
      if (from == 0) return;
      line(1, fmt::format("{} -> {} [label={}, color=darkgreen, fontcolor=darkgreen];", node(from), self, label));
    };
    const auto drawCo = [&](unsigned after, const std::string& label) {
      if (after == 0) return;
      line(1, fmt::format("{} -> {} [label={}, color=brown, fontcolor=brown, style=dashed, constraint=false];", node(after),
                          self, label));
    };
    for (const Event::Part& part : event.fromParts) drawRf(part.number, dotString("rf " + part.bytes));
    for (const Event::Part& part : event.coAfterParts) drawCo(part.number, dotString("co " + part.bytes));
    if (event.reads && event.fromParts.empty()) drawRf(event.from, "rf");
    if (event.writes && event.coAfterParts.empty()) drawCo(event.coAfter, "co");
    const auto partner = threads_.find(event.partner);
    if (!isThreadEvent(event) || partner == threads_.end() || partner->second.empty()) return;
    const auto& events = partner->second;
    if (event.kind == Kind::spawn) line(1, fmt::format("{} -> {} [style=dotted];", self, node(events.front()->number)));
    if (event.kind == Kind::join) line(1, fmt::format("{} -> {} [style=dotted];", node(events.back()->number), self));
  }

  void drawRelation(const Relation& relation) {
    for (const auto& [first, second] : relation.pairs) {
      line(1, fmt::format("{} -> {} [label={}, color=purple, fontcolor=purple, constraint=false];", node(first), node(second),
                          dotString(relation.name)));
    }
  }

  const Execution& execution_;
  std::map<ThreadId, std::vector<const Event*>> threads_;
  std::string text_;
};

}  // namespace

std::string dot(std::span<const Execution> executions) {
  std::string text;
  for (const Execution& execution : executions) text += Drawing(execution).text();
  return text;
}

}  // namespace heddle::trace
