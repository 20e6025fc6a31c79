#include "trace/formats/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "trace/formats/describe.h"
#include "trace/formats/why.h"
#include "trace/words.h"

namespace heddle::trace {

using util::displayWidth;
using util::Page;
using util::printable;
using util::Style;
using util::wrapped;

namespace {

constexpr std::size_t kLeastColumn = 22;  // narrower columns are not readable
constexpr std::size_t kMostPlace = 20;    // where there is no room for more
constexpr std::size_t kGap = 2;
constexpr std::size_t kMostLines = 2;  // of a row in columns; one more if it is odd
constexpr char kNoBreak = '\x1f';      // a blank at which no line ends; printable() lets no such byte in from outside

struct Row {
  enum class Kind { event, involved, error, heading };
  Kind kind = Kind::event;
  std::string number, place;
  ThreadId thread = 0;
  std::string text;
  std::size_t mostLines = kMostLines;
  std::string shape = {};  // of an event: the text without its values; empty if it must not be folded with others of this shape
};

// "queue.cpp:31", without folders.
std::string shortPlace(const Place& place) {
  if (place.file.empty()) return "";
  const std::string name = printable(place.file.substr(place.file.find_last_of('/') + 1));
  return place.line == 0 ? name : fmt::format("{}:{}", name, place.line);
}

// The same with a long name cut: the place of the error itself is printed in full elsewhere.
std::string cutPlace(const std::string& place) {
  const std::size_t colon = std::min(place.rfind(':'), place.size());
  const std::size_t number = place.size() - colon;
  if (place.size() <= kMostPlace || number + 2 > kMostPlace) return place;
  return place.substr(0, kMostPlace - number - 2) + ".." + place.substr(colon);
}

// "thread 1", "threads 1, 3-5"; or, where threads have names of their own, "P1, P2".
std::string threadList(const Execution& execution, const std::vector<ThreadId>& threads) {
  const std::string first = threadName(execution, threads[0]);
  if (first != "main" && !first.starts_with("thread ")) {
    std::string names = first;
    for (std::size_t i = 1; i < threads.size(); ++i) names += ", " + threadName(execution, threads[i]);
    return names;
  }
  std::string text = threads.size() == 1 ? "thread " : "threads ";
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    if (i > 0) text += ", ";
    text += last == i ? fmt::format("{}", threads[i])
                      : fmt::format("{}{}{}", threads[i], last == i + 1 ? ", " : "-", threads[last]);
    i = last + 1;
  }
  return text;
}

// "although 4 stored 1"
std::string oddityText(const Execution& execution, const Event& event) {
  if (event.oddity == Oddity::none) return "";
  const Event& by = execution.events[event.oddBy - 1];
  switch (event.oddity) {
    case Oddity::none: break;
    case Oddity::stale:
      return fmt::format(", although {}{}{}{}{}", event.oddBy, kNoBreak, by.value.empty() ? "came" : "stored", kNoBreak,
                         by.value.empty() ? "before" : printable(by.value));
    case Oddity::early: return ", which is below";
    case Oddity::overtaken: return fmt::format("  overwritten by {} already", event.oddBy);
  }
  return "";
}

std::string fromText(const Event& event) {
  if (!event.reads) return "";
  if (!event.fromParts.empty()) {
    std::string text;
    for (const Event::Part& part : event.fromParts) {
      text += fmt::format(
          "{} {} {}", text.empty() ? " " : ",", printable(part.bytes),
          part.number == 0 ? fmt::format("initial{}value", kNoBreak) : fmt::format("from{}{}", kNoBreak, part.number));
    }
    return text;
  }
  if (event.from != 0) return fmt::format("  from{}{}", kNoBreak, event.from);
  // That a lock was free at first goes without saying.
  return event.value.empty() && event.oldValue.empty() ? "" : fmt::format("  initial{}value", kNoBreak);
}

// What has part in the error but is no event, like the other access of most races. It is shown as late as its thread
// allows: before the next event, before the thread is joined, or at the end.
class RelatedRows {
 public:
  explicit RelatedRows(const Execution& execution) {
    if (!execution.error) return;
    for (const Error::Related& related : execution.error->related) {
      if (related.index != 0) waiting_.push_back(&related);
    }
  }

