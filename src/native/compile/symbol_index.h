// Which library model defines a symbol.
//
// clang has written the names of a module's symbols into its bitcode, so that a model that is not needed is not even read. For the
// models that are part of the executable the build has collected and sorted them (src/symbols): no run spends time on it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "native/compile/embedded_file.h"

namespace heddle::native {

struct LibrarySymbol {
  std::string_view name;
  std::uint32_t model;  // its place in the list of models
};

// What the models define, by name. The names are in the models' own memory.
std::vector<LibrarySymbol> definedSymbols(std::span<const EmbeddedFile> models);
// The same of libraryModules(). Generated.
std::span<const LibrarySymbol> librarySymbols();

// Looks a name up in such a list. Null if it is not there.
const LibrarySymbol* findSymbol(std::span<const LibrarySymbol> symbols, std::string_view name);

}  // namespace heddle::native
