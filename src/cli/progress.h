// One line on a terminal that says how far a long run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace heddle::cli {

class Progress {
 public:
  explicit Progress(bool on) : on_(on) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool on() const { return on_; }
  // Rewrites the line, if the last time is long enough ago.
  void show(const std::string& line);
  void show(std::size_t done, std::size_t all, const std::string& test, std::uint64_t executions);
  // Takes the line away, so that something else can be printed.
  void clear();

 private:
  bool on_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace heddle::cli
