// Source text of a litmus test, and errors that point into it.
//
// Every part of the front end reports trouble in the same way: a byte offset into the file, a message, and,
// where there is something sensible to try, a hint. The line and column are worked out only when an error is
// built, so nothing is paid for them while parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle::litmus {

struct SourceFile {
  std::string name;  // as the user gave it; for messages only
  std::string text;

  [[noreturn]] void fail(std::size_t offset, const std::string& message, const std::string& hint = {}) const;
};

// Anything wrong with a litmus test. what() is "file:line:column: error: message", the source line, a caret
// below the place, and perhaps a hint.
class LitmusError : public std::runtime_error {
 public:
  LitmusError(const SourceFile& file, std::size_t offset, const std::string& message, const std::string& hint = {});

  // For an error that has no place in a file, such as a file that cannot be read.
  LitmusError(const std::string& file, const std::string& message);

  unsigned line() const { return line_; }
  unsigned column() const { return column_; }

 private:
  struct Place {
    unsigned line, column;
    std::size_t lineStart, lineEnd;
  };
  static Place locate(const SourceFile& file, std::size_t offset);
  static std::string describe(const SourceFile& file, std::size_t offset, const std::string& message, const std::string& hint);

  unsigned line_ = 0;
  unsigned column_ = 0;
};

}  // namespace heddle::litmus
