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

// The names in a block; none if it is not as written above.
std::vector<std::uint64_t> readNames(llvm::BitstreamCursor stream) {
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
    if (*kind == kNamesRecord) break;
  }
  std::vector<std::uint64_t> hashes(blob.size() / sizeof(std::uint64_t));
  std::memcpy(hashes.data(), blob.data(), hashes.size() * sizeof(std::uint64_t));
  return hashes;
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
  const std::vector<std::uint64_t> hashes = readNames(stream);
  mentioned_ |= hashes.empty() || std::ranges::any_of(macros_, [&](const std::string& macro) {
                  return std::ranges::binary_search(hashes, hashOf(macro));
                });
  return nullptr;
}

}  // namespace heddle::native
