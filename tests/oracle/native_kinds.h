// The kinds of random programs that heddle_fuzz tries, each with what judges it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"

namespace heddle::oracle {

// What a run asks for; empty: what the kind has.
struct KindOptions {
  std::vector<std::string> models;
  std::vector<std::string> equivalences;
  std::string profile;
  std::string way;            // of "sequential" and "options": a part of the name of the ways to check; empty: any
  std::string modelFiles;     // of "large"
  std::size_t limit = 20000;  // of "large": executions
};

class FuzzKind {
 public:
  virtual ~FuzzKind() = default;
  // Tries the programs of `count` seeds. What is said about the first that differs, made small.
  virtual std::optional<std::string> run(std::uint64_t first, std::size_t count) = 0;
  virtual const FuzzCounts& counts() const = 0;
};

struct KindInfo {
  const char* name;
  const char* what;
  unsigned share;  // of a campaign's programs, by the thousand
  unsigned batch;  // seeds at once: those that share a file
  std::unique_ptr<FuzzKind> (*make)(const KindOptions& options);
};

const std::vector<KindInfo>& fuzzKinds();

}  // namespace heddle::oracle
