#include "run/disk_names.h"

#include <fmt/format.h>

#include <cstddef>

#include "abi/heddle_disk.h"

namespace heddle::run {

namespace {

struct Place {
  enum class Kind : std::uint8_t { data, size, entry, journal } kind;
  std::size_t inode = 0;   // that of the directory is one more than the last
  std::size_t number = 0;  // of a byte, or of a name
};

std::optional<Place> placeOf(const runtime::NativeProgram& program, Address address) {
  const Address disk = program.entry().disk;
  if (disk == 0 || address - disk >= sizeof(heddle_disk_image)) return std::nullopt;
  const std::size_t offset = address - disk;
  if (offset >= offsetof(heddle_disk_image, journal)) return Place{Place::Kind::journal, HEDDLE_DISK_INODES};
  if (offset >= offsetof(heddle_disk_image, directory)) {
    return Place{Place::Kind::entry, HEDDLE_DISK_INODES, (offset - offsetof(heddle_disk_image, directory)) / sizeof(int)};
  }
  const std::size_t inside = offset % sizeof(heddle_inode);
  Place place{Place::Kind::data, offset / sizeof(heddle_inode), inside / sizeof heddle_inode{}.data[0]};
  if (inside >= offsetof(heddle_inode, size)) place.kind = Place::Kind::size;
  if (inside >= offsetof(heddle_inode, journal)) place.kind = Place::Kind::journal;
  return place;
}

}  // namespace

std::optional<std::string> diskName(const runtime::NativeProgram& program, Address address, unsigned size) {
  const std::optional<Place> place = placeOf(program, address);
  if (!place) return std::nullopt;
  std::string owner = place->inode == HEDDLE_DISK_INODES ? "the directory" : fmt::format("inode {}", place->inode + 1);
  if (size == 0) return owner;
  switch (place->kind) {
    case Place::Kind::data: return fmt::format("byte {} of {}", place->number, owner);
    case Place::Kind::size: return "size of " + owner;
    case Place::Kind::journal: return "journal of " + owner;
    case Place::Kind::entry: break;
  }
  const std::string* const name = program.afterCrash().nameAt(static_cast<unsigned>(place->number));
  return fmt::format("entry {}", name ? *name : std::to_string(place->number));
}

std::optional<std::string> diskValue(const runtime::NativeProgram& program, Address address, Value value) {
  const std::optional<Place> place = placeOf(program, address);
  if (!place) return std::nullopt;
  if (place->kind == Place::Kind::size) return std::to_string(value & 0xffffffff);
  if (place->kind == Place::Kind::data) {
    const Value byte = value & 0xff;
    return byte >= ' ' && byte <= '~' ? fmt::format("'{}'", static_cast<char>(byte)) : std::to_string(byte);
  }
  if (place->kind == Place::Kind::entry) return value == 0 ? "none" : fmt::format("inode {}", value);
  return std::nullopt;
}

}  // namespace heddle::run
