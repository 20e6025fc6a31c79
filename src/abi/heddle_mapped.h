/* Files in persistent memory: a page for each name, where names go by heddle_name_slot (docs/persistency.md). */
#pragma once

#include "heddle_disk.h"

#define HEDDLE_MAPPED_FILES HEDDLE_DISK_NAMES
#define HEDDLE_MAPPED_BYTES 4096

struct heddle_mapped_file {
  unsigned char bytes[HEDDLE_MAPPED_BYTES];
};