  void addBefore(const Event& event, std::vector<Row>& rows) {
    addIf(
        [&](const Error::Related& r) {
          return (r.site.thread == event.thread && r.index <= event.index) ||
                 (event.kind == Kind::join && r.site.thread == event.partner);
        },
        rows);
  }
  void addRest(std::vector<Row>& rows) {
    addIf([](const Error::Related&) { return true; }, rows);
  }

 private:
  template <class Condition>
  void addIf(Condition condition, std::vector<Row>& rows) {
    std::erase_if(waiting_, [&](const Error::Related* related) {
      if (!condition(*related)) return false;
      rows.push_back(
          {Row::Kind::involved, "!", shortPlace(related->site.best()), related->site.thread, printable(related->what)});
      return true;
    });
  }

  std::vector<const Error::Related*> waiting_;
};

// Rounds of a loop: the same few rows of a thread again and again, or rows that differ only in their values. The first round stays, and one
// row for the others; where values differ it also shows the last row.
class Rounds {
 public:
  explicit Rounds(std::vector<Row>& rows) : rows_(rows) {}

  void fold() {
    for (std::size_t begin = 0; begin < rows_.size(); ++begin) {
      for (std::size_t length = 1; length <= kLongest && begin + length <= rows_.size(); ++length) {
        if (!isOneThread(begin, length)) break;
        if (foldAt(begin, length, false) || foldAt(begin, length, true)) {
          begin += length;
          break;
        }
      }
    }
  }

 private:
  static constexpr std::size_t kLongest = 4;                    // rows of a round
  static constexpr std::size_t kLeast = 3, kLeastChanging = 4;  // rounds

  bool isOneThread(std::size_t begin, std::size_t length) const {
    return std::all_of(rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                       rows_.begin() + static_cast<std::ptrdiff_t>(begin + length),
                       [&](const Row& row) { return row.thread == rows_[begin].thread; });
  }

  bool isSame(const Row& a, const Row& b, bool changing) const {
    if (a.thread != b.thread || a.place != b.place || a.kind != Row::Kind::event || b.kind != Row::Kind::event) return false;
    return changing ? !a.shape.empty() && a.shape == b.shape : a.text == b.text;
  }

  bool foldAt(std::size_t begin, std::size_t length, bool changing) {
    std::size_t end = begin + length;
    while (end < rows_.size() && isSame(rows_[end], rows_[end - length], changing)) ++end;
    const std::size_t rounds = (end - begin) / length;
    if (rounds < (changing ? kLeastChanging : kLeast)) return false;
    const std::size_t first = begin + length, last = begin + rounds * length - 1;
    rows_[first].number += '-' + rows_[last].number;
    rows_[first].place.clear();
    rows_[first].shape.clear();
    rows_[first].text = fmt::format("{} {} more times{}", length == 1 ? "the same" : "the same again,", rounds - 1,
                                    changing ? fmt::format(" with other values, at last {}", rows_[last].text) : "");
    rows_[first].mostLines = kMostLines + 1;
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(first + 1), rows_.begin() + static_cast<std::ptrdiff_t>(last + 1));
    return true;
  }

  std::vector<Row>& rows_;
};

// Events that are spoken of: by who reads from them in another thread, as what makes another one odd, in the cycle.
std::set<unsigned> mentioned(const Execution& execution) {
  std::set<unsigned> numbers;
  for (const Event& event : execution.events) {
    if (event.oddBy != 0) numbers.insert(event.oddBy);
    const bool isKnown = event.from != 0 && event.from <= execution.events.size();
    if (isKnown && execution.events[event.from - 1].thread != event.thread) numbers.insert(event.from);
    for (const Event::Part& part : event.fromParts) numbers.insert(part.number);
  }
  if (execution.why) {
    for (const Why::CycleStep& step : execution.why->cycle) numbers.insert(step.event);
  }
  return numbers;
}

