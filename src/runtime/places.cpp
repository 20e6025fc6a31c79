#include "runtime/places.h"

namespace heddle::native {

Places::Places(const ProgramInfo& info) : info_(info) {
  for (const Source& source : info.sources) {
    if (source.header && source.column != 0) lines_[{source.file, source.function}].insert(source.line);
  }
}

ShownPlace Places::of(std::uint32_t source) const {
  const std::uint32_t own = ownFrame(info_, source);
  ShownPlace place{.at = &info_.sources[own != 0 || source >= info_.sources.size() ? own : source], .called = {}, .callers = {}};
  if (own == 0) return place;
  place.called = place.at->called;
  for (std::uint32_t s = source; s != own; s = info_.sources[s].caller) place.called = info_.sources[s].called;
  const std::string& file = place.at->file;
  for (const Source* s = place.at; s->header && s->file == file && s->caller != 0;) {
    s = &info_.sources[ownFrame(info_, s->caller)];
    if (s->file.empty()) break;
    place.callers.push_back(s);
  }
  place.thin = !place.callers.empty() && place.callers.back()->file != file && hasOneLine(*place.at);
  return place;
}

bool Places::hasOneLine(const Source& source) const {
  const auto found = lines_.find({source.file, source.function});
  return found != lines_.end() && found->second.size() == 1;
}

const Source& Places::best(std::uint32_t source) const {
  const ShownPlace place = of(source);
  return place.thin ? *place.callers.back() : *place.at;
}

}  // namespace heddle::native
