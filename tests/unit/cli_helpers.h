// Runs the program as a person would, and looks at what it prints and how it ends.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "util/child_process.h"
#include "util/read_file.h"

namespace heddle::cli {

using util::ChildProcess;
using util::Finished;

inline std::string contentOf(const std::string& path) { return util::readFile(path).value_or(""); }

// A directory of its own for each test, and the program run from the source tree.
class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "heddle-cli-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = dir_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  // `interrupt`: as soon as the program has said something on standard error, which means that it is running a test
  // if it is told to show its progress. `interruptAfter`: after so many seconds, if that is not 0.
  Finished heddle(const std::vector<std::string>& arguments, bool interrupt = false, double interruptAfter = 0) const {
    std::vector<std::string> command = {HEDDLE_EXECUTABLE};
    command.insert(command.end(), arguments.begin(), arguments.end());
    ChildProcess child(command);
    if (interruptAfter > 0) {
      usleep(static_cast<useconds_t>(interruptAfter * 1e6));
      kill(child.id(), SIGINT);
    }
    if (interrupt) {
      constexpr int kMostWaits = 6000;
      for (int i = 0; i < kMostWaits && !child.hasComplained(); ++i) usleep(10'000);
      kill(child.id(), SIGINT);
    }
    return child.wait();
  }

  std::string dir_;
};

inline void expectPart(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "looking for: " << part << "\nin:\n" << text;
}

inline std::string storeBuffering(const std::string& condition, const std::string& order = "relaxed") {
  return "C SB\n{ x=0; y=0; }\n"
         "P0(atomic_int* x, atomic_int* y) {\n"
         "  atomic_store_explicit(x, 1, memory_order_" +
         order +
         ");\n"
         "  int r0 = atomic_load_explicit(y, memory_order_" +
         order +
         ");\n}\n"
         "P1(atomic_int* x, atomic_int* y) {\n"
         "  atomic_store_explicit(y, 1, memory_order_" +
         order +
         ");\n"
         "  int r0 = atomic_load_explicit(x, memory_order_" +
         order + ");\n}\n" + condition + "\n";
}

// More executions than anyone can wait for.
inline std::string endless() {
  std::string text = "C endless\n{ x=0; }\n";
  for (int thread = 0; thread < 6; ++thread) {
    text += "P" + std::to_string(thread) + "(atomic_int* x) {\n";
    for (int i = 0; i < 4; ++i) text += "  atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n";
    text += "}\n";
  }
  return text + "exists (x=1)\n";
}

}  // namespace heddle::cli
