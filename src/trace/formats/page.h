// The text of the page that html.h fills in: page/page.html with its style and script. Written by the build (cmake/embed_page.cmake).
#pragma once

namespace heddle::trace {

extern const char* const kPageBeforeData;
extern const char* const kPageAfterData;

}  // namespace heddle::trace
