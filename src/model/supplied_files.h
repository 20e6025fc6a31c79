// Files that the field's simulators come with and that models include: what their names are here.
//
// A simulator has a set of events for each instruction. Here events have classes, which are those of C and C++ and the fences of
// machines (docs/models.md), so these files say which classes an instruction's events are of. A name means different things on
// different machines: `A` is an acquire on AArch64, a locked instruction on X86 and an atomic access in C.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::model {

std::optional<std::string> suppliedFile(std::string_view name);

}  // namespace heddle::model
