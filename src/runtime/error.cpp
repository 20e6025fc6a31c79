#include "runtime/error.h"

#include <fmt/format.h>

namespace heddle::runtime {

namespace {

struct Row {
  ErrorKind kind;
  const char* name;
  const char* title;
};

#define HEDDLE_ROW(kind, name, title) {ErrorKind::kind, name, title},
constexpr Row kRows[] = {HEDDLE_ERROR_KINDS(HEDDLE_ROW)};
#undef HEDDLE_ROW

}  // namespace

const char* name(ErrorKind kind) { return kRows[static_cast<std::size_t>(kind)].name; }

const char* title(ErrorKind kind) { return kRows[static_cast<std::size_t>(kind)].title; }

std::vector<ErrorKind> errorKinds() {
  std::vector<ErrorKind> kinds;
  for (const Row& row : kRows) kinds.push_back(row.kind);
  return kinds;
}

std::string threadName(ThreadId thread) { return thread == 0 ? "main" : fmt::format("thread {}", thread); }

}  // namespace heddle::runtime
