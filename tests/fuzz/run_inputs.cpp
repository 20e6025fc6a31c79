// Tries inputs on a target without libFuzzer: NAME_inputs COUNT FILE|FOLDER...
//
// Each file, then so many changed ones, which are the same each time. The targets have libFuzzer's interface, so they can be linked
// with it as well. An input that crashes, or takes more than 20 seconds, is left in NAME_inputs.input.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t firstSize, const std::uint8_t* second,
                                                 std::size_t secondSize, std::uint8_t* out, std::size_t most, unsigned seed);
// Not called: what crosses over is not left to libFuzzer.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) { return size; }

namespace {

constexpr std::size_t kMost = 1 << 16;
constexpr unsigned kSeconds = 20;

std::string current, resultFile;

void leaveInput(int number) {
  const int file = open(resultFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  [[maybe_unused]] ssize_t written = write(file, current.data(), current.size());
  static constexpr char kMessage[] = "an input crashes or does not end; it is in a file beside the program\n";
  written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  signal(number, SIG_DFL);
  raise(number);
}

void tryInput(std::string text) {
  current = std::move(text);
  alarm(kSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  alarm(0);
}

void addFile(const std::filesystem::path& path, std::vector<std::string>& inputs) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.size() <= kMost) inputs.push_back(std::move(text));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  resultFile = std::string(argv[0]) + ".input";
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGALRM, SIGTRAP}) signal(number, leaveInput);
  std::vector<std::string> inputs = {""};
  for (int i = 2; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      addFile(argv[i], inputs);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) addFile(entry.path(), inputs);
    }
  }
  std::sort(inputs.begin(), inputs.end());  // folders have no order
  const std::size_t files = inputs.size();
  for (std::size_t i = 0; i < files; ++i) tryInput(inputs[i]);
  const auto count = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  std::string out(kMost, '\0');
  for (unsigned seed = 1; seed <= count; ++seed) {
    const auto bytes = [](const std::string& text) { return reinterpret_cast<const std::uint8_t*>(text.data()); };
    const std::string& first = inputs[seed * 7919u % inputs.size()];
    const std::string& second = inputs[seed * 104'729u % inputs.size()];
    const std::size_t size = LLVMFuzzerCustomCrossOver(bytes(first), first.size(), bytes(second), second.size(),
                                                       reinterpret_cast<std::uint8_t*>(out.data()), out.size(), seed);
    inputs[seed * 7919u % inputs.size()] = out.substr(0, size);  // changes add up
    tryInput(out.substr(0, size));
  }
  std::printf("%zu files, %u changed inputs\n", files, count);
  return 0;
}
