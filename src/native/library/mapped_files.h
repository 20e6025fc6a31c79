// Files in persistent memory, for the models that open and map them (mapped_files.cpp).
#pragma once

#include "heddle_mapped.h"
#include "primitives.h"

namespace heddle::library::mapped {

constexpr uint32_t kBytes = HEDDLE_MAPPED_BYTES;

// The place of a name; its size, 0 if there is no such file; and where it is.
unsigned placeOf(const char* path);
uint32_t sizeOf(unsigned place);
void setSize(unsigned place, uint64_t size);
void* addressOf(unsigned place);

}  // namespace heddle::library::mapped

// Of files.cpp: the place of an open file, or -1.
extern "C" int heddle_mapped_of(int descriptor);
