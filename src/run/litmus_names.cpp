#include "run/litmus_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::run {

const litmus::CompiledLocation* LitmusNames::find(Address address) const {
  const auto found = std::ranges::find_if(program_.locations(), [&](const litmus::CompiledLocation& compiled) {
    return address - compiled.address < compiled.bytes;
  });
  return found == program_.locations().end() ? nullptr : &*found;
}

std::string LitmusNames::location(Address address, unsigned size) const {
  const litmus::CompiledLocation* const compiled = find(address);
  return program_.locationName(address, size == 0 && compiled != nullptr ? compiled->type.size : size);
}

std::string LitmusNames::value(const Operation& operation, Value value) const {
  litmus::Type type{.size = operation.size};
  if (const litmus::CompiledLocation* const compiled = find(operation.address)) type.isSigned = compiled->type.isSigned;
  const std::int64_t number = type.fromMemory(value);
  return type.isSigned ? std::to_string(number) : std::to_string(static_cast<std::uint64_t>(number));
}

trace::Place LitmusNames::place(std::uint32_t source) const {
  trace::Place place;
  place.file = test_.file;
  place.line = program_.sourceLine(source);
  // sourceText puts the place before the statement.
  place.text = program_.sourceText(source);
  const std::string before = fmt::format(":{}: ", place.line);
  if (const std::size_t found = place.text.find(before); found != std::string::npos) {
    place.text.erase(0, found + before.size());
  }
  return place;
}

// Several statements may be in one line; they are told apart by their numbers, in place of columns.
std::optional<trace::Place> LitmusNames::placeOfOrder(std::uint32_t source) const {
  trace::Place at = place(source);
  at.column = source;
  return at;
}

bool LitmusNames::isLock(Address address) const {
  const litmus::CompiledLocation* const compiled = find(address);
  return compiled != nullptr && compiled->type.mutex;
}

}  // namespace heddle::run
