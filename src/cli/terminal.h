// What the output goes to.
#pragma once

#include <cstddef>
#include <string>

namespace heddle::cli {

// Does a choice like "auto", "on", "always", "off" mean yes, given that the output goes to this descriptor?
bool enabled(const std::string& when, int descriptor);

// Of the page that text is laid out for: that of the terminal, or a usual one.
std::size_t pageWidth(int descriptor);

}  // namespace heddle::cli
