#include "report/check_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/check_report.h"

namespace heddle::report {

using native::CheckResult;
using native::TraceEvent;

namespace {

constexpr std::size_t kLeastColumn = 22;  // narrower columns are not readable
constexpr std::size_t kMostPlace = 20;
constexpr std::size_t kGap = 2;
constexpr std::size_t kMostLines = 2;  // of a row in columns
constexpr char kNoBreak = '\x1f';      // a blank at which no line ends; printable() lets no such byte in from outside

struct Row {
  enum class Kind { event, involved, error, heading };
  Kind kind = Kind::event;
  std::string number, place;
  ThreadId thread = 0;
  std::string text;
};

// "queue.cpp:31", without folders, and a long name cut: the place of the error itself is printed in full elsewhere.
std::string shortPlace(const std::string& file, unsigned line) {
  if (file.empty()) return "";
  std::string name = printable(file.substr(file.find_last_of('/') + 1));
  const std::string number = line == 0 ? "" : fmt::format(":{}", line);
  if (name.size() + number.size() > kMostPlace) name = name.substr(0, kMostPlace - number.size() - 2) + "..";
  return name + number;
}

std::string shortPlace(const native::Caller& caller) {
  return shortPlace(caller.file, caller.line);
}

// "thread 1", "threads 1, 3-5"
std::string threadList(const std::vector<ThreadId>& threads) {
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

std::string fromText(const TraceEvent& event) {
  if (!event.reads) return "";
  if (!event.fromParts.empty()) {
    std::string text;
    for (const TraceEvent::Part& part : event.fromParts) {
      text += fmt::format("{} {} {}", text.empty() ? " " : ",", printable(part.bytes),
                          part.number == 0 ? fmt::format("initial{}value", kNoBreak)
                                           : fmt::format("from{}{}", kNoBreak, part.number));
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
  explicit RelatedRows(const CheckResult& result) {
    for (const CheckResult::Related& related : result.related) {
      if (related.index != 0) waiting_.push_back(&related);
    }
  }

  void addBefore(const TraceEvent& event, std::vector<Row>& rows) {
    addIf(
        [&](const CheckResult::Related& r) {
          return (r.thread == event.thread && r.index <= event.index) ||
                 (event.kind == "join" && r.thread == event.partner);
        },
        rows);
  }
  void addRest(std::vector<Row>& rows) {
    addIf([](const CheckResult::Related&) { return true; }, rows);
  }

 private:
  template <class Condition>
  void addIf(Condition condition, std::vector<Row>& rows) {
    std::erase_if(waiting_, [&](const CheckResult::Related* related) {
      if (!condition(*related)) return false;
      rows.push_back({Row::Kind::involved, "!",
                      related->thin ? shortPlace(related->callers.back()) : shortPlace(related->file, related->line),
                      related->thread, printable(related->what)});
      return true;
    });
  }

  std::vector<const CheckResult::Related*> waiting_;
};

// Rows in the order of the events. Spawns that follow one another are one row, and so are joins.
std::vector<Row> rowsOf(const CheckResult& result) {
  std::vector<const TraceEvent*> shown;
  for (const TraceEvent& event : result.trace) {
    if (event.relevant) shown.push_back(&event);
  }
  std::vector<Row> rows;
  RelatedRows related(result);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const TraceEvent& event = *shown[i];
    related.addBefore(event, rows);
    Row row{event.involved ? Row::Kind::involved : Row::Kind::event, fmt::format("{}", event.number),
            shortPlace(event.file, event.line), event.thread, actionText(event) + fromText(event)};
    if (isThreadEvent(event)) {
      std::vector<ThreadId> partners = {event.partner};
      while (i + 1 < shown.size() && shown[i + 1]->kind == event.kind && shown[i + 1]->thread == event.thread) {
        related.addBefore(*shown[++i], rows);
        partners.push_back(shown[i]->partner);
      }
      if (partners.size() > 1) row.number += fmt::format("-{}", shown[i]->number);
      row.text = event.kind + ' ' + threadList(partners);
    }
    rows.push_back(std::move(row));
  }
  if (result.hasError && !rows.empty()) {
    related.addRest(rows);
    rows.push_back({Row::Kind::error, "!",
                    result.errorThin ? shortPlace(result.errorCallers.back())
                                     : shortPlace(result.errorFile, result.errorLine),
                    result.error.thread, native::title(result.error.kind)});
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
  Layout(const CheckResult& result, const Style& style, std::size_t width)
      : result_(result), style_(style), rows_(rowsOf(result)) {
    for (const Row& row : rows_) {
      numbers_ = std::max(numbers_, row.number.size());
      places_ = std::max(places_, displayWidth(row.place));
      if (std::find(threads_.begin(), threads_.end(), row.thread) == threads_.end()) threads_.push_back(row.thread);
    }
    std::sort(threads_.begin(), threads_.end());
    const std::size_t used = kGap + numbers_ + kGap + places_;
    room_ = width > used ? width - used : 0;
  }

  std::string text() {
    if (rows_.empty()) return "";
    return chooseColumns() ? columns() : list();
  }

 private:
  std::size_t columnOf(ThreadId thread) const {
    return static_cast<std::size_t>(std::find(threads_.begin(), threads_.end(), thread) - threads_.begin());
  }

  // Gives each column what it would like to have, or, if that is too much for the page, cuts the widest ones down to
  // the same size. False if they become too narrow.
  bool chooseColumns() {
    widths_.clear();
    for (const ThreadId thread : threads_) {
      std::size_t wanted = displayWidth(threadName(result_, thread));
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
      return wrapped(row.text, widths_[columnOf(row.thread)]).size() <= kMostLines;
    });
  }

  std::string margin(const std::string& number, const std::string& place) const {
    return fmt::format("{:>{}}", number, kGap + numbers_) + std::string(kGap, ' ') + padded(place, places_);
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
      headings.push_back(wrapped(threadName(result_, threads_[c]), widths_[c]));
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
    for (const ThreadId thread : threads_) names = std::max(names, displayWidth(threadName(result_, thread)));
    const std::size_t taken = kGap + names + kGap;
    const std::size_t width = std::max(room_, taken + kLeastColumn) - taken;
    for (const Row& row : rows_) {
      addWrapped(page, row,
                 margin(row.number, row.place) + std::string(kGap, ' ') +
                     padded(threadName(result_, row.thread), names) + std::string(kGap, ' '),
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

  const CheckResult& result_;
  const Style& style_;
  std::vector<Row> rows_;
  std::vector<ThreadId> threads_;
  std::vector<std::size_t> widths_;
  std::size_t numbers_ = 0, places_ = 0, room_ = 0;
};

}  // namespace

std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  const std::string kHanging = "  ";
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    // Blanks belong to the word after them: they are dropped where a line begins.
    const std::size_t word = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t end = std::min(text.find(' ', word), text.size());
    const std::string next = text.substr(at, end - at);
    const bool empty = line.find_first_not_of(' ') == std::string::npos;
    if (!empty && displayWidth(line) + displayWidth(next) > width) {
      lines.push_back(line);
      line = kHanging + text.substr(word, end - word);
    } else {
      line += next;
    }
    at = end;
  }
  lines.push_back(line);
  return lines;
}

std::string traceText(const CheckResult& result, const Style& style, std::size_t width) {
  return Layout(result, style, width).text();
}

}  // namespace heddle::report
