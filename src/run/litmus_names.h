// What the events of a litmus test are called in its source, and where they are.
#pragma once

#include "litmus/test.h"
#include "run/tracer.h"

namespace heddle::run {

class LitmusNames final : public SourceNames {
 public:
  explicit LitmusNames(const litmus::Test& test) : test_(test), program_(*test.program) {}

  std::string thread(ThreadId thread) const override { return program_.threadName(thread); }
  std::string location(Address address, unsigned size) const override;
  std::string bytes(Address address, unsigned size) const override { return location(address, size); }
  std::string value(const Operation& operation, Value value) const override;
  trace::Place place(std::uint32_t source) const override;
  std::optional<trace::Place> placeOfOrder(std::uint32_t source) const override;
  bool isLock(Address address) const override;

 private:
  const litmus::CompiledLocation* find(Address address) const;

  const litmus::Test& test_;
  const litmus::LitmusProgram& program_;
};

}  // namespace heddle::run
