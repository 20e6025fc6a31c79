//! rc20: verified executions=1
//! rc20: error=unsupported line=@file text="add --persistency ext4" flags="-- -DFILE_STREAM"
//! rc20: error=unsupported line=@exists text="is not modelled" flags="-- -DFILE_SYSTEM"
//! rc20: error=unsupported line=@locale text="is not modelled" flags="-- -DLOCALE"
// Streams of files, the file system and locales in code that no execution comes to.
#include <atomic>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <locale>
#include <string>
#include <thread>

static std::atomic<int> problems;
static bool wanted;

static void writeReport(const std::string& name) {
  std::ofstream report(name);  // @file
  report << problems.load() << '\n';
}

static bool isThere(const std::string& name) {
  return std::filesystem::exists(name);  // @exists
}

static std::string translated(const std::string& text) {
  const auto& messages = std::use_facet<std::messages<char>>(std::locale());  // @locale
  return messages.get(0, 0, 0, text);
}

int main() {
  std::thread other([] { problems.store(0); });
  other.join();
#ifdef FILE_STREAM
  wanted = true;
  if (wanted) writeReport("report");
#endif
#ifdef FILE_SYSTEM
  wanted = true;
  if (wanted) assert(isThere("report"));
#endif
#ifdef LOCALE
  wanted = true;
  if (wanted) assert(translated("a") == "a");
#endif
  if (problems != 0) {
    if (!isThere("report")) writeReport(translated("report"));
    try {
      std::fstream both("both");
      both.exceptions(std::ios::failbit);
    } catch (const std::ios_base::failure& failure) {
      std::cerr << failure.what();
    } catch (const std::filesystem::filesystem_error& error) {
      std::cerr << error.path1();
    }
  }
  return 0;
}