// Rows in the order of the events. Spawns that follow one another are one row, and so are joins.
std::vector<Row> rowsOf(const Execution& execution) {
  std::vector<const Event*> shown;
  for (const Event& event : execution.events) {
    if (event.relevant) shown.push_back(&event);
  }
  std::vector<Row> rows;
  RelatedRows related(execution);
  const std::set<unsigned> spokenOf = mentioned(execution);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Event& event = *shown[i];
    related.addBefore(event, rows);
    Row row{event.involved || event.oddity != Oddity::none ? Row::Kind::involved : Row::Kind::event,
            fmt::format("{}", event.number),
            shortPlace(event.place),
            event.thread,
            actionText(event) + fromText(event) + oddityText(execution, event),
            event.oddity == Oddity::none ? kMostLines : kMostLines + 1};
    if (event.success && !spokenOf.contains(event.number)) {
      row.shape = fmt::format("{} {} {}", wordOf(event.kind), event.location, event.order);
    }
    if (isThreadEvent(event)) {
      row.shape.clear();
      std::vector<ThreadId> partners = {event.partner};
      while (i + 1 < shown.size() && shown[i + 1]->kind == event.kind && shown[i + 1]->thread == event.thread) {
        related.addBefore(*shown[++i], rows);
        partners.push_back(shown[i]->partner);
      }
      if (partners.size() > 1) row.number += fmt::format("-{}", shown[i]->number);
      row.text = fmt::format("{} {}", wordOf(event.kind), threadList(execution, partners));
    }
    rows.push_back(std::move(row));
  }
  Rounds(rows).fold();
  if (execution.error && !rows.empty()) {
    related.addRest(rows);
    const Site& site = execution.error->site;
    rows.push_back({Row::Kind::error, "!", shortPlace(site.best()), site.thread, execution.error->title});
  }
  return rows;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = displayWidth(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string painted(const std::string& line, Row::Kind kind, const Style& style) {
  switch (kind) {
    case Row::Kind::event: return line;
    case Row::Kind::involved: return style.warning(line);
    case Row::Kind::error: return style.bad(line);
    case Row::Kind::heading: return style.strong(line);
  }
  return line;
}

class Layout {
 public:
  Layout(const Execution& execution, const Page& page) : execution_(execution), style_(page.style), rows_(rowsOf(execution)) {
    for (const Row& row : rows_) {
      numbers_ = std::max(numbers_, row.number.size());
      if (std::find(threads_.begin(), threads_.end(), row.thread) == threads_.end()) threads_.push_back(row.thread);
    }
    std::sort(threads_.begin(), threads_.end());
    makeRoom(page.width);
  }

  // Names of files are cut only if there are columns then.
  std::string text(std::size_t width) {
    if (rows_.empty()) return "";
    if (chooseColumns()) return columns();
    const std::vector<Row> whole = rows_;
    for (Row& row : rows_) row.place = cutPlace(row.place);
    makeRoom(width);
    if (chooseColumns()) return columns();
    rows_ = whole;
    makeRoom(width);
    return list();
  }

 private:
  void makeRoom(std::size_t width) {
    places_ = 0;
    for (const Row& row : rows_) places_ = std::max(places_, displayWidth(row.place));
    const std::size_t used = displayWidth(margin("", ""));
    room_ = width > used ? width - used : 0;
  }

  std::size_t columnOf(ThreadId thread) const {
    return static_cast<std::size_t>(std::find(threads_.begin(), threads_.end(), thread) - threads_.begin());
  }

  // Gives each column what it would like to have, or, if that is too much for the page, cuts the widest ones down to
  // the same size. False if they become too narrow.
  bool chooseColumns() {
    widths_.clear();
    for (const ThreadId thread : threads_) {
      std::size_t wanted = displayWidth(threadName(execution_, thread));
      for (const Row& row : rows_) {
        if (row.thread == thread) wanted = std::max(wanted, displayWidth(row.text));
      }
      widths_.push_back(wanted);
    }
    const auto total = [&](std::size_t most) {
      std::size_t sum = 0;
      for (const std::size_t width : widths_) sum += kGap + std::min(width, most);
      return sum;
    };
    std::size_t most = *std::max_element(widths_.begin(), widths_.end());
    while (most > kLeastColumn && total(most) > room_) --most;
    if (total(most) > room_) return false;
    for (std::size_t& width : widths_) width = std::min(width, most);
    return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
      return wrapped(row.text, widths_[columnOf(row.thread)]).size() <= row.mostLines;
    });
  }

  std::string margin(const std::string& number, const std::string& place) const {
    const std::string left = fmt::format("{:>{}}", number, kGap + numbers_);
    return places_ == 0 ? left : left + std::string(kGap, ' ') + padded(place, places_);
  }

  void add(std::string& page, std::string line, Row::Kind kind) const {
    line.erase(line.find_last_not_of(' ') + 1);
    std::replace(line.begin(), line.end(), kNoBreak, ' ');
    page += painted(line, kind, style_) + '\n';
  }

  std::string columns() const {
    std::string page;
    std::vector<std::vector<std::string>> headings;
    std::size_t height = 0;
    for (std::size_t c = 0; c < threads_.size(); ++c) {
      headings.push_back(wrapped(threadName(execution_, threads_[c]), widths_[c]));
      height = std::max(height, headings[c].size());
    }
    for (std::size_t h = 0; h < height; ++h) {
      std::string line = margin("", "");
      for (std::size_t c = 0; c < threads_.size(); ++c) {
        line += std::string(kGap, ' ') + padded(h < headings[c].size() ? headings[c][h] : "", widths_[c]);
      }
      add(page, line, Row::Kind::heading);
    }
    for (const Row& row : rows_) {
      const std::size_t column = columnOf(row.thread);
      std::size_t indent = 0;
      for (std::size_t c = 0; c < column; ++c) indent += kGap + widths_[c];
      addWrapped(page, row, margin(row.number, row.place) + std::string(indent + kGap, ' '), widths_[column]);
    }
    return page;
  }

  std::string list() const {
    std::string page;
    std::size_t names = 0;
    for (const ThreadId thread : threads_) names = std::max(names, displayWidth(threadName(execution_, thread)));
    const std::size_t taken = kGap + names + kGap;
    const std::size_t width = std::max(room_, taken + kLeastColumn) - taken;
    for (const Row& row : rows_) {
      addWrapped(page, row,
                 margin(row.number, row.place) + std::string(kGap, ' ') + padded(threadName(execution_, row.thread), names) +
                     std::string(kGap, ' '),
                 width);
    }
    return page;
  }

  void addWrapped(std::string& page, const Row& row, const std::string& before, std::size_t width) const {
    const std::vector<std::string> lines = wrapped(row.text, width);
    add(page, before + lines[0], row.kind);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      add(page, std::string(displayWidth(before), ' ') + lines[i], row.kind);
    }
  }

  const Execution& execution_;
  const Style& style_;
  std::vector<Row> rows_;
  std::vector<ThreadId> threads_;
  std::vector<std::size_t> widths_;
  std::size_t numbers_ = 0, places_ = 0, room_ = 0;
};

// What is told after the events, each in a line that goes on below if it is too long.
std::string below(const Execution& execution, std::size_t width) {
  std::string page;
  const auto add = [&](const std::string& text) {
    for (const std::string& line : wrapped(text, width - std::min(width, kGap))) page += std::string(kGap, ' ') + line + '\n';
  };
  for (const Coherence& order : execution.coherence) {
    if (order.writes.size() < 2) continue;
    add(fmt::format("Coherence of {}: initial, {}", printable(order.location), fmt::join(order.writes, ", ")));
  }
  for (const Relation& relation : execution.relations) {
    if (relation.pairs.empty()) continue;
    std::string pairs;
    for (const auto& [first, second] : relation.pairs) {
      pairs += fmt::format("{}{} -> {}", pairs.empty() ? "" : ", ", first, second);
    }
    add(fmt::format("{}: {}", printable(relation.name), pairs));
  }
  return page;
}

}  // namespace

std::string text(const Execution& execution, const Page& page) {
  return Layout(execution, page).text(page.width) + below(execution, page.width) + whyText(execution, page);
}

}  // namespace heddle::trace
