#include "run/mode.h"

#include <nlohmann/json.hpp>

#include "runtime/native_program.h"

namespace heddle::run {

using nlohmann::json;

namespace {

json toJson(const ByteRange& bytes) { return {{"address", bytes.address}, {"size", bytes.size}}; }
json toJson(const explore::RecurringValue& recurring) {
  json result = toJson(recurring.bytes);
  result["value"] = recurring.value;
  return result;
}
template <class Element>
json toJson(const std::vector<Element>& elements) {
  json result = json::array();
  for (const Element& element : elements) result.push_back(toJson(element));
  return result;
}

ByteRange bytesOf(const json& bytes) { return {bytes.at("address"), bytes.at("size")}; }

}  // namespace

std::string Mode::toText() const {
  const json all = {{"mixedSizes", mixedSizes},
                    {"transactions", transactions},
                    {"loadBuffering", loadBuffering},
                    {"attempts", attempts},
                    {"redoneStores", redoneStores},
                    {"repeatedStores", repeatedStores},
                    {"guards", guards},
                    {"polls", polls},
                    {"orderedArrivals", orderedArrivals},
                    {"gracePeriodsHang", gracePeriodsHang},
                    {"plainLoads", plainLoads},
                    {"unordered", toJson(unordered)},
                    {"recurring", toJson(recurring)},
                    {"symmetry", symmetry},
                    {"threads", threads},
                    {"racyBytes", racyBytes.toText()},
                    {"overlap", overlap},
                    {"noticed", noticed},
                    {"toldApart", toldApart}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Mode Mode::parse(const std::string& text) {
  const json all = json::parse(text);
  Mode mode;
  mode.mixedSizes = all.at("mixedSizes");
  mode.transactions = all.at("transactions");
  mode.loadBuffering = all.at("loadBuffering");
  mode.attempts = all.at("attempts");
  mode.redoneStores = all.at("redoneStores");
  mode.repeatedStores = all.at("repeatedStores");
  mode.guards = all.at("guards");
  mode.polls = all.at("polls");
  mode.orderedArrivals = all.at("orderedArrivals");
  mode.gracePeriodsHang = all.at("gracePeriodsHang");
  mode.plainLoads = all.at("plainLoads");
  for (const json& bytes : all.at("unordered")) mode.unordered.push_back(bytesOf(bytes));
  for (const json& back : all.at("recurring")) mode.recurring.push_back({bytesOf(back), back.at("value")});
  mode.symmetry = all.at("symmetry");
  mode.threads = all.at("threads");
  mode.racyBytes.set(all.at("racyBytes"));
  mode.overlap = all.at("overlap");
  mode.noticed = all.at("noticed");
  mode.toldApart = all.at("toldApart");
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
  if (mode.transactions) program.judgeRaces();
  program.setSymmetry(mode.symmetry);
  program.racyBytes() = mode.racyBytes;
}

}  // namespace heddle::run
