// Which tests can be affected by what has changed since a commit.
//
// A test depends on its source files and on what they include, directly or not. Which file an #include means depends on flags, macros and
// the compiler. So names are followed that could be meant: one too many costs a run, one too few would hide a failure. An #include of a
// macro could mean anything.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/cases.h"

namespace heddle::suite {

class ChangedFiles {
 public:
  // Since the commit `base`, with what is not committed; asks git. Throws SuiteError.
  explicit ChangedFiles(const std::string& base);
  // For tests: these have changed, of all these. Absolute paths.
  ChangedFiles(std::set<std::string> changed, std::set<std::string> all) : changed_(std::move(changed)), all_(std::move(all)) {}

  bool affect(const Case& tested);

 private:
  // What a file may include.
  struct Included {
    bool isChanged = false;  // some of it, or it cannot be known
    std::vector<std::string> files;
  };
  const Included& includedBy(const std::string& path);
  bool isChangedName(const std::string& name) const;

  std::set<std::string> changed_, all_;
  std::map<std::string, Included> known_;  // by path
};

}  // namespace heddle::suite
