// An estimate as a field of JSON output.
#pragma once

#include <nlohmann/json.hpp>

#include "parallel/sample.h"

namespace heddle::report {

inline void addEstimate(nlohmann::ordered_json& json, const parallel::Estimate& estimate) {
  if (!estimate.isKnown()) return;
  json["estimate"] = {
      {"executions", estimate.executions}, {"low", estimate.low}, {"high", estimate.high}, {"sweeps", estimate.sweeps}};
}

}  // namespace heddle::report
