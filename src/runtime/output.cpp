#include "runtime/output.h"

#include "sandbox/sandbox.h"

namespace heddle::runtime {

namespace {

// How lines of a report begin.
constexpr std::string_view kOwn[] = {"verified ", "bounded ", "sampled ", "error ", "incomplete ", "warning ", "heddle: "};

}  // namespace

void Output::showText(std::string_view text) {
  constexpr unsigned char kLead = 0xc2, kFirst = 0x80, kLast = 0x9f;  // U+0080 to U+009F in UTF-8
  std::string shown;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isControl =
        (byte < ' ' && c != '\t' && c != '\n') || byte == 0x7f || (isLead_ && byte >= kFirst && byte <= kLast);
    isLead_ = byte == kLead;
    if (isControl) c = '?';
    if (isInLine_ || c == '\n') {
      shown += begun_;
      shown += c;
      begun_.clear();
      isInLine_ = c != '\n';
      continue;
    }
    begun_ += c;
    bool mayBeOwn = false;
    for (const std::string_view own : kOwn) {
      if (own == begun_) begun_.insert(0, "| ");
      mayBeOwn |= own.starts_with(begun_);
    }
    isInLine_ = !mayBeOwn;
  }
  if (isInLine_) {
    shown += begun_;
    begun_.clear();
  }
  write(shown);
}

void Output::write(std::string_view text) {
  const sandbox::OwnCode own;
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace heddle::runtime
