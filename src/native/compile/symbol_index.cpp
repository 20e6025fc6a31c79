#include "native/compile/symbol_index.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Object/IRSymtab.h>

#include <algorithm>
#include <map>

namespace heddle::native {

namespace {

// The name where it stands in the model: the reader of symbols that tells it does not stay.
std::string_view lasting(llvm::StringRef name, const EmbeddedFile& model) {
  const std::size_t at = model.contents.find(std::string_view(name));
  return model.contents.substr(at, name.size());
}

}  // namespace

std::vector<LibrarySymbol> definedSymbols(std::span<const EmbeddedFile> models) {
  std::map<std::string_view, std::uint32_t> definer;
  for (std::uint32_t number = 0; number < models.size(); ++number) {
    const EmbeddedFile& model = models[number];
    const auto contents = valueOf(llvm::getBitcodeFileContents(bufferOf(model)), model);
    const auto table = valueOf(llvm::irsymtab::readBitcode(contents), model);
    for (const auto& symbol : table.TheReader.symbols()) {
      if (symbol.isUndefined() || !symbol.isGlobal() || symbol.getIRName().empty()) continue;
      const std::string_view name = lasting(symbol.getIRName(), model);
      // An inline function that a model happens to use must not hide the model that is about it.
      if (symbol.isWeak())
        definer.try_emplace(name, number);
      else
        definer[name] = number;
    }
  }
  std::vector<LibrarySymbol> result;
  for (const auto& [name, model] : definer) result.push_back({name, model});
  return result;
}

const LibrarySymbol* findSymbol(std::span<const LibrarySymbol> symbols, std::string_view name) {
  const auto found = std::ranges::lower_bound(symbols, name, {}, &LibrarySymbol::name);
  return found != symbols.end() && found->name == name ? &*found : nullptr;
}

}  // namespace heddle::native
