// The parts of the disk (abi/heddle_disk.h) in the words of the file system, for traces.
#pragma once

#include <optional>
#include <string>

#include "runtime/native_program.h"

namespace heddle::run {

// "byte 3 of inode 1", "size of inode 1", "entry foo"; of size 0 the file, or the directory, as a whole. Nothing if the address is not on the
// disk.
std::optional<std::string> diskName(const runtime::NativeProgram& program, Address address, unsigned size);
// What a value there means: a size is half of it, an entry is an inode or none, data may be a character. Nothing if it is a number like
// others.
std::optional<std::string> diskValue(const runtime::NativeProgram& program, Address address, Value value);

}  // namespace heddle::run
