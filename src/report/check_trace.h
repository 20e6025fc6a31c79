// The execution of an error for people: one column a thread, one row an event, in a causal order.
//
//                       main                thread 1 (writer)        thread 2 (reader)
//       1-2  mp.cpp:20  spawn threads 1, 2
//         3  mp.cpp:7                       store data = 1, relaxed
//         4  mp.cpp:8                       store flag = 1, relaxed
//         5  mp.cpp:12                                               load flag = 1, relaxed  from 4
//         6  mp.cpp:13                                               load data = 0, relaxed  initial value
//         !  mp.cpp:13                                               assertion failure
//
// Text that is too long for its column goes on in the next line. Where the columns would be too narrow to read, each
// row names its thread instead. Events that cannot have had a part in the error are left out, and so are threads that
// have no others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/text.h"
#include "run/check_program.h"

namespace heddle::report {

// `width`: of the page, in characters.
std::string traceText(const native::CheckResult& result, const Style& style, std::size_t width);

// Breaks a text at blanks into lines of at most `width` characters, or a little more if a word is longer than that.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

// How many characters a terminal shows, if the text is UTF-8.
std::size_t displayWidth(const std::string& text);

}  // namespace heddle::report
