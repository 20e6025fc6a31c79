// Writes keys. See mixed_key.h.
#include "mixed_key.h"

#include <algorithm>

namespace heddle::oracle {

namespace {

std::string nameText(const EventName& name) {
  return name.thread < 0 ? "i" : std::to_string(name.thread) + "." + std::to_string(name.index);
}

std::string list(const std::vector<EventName>& names) {
  std::string text;
  for (const EventName& name : names) text += (text.empty() ? "" : ",") + nameText(name);
  return text;
}

std::string eventText(const KeyEvent& event) {
  if (event.kind == 'F' || event.kind == 'T') return std::string(1, event.kind);
  std::string text =
      event.kind + std::to_string(event.address) + ":" + std::to_string(event.size) + "=" + std::to_string(event.value);
  if (event.kind != 'R') return text;
  const auto same = [&](const EventName& source) { return source == event.sources.front(); };
  return text + "<" + (std::ranges::all_of(event.sources, same) ? nameText(event.sources.front()) : list(event.sources));
}

}  // namespace

std::string toString(const MixedKey& key, bool coherence) {
  std::string text = std::string(key.failed ? "failed:" : "") + (key.stuck ? "stuck:" : "");
  for (std::size_t t = 0; t < key.threads.size(); ++t) {
    if (key.threads[t].empty()) continue;
    std::string events;
    for (const KeyEvent& event : key.threads[t]) events += (events.empty() ? "" : " ") + eventText(event);
    text += std::to_string(t) + "[" + events + "]";
  }
  if (!coherence) return text;
  text += "|";
  for (const auto& [byte, writes] : key.coherence) {
    if (!writes.empty()) text += std::to_string(byte) + ":" + list(writes) + ";";
  }
  return text;
}

}  // namespace heddle::oracle
