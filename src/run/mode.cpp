#include "run/mode.h"

#include <nlohmann/json.hpp>

#include "runtime/native_program.h"

namespace heddle::run {

using nlohmann::json;

std::string Mode::toText() const {
  const json all = {{"mixedSizes", mixedSizes},
                    {"loadBuffering", loadBuffering},
                    {"attempts", attempts},
                    {"redoneStores", redoneStores},
                    {"repeatedStores", repeatedStores},
                    {"guards", guards},
                    {"polls", polls},
                    {"orderedArrivals", orderedArrivals},
                    {"gracePeriodsHang", gracePeriodsHang},
                    {"plainLoads", plainLoads},
                    {"threads", threads},
                    {"racyBytes", racyBytes.toText()},
                    {"overlap", overlap},
                    {"noticed", noticed}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Mode Mode::parse(const std::string& text) {
  const json all = json::parse(text);
  Mode mode;
  mode.mixedSizes = all.at("mixedSizes");
  mode.loadBuffering = all.at("loadBuffering");
  mode.attempts = all.at("attempts");
  mode.redoneStores = all.at("redoneStores");
  mode.repeatedStores = all.at("repeatedStores");
  mode.guards = all.at("guards");
  mode.polls = all.at("polls");
  mode.orderedArrivals = all.at("orderedArrivals");
  mode.gracePeriodsHang = all.at("gracePeriodsHang");
  mode.plainLoads = all.at("plainLoads");
  mode.threads = all.at("threads");
  mode.racyBytes.set(all.at("racyBytes"));
  mode.overlap = all.at("overlap");
  mode.noticed = all.at("noticed");
  return mode;
}

void prepare(runtime::NativeProgram& program, const Mode& mode) {
  program.setAttempts(mode.attempts);
  program.setRedoneStores(mode.redoneStores);
  program.setRepeatedStores(mode.repeatedStores);
  program.setGuards(mode.guards);
  program.setPolls(mode.polls);
  program.setArrivalsInOrder(mode.orderedArrivals);
  program.setGracePeriodsHang(mode.gracePeriodsHang);
  program.setPlainLoads(mode.plainLoads);
  program.setLoadBuffering(mode.loadBuffering);
  program.racyBytes() = mode.racyBytes;
}

}  // namespace heddle::run
