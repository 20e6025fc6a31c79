#include "cli/tool_identity.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>

#include "cli/version.h"
#include "util/fingerprint.h"
#include "util/read_file.h"

namespace heddle::cli {

namespace {

constexpr std::size_t kAlignment = 4;

std::size_t aligned(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

// The build identifier in a segment of notes; empty if there is none.
std::string buildId(const char* notes, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const std::size_t length = sizeof note + aligned(note.n_namesz) + aligned(note.n_descsz);
    if (length > size) return "";
    const char* const name = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(name[aligned(note.n_namesz) + i]));
      }
      return text;
    }
    notes += length;
    size -= length;
  }
  return "";
}

int addObject(dl_phdr_info* object, std::size_t, void* text) {
  std::string id;
  for (int i = 0; i < object->dlpi_phnum && id.empty(); ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    id = buildId(reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr), header.p_memsz);
  }
  const bool isProgram = object->dlpi_name == nullptr || *object->dlpi_name == '\0';
  if (id.empty()) id = util::fingerprint(util::readFile(isProgram ? "/proc/self/exe" : object->dlpi_name).value_or(""));
  *static_cast<std::string*>(text) += id + '\n';
  return 0;
}

// The program itself comes first.
int addProgram(dl_phdr_info* object, std::size_t size, void* text) {
  addObject(object, size, text);
  return 1;
}

}  // namespace

std::string programIdentity() {
  std::string text;
  dl_iterate_phdr(addProgram, &text);
  return text;
}

std::string toolIdentity() {
  std::string text = versionText() + '\n';
  dl_iterate_phdr(addObject, &text);
  return text;
}

}  // namespace heddle::cli
