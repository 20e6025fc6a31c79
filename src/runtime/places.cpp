#include "runtime/places.h"

#include <sstream>

#include "util/read_file.h"

namespace heddle::runtime {

Places::Places(const ProgramInfo& info) : info_(info) {
  for (const Source& source : info.sources) {
    if (source.header && source.column != 0) lines_[{source.file, source.function}].insert(source.line);
  }
}

ShownPlace Places::of(std::uint32_t source) const {
  const std::uint32_t own = ownFrame(info_, source);
  ShownPlace place{
      .at = &info_.sources[own != 0 || source >= info_.sources.size() ? own : source], .called = {}, .callers = {}};
  if (own == 0) return place;
  place.called = place.at->called;
  for (std::uint32_t s = source; s != own; s = info_.sources[s].caller) place.called = info_.sources[s].called;
  const std::string& file = place.at->file;
  for (const Source* s = place.at; s->header && s->file == file && s->caller != 0;) {
    s = &info_.sources[ownFrame(info_, s->caller)];
    if (s->file.empty()) break;
    place.callers.push_back(s);
  }
  const Source* last = place.callers.empty() ? place.at : place.callers.back();
  while (last->caller != 0) {
    const std::uint32_t next = ownFrame(info_, last->caller);
    if (next == 0) break;
    last = &info_.sources[next];
    place.outer.push_back(last);
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

std::string sourceLine(const std::string& file, unsigned line) {
  static std::map<std::string, std::vector<std::string>> files;
  const auto [it, added] = files.try_emplace(file);
  if (added) {
    std::istringstream in(util::readFile(file).value_or(""));
    for (std::string text; std::getline(in, text);) it->second.push_back(text);
  }
  if (line == 0 || line > it->second.size()) return "";
  const std::string& text = it->second[line - 1];
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace heddle::runtime
