#include "native/disk_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "native/pipeline.h"
#include "util/read_file.h"

namespace heddle::native {

namespace fs = std::filesystem;

void fillDisk(const std::string& folder, heddle_disk_image& disk, std::uint32_t* sizes, heddle_disk_options& options) {
  if (folder.empty()) return;
  std::error_code problem;
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) paths.push_back(entry.path());
  if (problem) throw InputError(fmt::format("error: --disk {}: {}", folder, problem.message()));
  std::ranges::sort(paths);  // so that a file has the same inode every time
  if (paths.size() > HEDDLE_DISK_INODES) {
    throw InputError(fmt::format("error: --disk {}: there are more than {} files", folder, HEDDLE_DISK_INODES));
  }
  for (const fs::path& path : paths) {
    const auto content = fs::is_regular_file(path) ? util::readFile(path.string()) : std::nullopt;
    if (!content) throw InputError(fmt::format("error: --disk {}: {} is no file that can be read", folder, path.string()));
    if (content->size() > static_cast<std::size_t>(options.most_bytes)) {
      throw InputError(fmt::format("error: --disk {}: {} has more than {} bytes; see --max-file-size", folder, path.string(),
                                   options.most_bytes));
    }
    int& entry = disk.directory[heddle_name_slot(path.filename().c_str())];
    if (entry != 0) {
      throw InputError(
          fmt::format("error: --disk {}: {} cannot be told from another file: use another name", folder, path.string()));
    }
    heddle_inode& inode = disk.inodes[options.files];
    std::memcpy(inode.data, content->data(), content->size());
    inode.size = content->size();
    sizes[options.files] = static_cast<std::uint32_t>(content->size());
    entry = ++options.files;
  }
}

}  // namespace heddle::native
