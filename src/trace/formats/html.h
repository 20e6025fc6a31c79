// Executions as one page for a browser, which needs nothing else: no network, no other file.
//
// The page (page/page.html, page.css, page.js) is part of the binary. Its data are one JSON object: `title`; `executions`, each
// what --json has of it (threads, trace, error), with `title`, `subject`, `model` and `state`, each event also with its `action` in words, and with
// `edges` (trace/edges.h); and `sources`, the text of each file that an event or the error is in, as far as it can be read.
#pragma once

#include <span>
#include <string>

#include "trace/execution.h"

namespace heddle::trace {

std::string html(std::span<const Execution> executions);

}  // namespace heddle::trace
