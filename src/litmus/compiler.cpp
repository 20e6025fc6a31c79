#include "litmus/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "litmus/thread_compiler.h"

namespace heddle::litmus {

namespace {

constexpr Address kAlignment = 16;

}  // namespace

void placeLocations(const Syntax& syntax, Code& code) {
  Address next = kAlignment;  // 0 is not an address
  for (const Location& location : syntax.locations) {
    CompiledLocation& place = code.locations.emplace_back();
    place.name = location.name;
    place.address = next;
    place.type = location.type;
    place.isArray = location.isArray;
    place.count = location.count;
    place.bytes = location.bytes;
    next += (location.bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  code.memory.assign(next, 0);
}

void fillInitialMemory(const Syntax& syntax, Code& code) {
  for (std::size_t i = 0; i < syntax.locations.size(); ++i) {
    const Location& location = syntax.locations[i];
    for (std::size_t element = 0; element < location.initial.size(); ++element) {
      const std::int64_t value = location.type.convert(location.initial[element]);
      std::memcpy(&code.memory[code.locations[i].address + element * location.type.size], &value, location.type.size);
    }
  }
}

void findLines(const SourceFile& file, std::vector<SourceRange>& sources) {
  unsigned line = 1;
  std::size_t at = 0;
  for (SourceRange& range : sources) {
    const auto begin = file.text.begin();
    line += static_cast<unsigned>(std::count(begin + static_cast<std::ptrdiff_t>(at), begin + range.begin, '\n'));
    at = range.begin;
    range.line = line;
  }
}

Code compile(const SourceFile& file, const Syntax& syntax) {
  Code code;
  code.messages = syntax.messages;
  code.sources = syntax.sources;
  findLines(file, code.sources);
  placeLocations(syntax, code);
  fillInitialMemory(syntax, code);

  // The explorer wants the threads that run from the start to have the lowest numbers.
  std::vector<const Thread*> order;
  for (const bool spawned : {false, true}) {
    for (const Thread& thread : syntax.threads) {
      if (thread.spawned == spawned) order.push_back(&thread);
    }
    if (!spawned) code.initialThreads = static_cast<unsigned>(order.size());
  }
  std::vector<ThreadId> threadIds(order.size());
  for (std::size_t id = 0; id < order.size(); ++id) threadIds[order[id]->number] = static_cast<ThreadId>(id);

  std::vector<std::uint8_t> sizesUsed(code.locations.size(), 0);  // a bit for each of 1, 2, 4 and 8
  for (const Observed& observed : syntax.observed) {
    if (!observed.isRegister) sizesUsed[observed.location] |= observed.type.size;
  }
  for (const Thread* thread : order) {
    CompiledThread compiled = ThreadCompiler(file, *thread, threadIds, sizesUsed, code).compile();
    code.threads.push_back(std::move(compiled));
  }
  code.hasMixedSizes = std::any_of(sizesUsed.begin(), sizesUsed.end(), [](unsigned s) { return (s & (s - 1)) != 0; });
  return code;
}

}  // namespace heddle::litmus
