#include "native/disk_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "native/pipeline.h"
#include "util/read_file.h"

namespace heddle::native {

namespace fs = std::filesystem;

namespace {

struct File {
  std::string name, content;
};

InputError problem(const std::string& folder, const std::string& what) {
  return InputError(fmt::format("error: --disk {}: {}", folder, what));
}

std::vector<File> filesOf(const std::string& folder, std::size_t mostBytes, const char* advice) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
  if (error) throw problem(folder, error.message());
  std::ranges::sort(paths);  // so that a file has the same inode every time
  std::vector<File> files;
  for (const fs::path& path : paths) {
    if (fs::is_directory(path)) {
      throw problem(folder, path.string() +
                                " is a folder, and the disk has one directory only: take the folder out, or give its "
                                "files names in the one above");
    }
    auto content = fs::is_regular_file(path) ? util::readFile(path.string()) : std::nullopt;
    if (!content) throw problem(folder, path.string() + " is no file that can be read");
    if (content->size() > mostBytes) {
      throw problem(folder, fmt::format("{} has more than {} bytes{}", path.string(), mostBytes, advice));
    }
    files.push_back({path.filename().string(), std::move(*content)});
  }
  return files;
}

InputError sameName(const std::string& folder, const File& file) {
  return problem(folder, file.name + " cannot be told from another file: use another name");
}

}  // namespace

void fillDisk(const std::string& folder, heddle_disk_image& disk, std::uint32_t* sizes, heddle_disk_options& options) {
  if (folder.empty()) return;
  const auto most = static_cast<std::size_t>(options.most_bytes);
  const std::vector<File> files = filesOf(folder, most, "; see --max-file-size");
  constexpr std::size_t kMostFiles = HEDDLE_DISK_INODES - 4;  // the others are for what recovery creates (library/files.cpp)
  if (files.size() > kMostFiles) throw problem(folder, fmt::format("there are more than {} files", kMostFiles));
  for (const File& file : files) {
    int& entry = disk.directory[heddle_name_slot(file.name.c_str())];
    if (entry != 0) throw sameName(folder, file);
    heddle_inode& inode = disk.inodes[options.files];
    std::ranges::transform(file.content, inode.data, [](char byte) {
      return static_cast<unsigned short>(HEDDLE_DISK_WRITTEN | static_cast<unsigned char>(byte));
    });
    inode.size = file.content.size();
    sizes[options.files] = static_cast<std::uint32_t>(file.content.size());
    entry = ++options.files;
  }
}

void fillMapped(const std::string& folder, heddle_mapped_file* files, std::uint32_t* sizes) {
  if (folder.empty()) return;
  for (const File& file : filesOf(folder, HEDDLE_MAPPED_BYTES, "")) {
    const unsigned place = heddle_name_slot(file.name.c_str());
    if (sizes[place] != 0) throw sameName(folder, file);
    std::memcpy(files[place].bytes, file.content.data(), file.content.size());
    sizes[place] = static_cast<std::uint32_t>(file.content.size());
  }
}

}  // namespace heddle::native
