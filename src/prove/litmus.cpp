#include "prove/litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::prove {

namespace {

constexpr const char* kLocations[] = {"x", "y", "z", "u", "v", "w"};
constexpr int kMostLocations = 6;

class Writer {
 public:
  Writer(const Graph& graph, const View& view) : graph_(graph), view_(view) {}

  std::optional<std::string> write(const std::string& name) {
    if (!graph_.addr.isEmpty() || !graph_.data.isEmpty() || !graph_.ctrl.isEmpty()) return std::nullopt;
    for (const GraphEvent& event : graph_.events) {
      if (event.location >= kMostLocations || declaredSetsOf(event.cell) != 0) return std::nullopt;
    }
    numberValues();
    std::string text = fmt::format("C {}\n\n{{ {} }}\n\n", name, initial());
    int threads = 0;
    for (const GraphEvent& event : graph_.events) threads = std::max(threads, event.thread + 1);
    for (int t = 0; t < threads; ++t) text += thread(t);
    return text + condition();
  }

 private:
  Order orderIn(const GraphEvent& event) const {
    const int cls = isInserted(event.cell) ? event.eventClass() : view_.classes[event.eventClass()];
    return heddle::orderOf(static_cast<EventClass>(cls));
  }
  std::string orderOf(const GraphEvent& event) const {
    static const char* const kNames[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    return std::string("memory_order_") + kNames[static_cast<unsigned>(orderIn(event))];
  }
  bool isPlain(const GraphEvent& event) const { return orderIn(event) == Order::plain; }

  // The place of a write in coherence order is its value; the initial write has 0.
  void numberValues() {
    for (unsigned e = 0; e < graph_.size(); ++e) {
      if (!graph_.events[e].isWrite()) continue;
      unsigned before = 0;
      for (unsigned other = 0; other < graph_.size(); ++other) before += graph_.co.has(other, e) ? 1 : 0;
      value_[e] = before;
    }
  }

  int locations() const {
    int count = 0;
    for (const GraphEvent& event : graph_.events) count = std::max(count, event.location + 1);
    return count;
  }
  bool hasPlain(int location) const {
    return std::any_of(graph_.events.begin(), graph_.events.end(),
                       [&](const GraphEvent& e) { return e.location == location && !e.isInitial() && isPlain(e); });
  }
  std::string initial() const {
    std::string text;
    for (int l = 0; l < locations(); ++l) text += fmt::format("{}{}=0;", l > 0 ? " " : "", kLocations[l]);
    return text;
  }

  std::string thread(int number) {
    std::vector<unsigned> order;
    for (unsigned e = 0; e < graph_.size(); ++e) {
      if (graph_.events[e].thread == number && view_.sees(graph_.events[e])) order.push_back(e);
    }
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return graph_.po.has(a, b); });
    std::string parameters;
    for (int l = 0; l < locations(); ++l) {
      // Without an atomic type, `*x` is a plain access; the functions for atomics take either.
      parameters += fmt::format("{}{}* {}", l > 0 ? ", " : "", hasPlain(l) ? "int" : "atomic_int", kLocations[l]);
    }
    std::string text = fmt::format("P{}({}) {{\n", number, parameters);
    unsigned registers = 0;
    for (const unsigned e : order) text += statement(e, number, registers);
    return text + "}\n\n";
  }

  std::string statement(unsigned e, int number, unsigned& registers) {
    const GraphEvent& event = graph_.events[e];
    if (contains(classes::kFence, event.eventClass())) {
      return fmt::format("  atomic_thread_fence({});\n", orderOf(event));
    }
    const std::string place = kLocations[event.location];
    if (event.isRead()) {
      const std::string name = fmt::format("r{}", registers++);
      for (unsigned w = 0; w < graph_.size(); ++w) {
        if (graph_.rf.has(w, e)) wanted_.push_back(fmt::format("{}:{}={}", number, name, value_[w]));
      }
      for (unsigned w = 0; w < graph_.size(); ++w) {
        if (!graph_.rmw.has(e, w)) continue;
        return fmt::format("  int {} = atomic_exchange_explicit({}, {}, {});\n", name, place, value_[w], orderOf(event));
      }
      if (isPlain(event)) return fmt::format("  int {} = *{};\n", name, place);
      return fmt::format("  int {} = atomic_load_explicit({}, {});\n", name, place, orderOf(event));
    }
    if (graph_.rmw.inverse().row(e) != 0) return "";  // written with its read
    if (isPlain(event)) return fmt::format("  *{} = {};\n", place, value_[e]);
    return fmt::format("  atomic_store_explicit({}, {}, {});\n", place, value_[e], orderOf(event));
  }

  std::string condition() {
    for (int l = 0; l < locations(); ++l) {
      unsigned last = 0;
      unsigned writes = 0;
      for (unsigned e = 0; e < graph_.size(); ++e) {
        if (!graph_.events[e].isWrite() || graph_.events[e].location != l) continue;
        ++writes;
        last = std::max(last, value_[e]);
      }
      if (writes > 2) wanted_.push_back(fmt::format("{}={}", kLocations[l], last));
    }
    std::string text;
    for (const std::string& part : wanted_) text += (text.empty() ? "" : " /\\ ") + part;
    return fmt::format("exists ({})\n", text.empty() ? "true" : text);
  }

  const Graph& graph_;
  const View& view_;
  std::map<unsigned, unsigned> value_;
  std::vector<std::string> wanted_;
};

}  // namespace

std::optional<std::string> litmusTest(const Graph& graph, const View& view, const std::string& name) {
  return Writer(graph, view).write(name);
}

}  // namespace heddle::prove
