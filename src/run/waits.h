// Who waits for whom, or for what, where threads wait for ever (runtime/waiting.h): a part of why that is so (trace/why.h).
#pragma once

#include <unordered_map>
#include <vector>

#include "explore/any_explorer.h"
#include "run/tracer.h"
#include "runtime/waiting.h"

namespace heddle::run {

// Of the full graph that the explorer is at. `numbers`: by which events are shown.
void describeWaits(const explore::AnyExplorer& explorer, const runtime::WaitingError& found, const SourceNames& names,
                   const std::unordered_map<EventId, unsigned>& numbers, trace::Why& why);

}  // namespace heddle::run
