// What files a checked program has at first: those of a folder, on its disk or in its persistent memory.
#pragma once

#include <cstdint>
#include <string>

#include "abi/heddle_mapped.h"

namespace heddle::native {

// Reads the folder, unless it is empty, into the disk, and the sizes that the kernel knows; says how many files there are. Throws
// InputError for what does not fit.
void fillDisk(const std::string& folder, heddle_disk_image& disk, std::uint32_t* sizes, heddle_disk_options& options);
// The same for files in persistent memory. Files have no other order than that of their names' places.
void fillMapped(const std::string& folder, heddle_mapped_file* files, std::uint32_t* sizes);

}  // namespace heddle::native
