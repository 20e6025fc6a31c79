#include "util/read_file.h"

#include <array>
#include <cstdio>
#include <memory>

namespace heddle::util {

std::optional<std::string> readFile(const std::string& path, std::size_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (text.size() <= most) {
    const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file.get());
    if (size == 0) break;
    text.append(buffer.data(), size);
  }
  if (std::ferror(file.get())) return std::nullopt;
  return text;
}

}  // namespace heddle::util
