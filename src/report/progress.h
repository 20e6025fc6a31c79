// How far a run is, and how far off an estimate may be, in words.
#pragma once

#include <cstdint>
#include <string>

#include "parallel/run.h"

namespace heddle::report {

// "1,204"
std::string grouped(std::uint64_t number);
// "1 round", "1,204 rounds"
std::string counted(std::uint64_t number, const char* what);

// "812,004 executions, 0 blocked, 1,002,330/s, 0.8 s", and with an estimate "21% (19% to 24%), 2.6 to 3.4 s left"
std::string progressText(const parallel::Progress& progress);

// "3,700,000 executions (95%: 3,500,000 to 3,900,000), from 12 sweeps; 12 to 14 s at the speed of this run". `done`: so
// many were explored in so many seconds.
std::string estimateText(const parallel::Estimate& estimate, std::uint64_t done, double seconds);

}  // namespace heddle::report
