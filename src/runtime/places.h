// Which places of the source to show for a place in the code.
//
// A place is a chain of frames: code is inlined into code that is inlined, and so on (Source::caller). What a person wants
// to see of it is
//
//   the program's own code   not a system header or a model of a library function; rather which function was called there
//   who called               a function in a header of the program's: the calls up to the first one in another file. Many
//                            events share the one line of a wrapper such as load_acquire(x); its callers tell them apart
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/program_info.h"

namespace heddle::runtime {

// The innermost frame that is the program's own code; 0 if there is none.
inline std::uint32_t ownFrame(const ProgramInfo& info, std::uint32_t source) {
  for (; source != 0 && source < info.sources.size(); source = info.sources[source].caller) {
    if (!info.sources[source].library) return source;
  }
  return 0;
}

struct ShownPlace {
  const Source* at;                       // the innermost frame of the program's own code, or else the place itself
  std::string_view called;                // the library function that is called there, if the place is inside of it
  std::vector<const Source*> callers;     // of a place in a header: innermost first
  bool thin = false;                      // all that the function there does is in that one line: its caller says more
  std::vector<const Source*> outer = {};  // the calls around these, as far as code was inlined
};

class Places {
 public:
  // Both must outlive this. Looks at all places once.
  explicit Places(const ProgramInfo& info);

  ShownPlace of(std::uint32_t source) const;
  // The one place that says most about an event in a list of events.
  const Source& best(std::uint32_t source) const;

 private:
  // All that the function there does is in that line.
  bool hasOneLine(const Source& source) const;

  const ProgramInfo& info_;
  std::map<std::pair<std::string_view, std::string_view>, std::set<unsigned>> lines_;  // by file and function
};

// The text of a source line, without the blanks around it; empty if the file cannot be read.
std::string sourceLine(const std::string& file, unsigned line);

}  // namespace heddle::runtime
