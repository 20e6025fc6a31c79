#include "native/compile/header_names.h"

#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Serialization/ASTBitCodes.h>
#include <llvm/Bitstream/BitstreamReader.h>
#include <llvm/Bitstream/BitstreamWriter.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ranges>

namespace heddle::native {

namespace {

constexpr std::uint64_t kNamesRecord = clang::serialization::FIRST_EXTENSION_RECORD_ID;

std::uint64_t hashOf(llvm::StringRef name) { return llvm::xxh3_64bits(name); }

class Writer : public clang::ModuleFileExtensionWriter {
 public:
  explicit Writer(HeaderNames* names) : ModuleFileExtensionWriter(names) {}

  void writeExtensionContents(clang::Sema& sema, llvm::BitstreamWriter& stream) override {
    std::vector<std::uint64_t> hashes;
    for (const auto& entry : sema.getPreprocessor().getIdentifierTable()) hashes.push_back(hashOf(entry.getKey()));
    std::ranges::sort(hashes);  // the same names, the same file
    auto abbreviation = std::make_shared<llvm::BitCodeAbbrev>();
    abbreviation->Add(llvm::BitCodeAbbrevOp(kNamesRecord));
    abbreviation->Add(llvm::BitCodeAbbrevOp(llvm::BitCodeAbbrevOp::Blob));
    const std::uint64_t record[] = {kNamesRecord};
    stream.EmitRecordWithBlob(
        stream.EmitAbbrev(std::move(abbreviation)), llvm::ArrayRef(record),
        llvm::StringRef(reinterpret_cast<const char*>(hashes.data()), hashes.size() * sizeof(std::uint64_t)));
  }
};

// The hashes in a block; none if it is not as written above.
llvm::StringRef readHashes(llvm::BitstreamCursor stream) {
  llvm::SmallVector<std::uint64_t, 4> record;
  llvm::StringRef blob;
  while (true) {
    llvm::Expected<llvm::BitstreamEntry> entry = stream.advanceSkippingSubblocks();
    if (!entry || entry->Kind != llvm::BitstreamEntry::Record) {
      llvm::consumeError(entry.takeError());
      return {};
    }
    record.clear();
    llvm::Expected<unsigned> kind = stream.readRecord(entry->ID, record, &blob);
    if (!kind) {
      llvm::consumeError(kind.takeError());
      return {};
    }
    if (*kind == kNamesRecord) return blob;
  }
}

// They are sorted, and lie at any address.
bool contains(llvm::StringRef hashes, std::uint64_t wanted) {
  const auto places = std::views::iota(std::size_t{0}, hashes.size() / sizeof wanted);
  const auto hashAt = [&](std::size_t place) {
    std::uint64_t hash = 0;
    std::memcpy(&hash, hashes.data() + place * sizeof hash, sizeof hash);
    return hash;
  };
  const auto found = std::ranges::lower_bound(places, wanted, {}, hashAt);
  return found != places.end() && hashAt(*found) == wanted;
}

}  // namespace

char HeaderNames::ID = 0;

HeaderNames::HeaderNames(std::vector<std::string> macros) : macros_(std::move(macros)) {}

clang::ModuleFileExtensionMetadata HeaderNames::getExtensionMetadata() const { return {"heddle.names", 1, 0, ""}; }

std::unique_ptr<clang::ModuleFileExtensionWriter> HeaderNames::createExtensionWriter(clang::ASTWriter&) {
  return std::make_unique<Writer>(this);
}

// All is read at once, so no reader stays.
std::unique_ptr<clang::ModuleFileExtensionReader> HeaderNames::createExtensionReader(const clang::ModuleFileExtensionMetadata&,
                                                                                     clang::ASTReader&,
                                                                                     clang::serialization::ModuleFile&,
                                                                                     const llvm::BitstreamCursor& stream) {
  if (macros_.empty()) return nullptr;
  const llvm::StringRef hashes = readHashes(stream);
  mentioned_ |=
      hashes.empty() || std::ranges::any_of(macros_, [&](const std::string& macro) { return contains(hashes, hashOf(macro)); });
  return nullptr;
}

}  // namespace heddle::native
