// Checkpoints and failures. What is changed gets the checksum that goes with it, or nothing behind that would be seen.
#include "parallel/checkpoint.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "target.h"
#include "util/fingerprint.h"

namespace {
constexpr std::array kPieces = {"{\"heddle-checkpoint\": 2, \"checksum\": \"\", \"about\": {\"version\": \"\", \"executable\": "
                                "\"\", \"command\": [\"check\"], "
                                "\"program\": \"\", \"folder\": \"\"}, \"agreements\": \"\", \"parts\": []}",
                                "\"heddle-failure\": 2,",
                                "\"parts\": [{\"start\": \"0 5e2f e0 w0:1 r2\", \"rest\": null, \"findings\": null}]",
                                "\"rest\": \"1 0 w0:1\"",
                                "null",
                                "[]",
                                "{}",
                                "\"\\u0000\"",
                                "\"\\ud800\"",
                                "e0",
                                "w0:1",
                                "r2",
                                "c1",
                                "b3:4"};
}

const std::span<const char* const> pieces = kPieces;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::parallel;
  using nlohmann::json;
  std::string text(reinterpret_cast<const char*>(data), size);
  json all = json::parse(text, nullptr, false);
  if (all.is_object()) {
    all.erase("checksum");
    const auto asText = [&] { return all.dump(1, ' ', false, json::error_handler_t::replace); };
    all = json::parse(asText());
    all["checksum"] = heddle::util::fingerprint(asText());
    text = asText();
  }
  static const int file = memfd_create("checkpoint", 0);
  static const std::string name = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, text.data(), text.size(), 0) < 0) __builtin_trap();
  try {
    readCheckpoint(name);
  } catch (const CheckpointError&) {}
  try {
    readFailure(name);
  } catch (const CheckpointError&) {}
  return 0;
}
