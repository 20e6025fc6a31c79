#include "parallel/thrown.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "graph/graph.h"
#include "parallel/task.h"

namespace heddle::parallel {

namespace {

using nlohmann::json;

json valueOfException() {
  try {
    throw;
  } catch (const WrongMode& error) {
    return {{"type", "mode"}, {"mode", error.mode()}};
  } catch (const LimitError& error) {
    return {{"type", "limit"}, {"what", error.what()}, {"advice", error.advice()}};
  } catch (const ProgramError& error) {
    return {{"type", "program"}, {"what", error.what()}};
  } catch (const std::exception& error) {
    return {{"type", "other"}, {"what", error.what()}};
  }
}

}  // namespace

std::string textOfException() { return valueOfException().dump(-1, ' ', false, json::error_handler_t::replace); }

void throwAgain(const std::string& text) {
  const json thrown = json::parse(text);
  const std::string type = thrown.at("type");
  if (type == "mode") throw WrongMode(thrown.at("mode"));
  const std::string what = thrown.at("what");
  if (type == "limit") throw LimitError(what, thrown.at("advice"));
  if (type == "program") throw ProgramError(what);
  throw std::runtime_error(what);
}

}  // namespace heddle::parallel
