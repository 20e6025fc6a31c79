#include "parallel/relay.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace heddle::parallel {

namespace {

// "VERB RUN NUMBER\nTEXT"
std::string toText(const Saying& saying) {
  return fmt::format("{} {} {}\n{}", saying.verb, saying.run, saying.number, saying.text);
}

Saying parse(std::string_view text) {
  const std::size_t end = text.find('\n');
  std::string_view head = text.substr(0, end);
  const auto next = [&] {
    const std::size_t blank = head.find(' ');
    const std::string_view word = head.substr(0, blank);
    head = blank == std::string_view::npos ? "" : head.substr(blank + 1);
    return word;
  };
  const auto number = [&] {
    std::uint64_t value = 0;
    const std::string_view word = next();
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
  };
  Saying saying;
  saying.verb = next();
  saying.run = number();
  saying.number = number();
  if (end != std::string_view::npos) saying.text = text.substr(end + 1);
  return saying;
}

// What heddle-mpi sends and wants begins with a rank.
Heard heard(const std::string& message) {
  std::uint32_t rank = 0;
  if (message.size() < sizeof rank) throw std::runtime_error("heddle-mpi has sent something that is too short");
  std::memcpy(&rank, message.data(), sizeof rank);
  return {.from = rank, .saying = parse(std::string_view(message).substr(sizeof rank))};
}

}  // namespace

std::unique_ptr<Relay> Relay::connect() {
  const char* const descriptor = std::getenv("HEDDLE_RELAY");
  if (descriptor == nullptr) return nullptr;
  std::unique_ptr<Relay> relay(new Relay(std::atoi(descriptor)));
  unsetenv("HEDDLE_RELAY");
  const std::optional<Heard> first = relay->receive();
  if (!first) throw std::runtime_error("heddle-mpi has ended");
  relay->rank_ = first->from;
  relay->ranks_ = static_cast<unsigned>(std::stoul(first->saying.verb));
  return relay;
}

bool Relay::send(unsigned rank, const Saying& saying) {
  std::string message(sizeof(std::uint32_t), '\0');
  std::memcpy(message.data(), &rank, sizeof(std::uint32_t));
  return channel_.send(message + toText(saying));
}

std::optional<Heard> Relay::receive() {
  const std::optional<std::string> message = channel_.receive();
  if (!message) return std::nullopt;
  return heard(*message);
}

std::optional<Heard> Relay::take() {
  const std::optional<std::string> message = channel_.take();
  if (!message) return std::nullopt;
  return heard(*message);
}

}  // namespace heddle::parallel
