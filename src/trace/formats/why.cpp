#include "trace/formats/why.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "trace/formats/describe.h"

namespace heddle::trace {

using nlohmann::ordered_json;
using util::printable;

namespace {

constexpr std::size_t kMostRemedies = 4;  // in text

// "a", "a and b", "a, b and c"
std::string list(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

std::string placeOf(const Change& change) {
  return printable(fmt::format("{}:{}", change.file.substr(change.file.find_last_of('/') + 1), change.line));
}

// "release instead of relaxed for store flag at mp.cpp:8"
std::string changeText(const Change& change) {
  const std::string where = fmt::format("{} at {}", printable(change.what), placeOf(change));
  switch (change.kind) {
    case Change::Kind::access: return fmt::format("{} instead of {} for {}", change.to, change.from, where);
    case Change::Kind::failure: return fmt::format("{} instead of {} for the failure of {}", change.to, change.from, where);
    case Change::Kind::fenceBefore: return fmt::format("a {} fence right before {}", change.to, where);
    case Change::Kind::fenceAfter: return fmt::format("a {} fence right after {}", change.to, where);
  }
  return "";
}

std::string changesText(const std::vector<Change>& changes) {
  std::vector<std::string> texts;
  for (const Change& change : changes) texts.push_back(changeText(change));
  return list(texts);
}

// "which ...", "whose ...", "where ..."
bool isClause(const std::string& reason) {
  return reason.starts_with("which") || reason.starts_with("whose") || reason.starts_with("where");
}

std::string machineName(const std::string& model) {
  if (model == "tso") return "x86 (tso)";
  if (model == "armv8") return "ARMv8";
  if (model == "riscv") return "RISC-V";
  return model == "power" ? "POWER" : model;
}

const char* linkText(const std::string& link) {
  if (link == "po") return "is followed in its thread by";
  if (link == "rf") return "is read by";
  if (link == "co") return "is overwritten by";
  return "reads what is overwritten by";
}

class Paragraphs {
 public:
  Paragraphs(const Execution& execution, std::size_t width) : execution_(execution), why_(*execution.why), width_(width) {}

  std::string text() {
    if (why_.afterCrash) tellCrash();
    if (!why_.waits.empty()) tellWaits();
    if (!why_.afterCrash || !why_.isInterleaving) tellInterleaving();
    tellModels();
    tellRemedies();
    if (!why_.suggestion.empty()) tellSuggestion(why_.suggestion.front());
    return text_;
  }

 private:
  void add(const std::string& paragraph, std::size_t indent = 2) {
    for (const std::string& line : util::wrapped(paragraph, width_ - std::min(width_, indent))) {
      text_ += std::string(indent, ' ') + line + '\n';
    }
  }

  void tellWaits() {
    for (const Why::Wait& wait : why_.waits) {
      std::string text = fmt::format("{} {}", threadName(execution_, wait.thread), printable(wait.what));
      if (!wait.reason.empty()) {
        text += fmt::format("{} {}", isClause(wait.reason) ? "," : ": it", printable(wait.reason));
      }
      add(text + ".");
    }
    if (!why_.waitsInCycle) return;
    const auto isInCycle = [&](const Why::Wait& wait) { return wait.hasHolder; };
    auto at = std::ranges::find_if(why_.waits, isInCycle);
    std::vector<ThreadId> cycle;
    while (std::ranges::find(cycle, at->thread) == cycle.end()) {
      cycle.push_back(at->thread);
      at = std::ranges::find(why_.waits, at->holder, &Why::Wait::thread);
      if (at == why_.waits.end()) return;
    }
    cycle.erase(cycle.begin(), std::ranges::find(cycle, at->thread));
    if (cycle.size() == 1) return add("It waits for itself.");
    std::string text = "They wait for each other: ";
    for (const ThreadId thread : cycle) text += threadName(execution_, thread) + " -> ";
    add(text + threadName(execution_, cycle.front()) + ".");
  }

  void tellCrash() {
    for (const Why::Lost& lost : why_.lost) {
      std::string text = fmt::format("At {}, although {} comes before the crash: that write had not persisted",
                                     findText(lost.find), eventText(lost.write));
      if (!lost.reason.empty()) text += fmt::format(", and {}", lost.reason);
      text += '.';
      if (lost.later != 0) text += fmt::format(" {}, which comes later in its thread, had persisted.", eventText(lost.later));
      add(text);
    }
    if (why_.findsNewest) {
      add("Recovery finds everywhere what was written last before the crash. So it is no matter of what persists when: the "
          "program may stop at this point.");
    }
  }

  // "29 recovery finds head = null (list.cpp:38)"
  std::string findText(unsigned number) const {
    const auto event = std::ranges::find(execution_.events, number, &Event::number);
    if (event == execution_.events.end()) return fmt::format("{} recovery finds something older", number);
    const std::string file = event->place.file.substr(event->place.file.find_last_of('/') + 1);
    return fmt::format("{} recovery finds {} = {} ({})", number, printable(event->location), printable(event->value),
                       placeText(file, event->place.line));
  }

  void tellInterleaving() {
    if (why_.isInterleaving) {
      std::string text = "An interleaving of the threads, the one above, leads there";
      text += why_.noOrderHelps ? ": it is no matter of memory orders." : ".";
      return add(text + (why_.isRace ? " Nothing orders the two accesses." : ""));
    }
    add((why_.afterCrash ? "No interleaving of the threads explains what comes before the crash."
                         : "No interleaving of the threads explains this execution.") +
        std::string(why_.cycle.empty() ? ""
                                       : " Each of these would have to come before the next, and the last before the first:"));
    std::size_t width = 0;
    for (const Why::CycleStep& step : why_.cycle) width = std::max(width, util::displayWidth(eventText(step.event)));
    for (const Why::CycleStep& step : why_.cycle) {
      const std::string event = eventText(step.event);
      text_ += "    " + event + std::string(width - util::displayWidth(event), ' ') + "  " + linkText(step.link) + '\n';
    }
  }

  std::string eventText(unsigned number) const {
    const auto event = std::ranges::find(execution_.events, number, &Event::number);
    if (event == execution_.events.end()) return std::to_string(number);
    Event brief = *event;
    brief.order.clear();
    brief.fate = Fate::unknown;
    const std::string file = brief.place.file.substr(brief.place.file.find_last_of('/') + 1);
    return fmt::format("{} {} ({})", number, actionText(brief), placeText(file, brief.place.line));
  }

  void tellModels() {
    std::vector<std::string> allowed, forbidden, open;
    for (const Why::ModelVerdict& verdict : why_.models) {
      if (verdict.model == "sc") continue;
      (verdict.verdict == Why::Verdict::allowed     ? allowed
       : verdict.verdict == Why::Verdict::forbidden ? forbidden
                                                    : open)
          .push_back(machineName(verdict.model));
    }
    if ((why_.isRace && why_.isInterleaving) || (allowed.empty() && forbidden.empty() && open.empty())) return;
    std::string text;
    const auto tell = [&](const std::vector<std::string>& machines, const char* one, const char* several, const char* end) {
      if (machines.empty()) return;
      text += fmt::format("{}{} {}{}", text.empty() ? "" : "; ", list(machines), machines.size() == 1 ? one : several, end);
    };
    tell(allowed, "allows", "allow", " it");
    tell(open, "allows", "allow", " it unless dependencies between the accesses forbid it");
    tell(forbidden, "forbids", "forbid", " it");
    add(text + ".");
  }

  void tellRemedies() {
    if (!why_.remediesSearched) return;
    if (why_.remedies.empty()) {
      if (why_.searchCutShort)
        return add("The execution is too large to find out which stronger memory orders would forbid it.");
      return add(why_.isRace
                     ? "No stronger memory orders of the atomic accesses, and no fences, would order them: what is missing is "
                       "a lock, a join, or an atomic access by which one thread waits for the other."
                     : "No stronger memory orders, and no fences, would forbid it.");
    }
    const bool forbids = std::ranges::none_of(why_.remedies, [](const Remedy& remedy) { return remedy.axiom.empty(); });
    add(forbids ? "It would be forbidden with" : "They would be ordered with");
    for (std::size_t i = 0; i < why_.remedies.size() && i < kMostRemedies; ++i) {
      const Remedy& remedy = why_.remedies[i];
      std::string text = (i == 0 ? "- " : "- or ") + changesText(remedy.changes);
      if (!remedy.axiom.empty()) text += fmt::format(" (axiom {} of {})", remedy.axiom, why_.model);
      add(text, 4);
    }
    if (why_.remedies.size() > kMostRemedies) {
      add(fmt::format("- or {} other changes of this size", why_.remedies.size() - kMostRemedies), 4);
    }
  }

  void tellSuggestion(const Why::Suggestion& suggestion) {
    if (!suggestion.found) return add("No change is suggested: " + printable(suggestion.text) + ".");
    add(fmt::format("Suggestion: {}. With {} the program has no error; {} explored again.", changesText(suggestion.changes),
                    suggestion.changes.size() == 1 ? "this change" : "these changes",
                    suggestion.explorations == 1 ? "it was" : fmt::format("{} candidates were", suggestion.explorations)));
  }

  const Execution& execution_;
  const Why& why_;
  const std::size_t width_;
  std::string text_;
};

ordered_json changesJson(const std::vector<Change>& changes) {
  static constexpr const char* kKinds[] = {"access", "failure", "fence-before", "fence-after"};
  ordered_json json = ordered_json::array();
  for (const Change& change : changes) {
    json.push_back({{"kind", kKinds[static_cast<unsigned>(change.kind)]},
                    {"file", change.file},
                    {"line", change.line},
                    {"column", change.column},
                    {"what", change.what},
                    {"from", change.from.empty() ? ordered_json(nullptr) : ordered_json(change.from)},
                    {"to", change.to}});
  }
  return json;
}

}  // namespace

std::string whyText(const Execution& execution, const util::Page& page) {
  if (!execution.why) return "";
  const std::string text = Paragraphs(execution, page.width).text();
  return text.empty() ? "" : '\n' + page.style.strong("Why") + "\n\n" + text;
}

void addWhy(const Execution& execution, ordered_json& object) {
  if (!execution.why) return;
  static constexpr const char* kVerdicts[] = {"forbidden", "allowed", "dependencies"};
  const Why& why = *execution.why;
  constexpr std::size_t kUnlimited = 1'000'000;
  ordered_json json = {{"text", Paragraphs(execution, kUnlimited).text()}, {"interleaving", why.isInterleaving}};
  json["cycle"] = ordered_json::array();
  for (const Why::CycleStep& step : why.cycle) json["cycle"].push_back({{"event", step.event}, {"link", step.link}});
  json["models"] = ordered_json::array();
  for (const Why::ModelVerdict& verdict : why.models) {
    json["models"].push_back({{"model", verdict.model}, {"verdict", kVerdicts[static_cast<unsigned>(verdict.verdict)]}});
  }
  json["remedies"] = ordered_json::array();
  for (const Remedy& remedy : why.remedies) {
    json["remedies"].push_back({{"changes", changesJson(remedy.changes)},
                                {"axiom", remedy.axiom.empty() ? ordered_json(nullptr) : ordered_json(remedy.axiom)}});
  }
  json["waits"] = ordered_json::array();
  for (const Why::Wait& wait : why.waits) {
    json["waits"].push_back({{"thread", wait.thread},
                             {"what", wait.what},
                             {"for", wait.hasHolder ? ordered_json(wait.holder) : ordered_json(nullptr)},
                             {"reason", wait.reason}});
  }
  if (why.afterCrash) {
    json["lost"] = ordered_json::array();
    for (const Why::Lost& lost : why.lost) {
      json["lost"].push_back({{"event", lost.write},
                              {"missedBy", lost.find},
                              {"laterPersisted", lost.later == 0 ? ordered_json(nullptr) : ordered_json(lost.later)},
                              {"reason", lost.reason}});
    }
  }
  if (!why.suggestion.empty()) {
    const Why::Suggestion& suggestion = why.suggestion.front();
    json["suggestion"] = {{"found", suggestion.found},
                          {"changes", changesJson(suggestion.changes)},
                          {"reason", suggestion.text},
                          {"explorations", suggestion.explorations}};
  }
  object["why"] = std::move(json);
}

}  // namespace heddle::trace
