// The hooks of plain accesses, and of copies and fills.

#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

namespace heddle::runtime {

namespace {

using Use = PlainAccesses::Use;

// Has the segment accessed all of this before, in a way that covers this access? The condition of hook_condition.h.
bool isCovered(Address address, std::uint64_t size, bool write) {
  if (!hasInlineCheck(size) || !memory::isProgramMemory(address)) return false;
  if ((address & 3) > (size >= 4 ? 0 : 4 - size)) return false;
  const auto* const cell = reinterpret_cast<const memory::Cell*>(memory::shadowOf(address));
  const auto covers = [&](const memory::Cell& c) { return c.write == heddle_epoch || (!write && c.read == heddle_epoch); };
  return covers(cell[0]) && (size <= 4 || covers(cell[1]));
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {

void heddle_plain_read(const void* address, std::uint64_t size, std::uint32_t source) {
  if (isCovered(addressOf(address), size, false)) return;
  running().guard([&] { program().plain().read(addressOf(address), size, source, Use::value); });
}

void heddle_plain_write(void* address, std::uint64_t size, std::uint32_t source, std::uint64_t value) {
  if (isCovered(addressOf(address), size, true)) return;
  running().guard([&] { program().plain().write(addressOf(address), size, source, value); });
}

void heddle_plain_update(void* address, std::uint64_t size, std::uint32_t source, std::uint64_t value) {
  if (isCovered(addressOf(address), size, true)) return;
  running().guard([&] {
    program().recorder().recordInspection(addressOf(address), size);
    program().plain().write(addressOf(address), size, source, value, true);
  });
}

void heddle_plain_peek(const void* address, std::uint64_t size, std::uint32_t source) {
  if (isCovered(addressOf(address), size, false)) return;
  running().guard([&] { program().plain().read(addressOf(address), size, source, Use::copy); });
}

void heddle_copy(void* to, const void* from, std::uint64_t size, std::uint32_t source) {
  running().stopIfAsked();
  running().guard([&] { program().plain().copy(addressOf(to), addressOf(from), size, source); });
}

void heddle_set(void* to, int byte, std::uint64_t size, std::uint32_t source) {
  running().stopIfAsked();
  running().guard([&] { program().plain().set(addressOf(to), byte, size, source); });
}

}  // extern "C"
