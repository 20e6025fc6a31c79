// Files that are part of the executable (cmake/embed_bitcode.cmake).
#pragma once

#include <fmt/format.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace heddle::native {

struct EmbeddedFile {
  std::string_view name;
  std::string_view contents;
};

std::span<const EmbeddedFile> libraryModules();   // the library models (link.h)
std::span<const EmbeddedFile> embeddedHeaders();  // see compile.h

inline llvm::MemoryBufferRef bufferOf(const EmbeddedFile& file) { return {file.contents, file.name}; }

// What was read from a library model. A model that cannot be read is a mistake of ours.
template <typename T>
T valueOf(llvm::Expected<T> expected, const EmbeddedFile& file) {
  if (expected) return std::move(*expected);
  throw std::runtime_error(fmt::format("library model {}: {}", file.name, llvm::toString(expected.takeError())));
}

}  // namespace heddle::native
