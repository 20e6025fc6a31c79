#include "native/jit/debug_object.h"

#include <elf.h>

#include <cstring>

// The names and the layout are gdb's.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
struct jit_code_entry {
  jit_code_entry *next, *prev;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};
struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action;  // 1: an entry is new; 2: it goes
  jit_code_entry *relevant, *first;
};
[[gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::visibility("default"), gnu::noinline]] void __jit_debug_register_code() {
  asm volatile("" : : "r"(&__jit_debug_descriptor) : "memory");
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace heddle::native {

struct DebugObject::Entry : jit_code_entry {};

DebugObject::DebugObject(const char* object, std::size_t size, const std::unordered_map<std::string, std::uint64_t>& sections)
    : file_(object, object + size) {
  Elf64_Ehdr header;
  std::memcpy(&header, file_.data(), sizeof header);
  const auto at = [&](unsigned number) { return file_.data() + header.e_shoff + std::size_t{number} * header.e_shentsize; };
  Elf64_Shdr names;
  std::memcpy(&names, at(header.e_shstrndx), sizeof names);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, at(i), sizeof section);
    const auto found = sections.find(file_.data() + names.sh_offset + section.sh_name);
    if ((section.sh_flags & SHF_ALLOC) == 0 || found == sections.end()) continue;
    section.sh_addr = found->second;
    std::memcpy(at(i), &section, sizeof section);
  }
}

DebugObject::~DebugObject() {
  if (entry_ == nullptr) return;
  (entry_->prev != nullptr ? entry_->prev->next : __jit_debug_descriptor.first) = entry_->next;
  if (entry_->next != nullptr) entry_->next->prev = entry_->prev;
  __jit_debug_descriptor.relevant = entry_;
  __jit_debug_descriptor.action = 2;
  __jit_debug_register_code();
  delete entry_;
}

void DebugObject::show() {
  if (entry_ != nullptr) return;
  entry_ = new Entry{
      {.next = __jit_debug_descriptor.first, .prev = nullptr, .symfile_addr = file_.data(), .symfile_size = file_.size()}};
  if (entry_->next != nullptr) entry_->next->prev = entry_;
  __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = entry_;
  __jit_debug_descriptor.action = 1;
  __jit_debug_register_code();
}

}  // namespace heddle::native
