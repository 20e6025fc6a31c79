#include "report/results/results.h"

#include "report/results/github.h"
#include "report/results/junit.h"
#include "report/results/sarif.h"

namespace heddle::report {

namespace {

constexpr ResultFormat kFormats[] = {
    {"junit", "Write the results to this file in the XML of JUnit, which most services for continuous integration show.", true,
     junit},
    {"sarif",
     "Write what is wrong to this file in SARIF 2.1.0, which GitHub's code scanning and editors show: with the execution, "
     "related "
     "places, and a fingerprint that stays the same when lines move.",
     true, sarif},
    {"github", "Print what is wrong as annotations of a GitHub workflow, which are shown beside the source.", false, github},
};

}  // namespace

std::span<const ResultFormat> resultFormats() { return kFormats; }

}  // namespace heddle::report
