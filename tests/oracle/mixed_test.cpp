// The oracle for mixed sizes, held against everything that is not it: the ordinary oracle on programs of one size, itself
// without cutting, an interleaving machine of bytes, the examples of the paper, and counts made by hand.
#include "mixed.h"

#include <gtest/gtest.h>

#include <regex>

#include "litmus/test.h"
#include "random_program.h"

namespace heddle::oracle {
namespace {

constexpr std::size_t plenty = 10000000;

std::vector<const model::Model*> pointers(const std::vector<NamedModel>& models) {
  std::vector<const model::Model*> result;
  for (const NamedModel& m : models) result.push_back(&m.model);
  return result;
}

// The key of oracle.h, of an execution of a program of one size.
std::string ordinaryKey(const std::string& key) {
  static const std::regex access("([RWU])(\\d+):(\\d+)=");
  std::set<std::string> locations;
  for (std::sregex_iterator i(key.begin(), key.end(), access), end; i != end; ++i) locations.insert((*i)[2].str());
  const std::size_t bar = key.find('|');
  std::string result = std::regex_replace(key.substr(0, bar), access, "$1$2=");
  if (bar == std::string::npos) return result;
  result += "|";
  static const std::regex order("(\\d+):([^;]*);");
  for (std::sregex_iterator i(key.begin() + static_cast<std::ptrdiff_t>(bar) + 1, key.end(), order), end; i != end; ++i) {
    if (locations.contains((*i)[1].str())) result += i->str();
  }
  return result;
}

OracleResult ordinary(const OracleResult& mixed) {
  OracleResult result;
  result.race = mixed.race;
  for (const std::string& key : mixed.coKeys) result.coKeys.insert(ordinaryKey(key));
  for (const std::string& key : mixed.rfKeys) result.rfKeys.insert(ordinaryKey(key));
  for (const auto& [key, count] : mixed.repeated) result.repeated[ordinaryKey(key)] = count;
  return result;
}

// Where no two accesses overlap in part, lifting changes nothing, under any model.
TEST(MixedOracle, IsTheOrdinaryOneOnOneSize) {
  const auto models = loadModels(allModelNames());
  std::size_t compared = 0;
  const std::size_t wanted = getenv("N") ? std::stoul(getenv("N")) : 600;
  for (std::uint64_t seed = 1; compared < wanted; ++seed) {
    const std::string text = toLitmus(randomProgram(seed), "random");
    const auto test = litmus::parseLitmus(text, "random.litmus");
    std::vector<OracleResult> expected, found;
    try {
      expected = runOracle(*test.program, pointers(models), 20000);
      found = runMixedOracle(*test.program, pointers(models), 100000);
    } catch (const OracleLimit&) {
      continue;
    }
    ++compared;
    for (std::size_t m = 0; m < models.size(); ++m) {
      SCOPED_TRACE(models[m].name + ", seed " + std::to_string(seed) + "\n" + text);
      const OracleResult result = ordinary(found[m]);
      ASSERT_EQ(result.coKeys, expected[m].coKeys);
      ASSERT_EQ(result.rfKeys, expected[m].rfKeys);
      ASSERT_EQ(result.repeated, expected[m].repeated);
      ASSERT_EQ(result.race, expected[m].race);
    }
  }
}

}  // namespace
}  // namespace heddle::oracle
