#include "trace/formats/dot.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <vector>

#include "trace/edges.h"
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

constexpr unsigned kAfterAll = std::numeric_limits<unsigned>::max();

std::string node(unsigned number) { return fmt::format("e{}", number); }

std::string relatedNode(std::size_t i) { return fmt::format("related{}", i + 1); }

class Drawing {
 public:
  explicit Drawing(const Execution& execution) : execution_(execution) {
    for (const Event& event : execution.events) threads_[event.thread].push_back(&event);
    if (!execution.error) return;
    threads_[execution.error->site.thread];
    for (const Error::Related& related : execution.error->related) threads_[related.site.thread];
  }

  std::string text() {
    line(0, "digraph execution {");
    line(1, fmt::format("graph [label={}, labelloc=t, fontname=\"sans-serif\"];", dotString(execution_.title)));
    line(1, "node [shape=box, fontname=\"monospace\", fontsize=11];");
    line(1, "edge [fontname=\"sans-serif\", fontsize=10];");
    for (const auto& [thread, events] : threads_) drawThread(thread, events);
    for (const Event& event : execution_.events) drawInitial(event);
    for (const Edge& edge : edgesOf(execution_)) drawEdge(edge);
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
    const auto drawRelatedBefore = [&](unsigned index) {
      for (const std::size_t related : relatedOf(thread, previousIndex_, index)) {
        drawRelated(related);
        follow(relatedNode(related));
      }
      previousIndex_ = index;
    };
    previousIndex_ = 0;
    for (const Event* event : events) {
      drawRelatedBefore(event->index);
      drawEvent(*event);
      follow(node(event->number));
    }
    drawRelatedBefore(kAfterAll);
    if (execution_.error && thread == execution_.error->site.thread) {
      const Site& site = execution_.error->site;
      std::string label = errorLine(*execution_.error) + '\n' + placeText(site.at);
      for (const Place& caller : site.callers) label += '\n' + placeText(caller);
      line(2, fmt::format("{} [label={}, style=filled, fillcolor=\"#ffd0d0\", color=red];", kErrorNode, dotString(label)));
      follow(kErrorNode);
    }
    line(1, "}");
  }

  // What has a part in the error and is no event, such as the other access of a race: those of the thread between two of its events.
  std::vector<std::size_t> relatedOf(ThreadId thread, unsigned after, unsigned upTo) const {
    std::vector<std::size_t> found;
    if (!execution_.error) return found;
    const auto& all = execution_.error->related;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].site.thread == thread && all[i].index > after && all[i].index <= upTo) found.push_back(i);
    }
    return found;
  }

  void drawRelated(std::size_t i) {
    const Error::Related& related = execution_.error->related[i];
    line(2, fmt::format("{} [label={}, color=red, fontcolor=red];", relatedNode(i),
                        dotString(related.what + '\n' + placeText(related.site.best()))));
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

  // An initial value, where it is read.
  void drawInitial(const Event& event) {
    if (!event.reads || !event.fromParts.empty() || event.from != 0 || event.location.empty()) return;
    const std::string& value = event.writes && !event.oldValue.empty() ? event.oldValue : event.value;
    const auto [initial, isNew] = initial_.try_emplace(event.location, fmt::format("i{}", initial_.size() + 1));
    if (isNew) {
      const std::string label = value.empty() ? event.location : event.location + " = " + value;
      line(1, fmt::format("{} [label={}, shape=plaintext];", initial->second, dotString("initially " + label)));
    }
    line(1, fmt::format("{} -> {} [label=rf, {}];", initial->second, node(event.number), styleOf(Edge::Kind::rf)));
  }

  void drawEdge(const Edge& edge) {
    std::string label = nameOf(edge.kind);
    if (edge.kind == Edge::Kind::other)
      label = edge.name;
    else if (!edge.name.empty())
      label += ' ' + edge.name;
    const std::string named =
        edge.kind == Edge::Kind::thread ? "" : fmt::format("label={}, ", isWord(label) ? label : dotString(label));
    line(1, fmt::format("{} -> {} [{}{}];", node(edge.from), node(edge.to), named, styleOf(edge.kind)));
  }

  static bool isWord(const std::string& text) { return text == "rf" || text == "co" || text == "rb" || text == "sw"; }

  static const char* styleOf(Edge::Kind kind) {
    switch (kind) {
      case Edge::Kind::rf: return "color=darkgreen, fontcolor=darkgreen";
      case Edge::Kind::co: return "color=brown, fontcolor=brown, style=dashed, constraint=false";
      case Edge::Kind::rb: return "color=darkorange, fontcolor=darkorange, style=dashed, constraint=false";
      case Edge::Kind::sw: return "color=blue, fontcolor=blue, constraint=false";
      case Edge::Kind::thread: return "style=dotted";
      case Edge::Kind::other: return "color=purple, fontcolor=purple, constraint=false";
    }
    return "";
  }

  const Execution& execution_;
  std::map<ThreadId, std::vector<const Event*>> threads_;
  std::map<std::string, std::string> initial_;  // the nodes of initial values, by location
  unsigned previousIndex_ = 0;                  // of the thread that is being drawn: the index of its last event so far
  std::string text_;
};

}  // namespace

std::string dot(std::span<const Execution> executions) {
  std::string text;
  for (const Execution& execution : executions) text += Drawing(execution).text();
  return text;
}

}  // namespace heddle::trace
