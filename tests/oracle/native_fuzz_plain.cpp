// Takes plain events out of the oracle's keys.
//
// In a program without data races everything about plain accesses follows from the rest, so an execution is told by its
// atomic events alone. An atomic read that reads from a plain write reads, natively, the value that the location has
// when its first atomic event comes: the initial one.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "native_fuzz.h"

namespace heddle::oracle {

namespace {

// Reads a key from left to right.
class KeyReader {
 public:
  explicit KeyReader(const std::string& text, std::size_t at = 0) : text_(text), at_(at) {}

  bool atEnd() const { return at_ == text_.size(); }
  char next() const { return atEnd() ? '\0' : text_[at_]; }
  char take() { return text_[at_++]; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  std::string until(char stop) {
    const std::size_t end = std::min(text_.find(stop, at_), text_.size());
    const std::string part = text_.substr(at_, end - at_);
    at_ = end;
    return part;
  }

 private:
  const std::string& text_;
  std::size_t at_;
};

// The number that an event of a thread has among those that stay; 0: it does not stay.
using Numbers = std::map<std::uint64_t, std::vector<unsigned>>;

bool isAccess(char kind) { return kind == 'R' || kind == 'W' || kind == 'U'; }

// "t.n" as it is among the events that stay; empty if it does not stay.
std::string renamed(KeyReader& reader, const Numbers& numbers) {
  const std::uint64_t thread = reader.number();
  reader.take();
  const unsigned number = numbers.at(thread).at(reader.number() - 1);
  return number == 0 ? "" : std::to_string(thread) + "." + std::to_string(number);
}

std::string renamedEvent(const std::string& event, const Numbers& numbers) {
  const std::size_t source = event.find('<');
  if (source == std::string::npos || event[source + 1] == 'i') return event;
  const std::string reference = event.substr(source + 1);
  KeyReader reader(reference);
  const std::string name = renamed(reader, numbers);
  return event.substr(0, source + 1) + (name.empty() ? "i" : name);
}

std::string renamedOrders(KeyReader& reader, const Numbers& numbers) {
  std::string result;
  while (!reader.atEnd()) {
    const std::string address = reader.until(':');
    std::string order;
    do {
      reader.take();
      const std::string name = renamed(reader, numbers);
      if (!name.empty()) order += (order.empty() ? "" : ",") + name;
    } while (reader.next() == ',');
    reader.take();
    if (!order.empty()) result += address + ":" + order + ";";
  }
  return result;
}

}  // namespace

std::string withoutPlainEvents(const std::string& key, const std::vector<std::set<Address>>& plain) {
  std::size_t begin = 0;
  for (const std::string state : {"failed:", "stuck:"}) {
    if (key.compare(begin, state.size(), state) == 0) begin += state.size();
  }
  KeyReader reader(key, begin);
  std::map<std::uint64_t, std::vector<std::string>> threads;
  Numbers numbers;
  while (!reader.atEnd() && reader.next() != '|') {
    const std::uint64_t thread = reader.number();
    reader.take();
    std::istringstream events(reader.until(']'));
    reader.take();
    unsigned stay = 0;
    for (std::string event; events >> event;) {
      const bool dropped = isAccess(event[0]) && plain.at(thread).contains(std::stoull(event.substr(1)));
      numbers[thread].push_back(dropped ? 0 : ++stay);
      if (!dropped) threads[thread].push_back(event);
    }
  }
  std::string result = key.substr(0, begin);
  for (const auto& [thread, events] : threads) {
    std::string text;
    for (const std::string& event : events) text += (text.empty() ? "" : " ") + renamedEvent(event, numbers);
    result += std::to_string(thread) + "[" + text + "]";
  }
  if (reader.atEnd()) return result;
  reader.take();
  return result + "|" + renamedOrders(reader, numbers);
}

}  // namespace heddle::oracle
