// Dates: broken-down time, and text of it, as logs have it. The only time zone is UTC, and the only locale "C". Functions with a
// result of their own have one for all threads, so two threads that call them at the same time race.

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

namespace {

constexpr long kDay = 86'400;
constexpr const char* kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};

bool isLeap(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

long daysIn(long year, int month) {
  constexpr int kLengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kLengths[month] + (month == 1 && isLeap(year) ? 1 : 0);
}

// How many leap years there are before a year, counted from year 0.
long leapsBefore(long year) {
  const auto floorOf = [](long a, long b) { return a / b - (a % b < 0 ? 1 : 0); };
  return floorOf(year - 1, 4) - floorOf(year - 1, 100) + floorOf(year - 1, 400);
}

// Since 1970.
long daysBefore(long year) { return (year - 1970) * 365 + leapsBefore(year) - leapsBefore(1970); }

tm broken(time_t time) {
  long day = time / kDay, second = time % kDay;
  if (second < 0) {
    second += kDay;
    --day;
  }
  long year = 1970 + day / 366;
  while (daysBefore(year + 1) <= day) ++year;
  while (daysBefore(year) > day) --year;
  tm result{};
  result.tm_wday = static_cast<int>(((day + 4) % 7 + 7) % 7);  // the first day was a Thursday
  result.tm_year = static_cast<int>(year - 1900);
  long left = day - daysBefore(year);
  result.tm_yday = static_cast<int>(left);
  while (left >= daysIn(year, result.tm_mon)) left -= daysIn(year, result.tm_mon++);
  result.tm_mday = static_cast<int>(left + 1);
  result.tm_hour = static_cast<int>(second / 3600);
  result.tm_min = static_cast<int>(second / 60 % 60);
  result.tm_sec = static_cast<int>(second % 60);
  result.tm_zone = "UTC";
  return result;
}

time_t together(tm* date) {
  long year = 1900 + date->tm_year + date->tm_mon / 12;
  int month = date->tm_mon % 12;
  if (month < 0) {
    month += 12;
    --year;
  }
  long day = daysBefore(year) + date->tm_mday - 1;
  for (int i = 0; i < month; ++i) day += daysIn(year, i);
  const time_t time = day * kDay + date->tm_hour * 3600L + date->tm_min * 60L + date->tm_sec;
  *date = broken(time);
  return time;
}

class Text {
 public:
  Text(char* to, size_t size) : to_(to), size_(size) {}

  void add(const char* text) {
    for (; *text; ++text) add(*text);
  }
  void add(char c) {
    if (length_ < size_) to_[length_] = c;
    ++length_;
  }
  void number(const char* format, long value) {
    char digits[32];
    snprintf(digits, sizeof digits, format, value);
    add(digits);
  }
  void beginningOf(const char* name) {
    for (size_t i = 0; i < 3; ++i) add(name[i]);
  }

  // 0 if it was too long.
  size_t end() {
    if (length_ >= size_) return 0;
    to_[length_] = 0;
    return length_;
  }

 private:
  char* to_;
  size_t size_, length_ = 0;
};

void write(Text& text, const char* format, const tm& date);

// One conversion. False: there is no such thing.
bool convert(Text& text, char what, const tm& date) {
  const long year = 1900L + date.tm_year;
  const int hour = date.tm_hour % 12 == 0 ? 12 : date.tm_hour % 12;
  switch (what) {
    case 'a': text.beginningOf(kDays[date.tm_wday]); break;
    case 'A': text.add(kDays[date.tm_wday]); break;
    case 'b':
    case 'h': text.beginningOf(kMonths[date.tm_mon]); break;
    case 'B': text.add(kMonths[date.tm_mon]); break;
    case 'c': write(text, "%a %b %e %H:%M:%S %Y", date); break;
    case 'C': text.number("%02ld", year / 100); break;
    case 'd': text.number("%02ld", date.tm_mday); break;
    case 'x':
    case 'D': write(text, "%m/%d/%y", date); break;
    case 'e': text.number("%2ld", date.tm_mday); break;
    case 'F': write(text, "%Y-%m-%d", date); break;
    case 'H': text.number("%02ld", date.tm_hour); break;
    case 'I': text.number("%02ld", hour); break;
    case 'j': text.number("%03ld", date.tm_yday + 1); break;
    case 'm': text.number("%02ld", date.tm_mon + 1); break;
    case 'M': text.number("%02ld", date.tm_min); break;
    case 'n': text.add('\n'); break;
    case 'p': text.add(date.tm_hour < 12 ? "AM" : "PM"); break;
    case 'r': write(text, "%I:%M:%S %p", date); break;
    case 'R': write(text, "%H:%M", date); break;
    case 's': {
      tm copy = date;
      text.number("%ld", together(&copy));
      break;
    }
    case 'S': text.number("%02ld", date.tm_sec); break;
    case 't': text.add('\t'); break;
    case 'X':
    case 'T': write(text, "%H:%M:%S", date); break;
    case 'u': text.number("%ld", date.tm_wday == 0 ? 7 : date.tm_wday); break;
    case 'w': text.number("%ld", date.tm_wday); break;
    case 'y': text.number("%02ld", year % 100); break;
    case 'Y': text.number("%ld", year); break;
    case 'z': text.add("+0000"); break;
    case 'Z': text.add("UTC"); break;
    case '%': text.add('%'); break;
    default: return false;
  }
  return true;
}

void write(Text& text, const char* format, const tm& date) {
  for (; *format; ++format) {
    if (*format != '%' || !format[1]) {
      text.add(*format);
      continue;
    }
    ++format;
    if (convert(text, *format, date)) continue;
    text.add('%');
    text.add(*format);
  }
}

tm ownDate;
char ownText[32];

}  // namespace

extern "C" {

tm* gmtime_r(const time_t* time, tm* result) {
  *result = broken(*time);
  return result;
}
tm* localtime_r(const time_t* time, tm* result) { return gmtime_r(time, result); }
tm* gmtime(const time_t* time) { return gmtime_r(time, &ownDate); }
tm* localtime(const time_t* time) { return gmtime_r(time, &ownDate); }
void tzset(void) {}

time_t timegm(tm* date) { return together(date); }
time_t mktime(tm* date) { return together(date); }
double difftime(time_t end, time_t begin) { return static_cast<double>(end - begin); }

size_t strftime(char* to, size_t size, const char* format, const tm* date) {
  Text text(to, size);
  write(text, format, *date);
  return text.end();
}

char* asctime_r(const tm* date, char* to) {
  strftime(to, sizeof ownText, "%a %b %e %H:%M:%S %Y\n", date);
  return to;
}
char* asctime(const tm* date) { return asctime_r(date, ownText); }
char* ctime_r(const time_t* time, char* to) {
  const tm date = broken(*time);
  return asctime_r(&date, to);
}
char* ctime(const time_t* time) { return ctime_r(time, ownText); }

}  // extern "C"
