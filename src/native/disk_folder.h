// What is on the disk of a checked program at first: the files of a folder.
#pragma once

#include <cstdint>
#include <string>

#include "abi/heddle_disk.h"

namespace heddle::native {

// Reads the folder, unless it is empty, into the disk, and the sizes that the kernel knows; says how many files there are. Throws
// InputError for what does not fit.
void fillDisk(const std::string& folder, heddle_disk_image& disk, std::uint32_t* sizes, heddle_disk_options& options);

}  // namespace heddle::native
