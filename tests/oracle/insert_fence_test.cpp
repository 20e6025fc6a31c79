// A fence that is inserted into a random program adds no execution, under the models of which that is proved
// (prove/insert_fence.h). Under a model of which it is refuted it does, in one of these programs.
#include "prove/insert_fence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "litmus/test.h"
#include "model/cat.h"
#include "oracle/fuzz.h"
#include "oracle/oracle.h"
#include "oracle/random_program.h"

namespace heddle::oracle {

using prove::mayInsertFence;
using prove::Verdict;

namespace {

constexpr std::uint64_t kFirstSeed = 4711000;
constexpr Order kFences[] = {Order::acquire, Order::release, Order::acq_rel, Order::seq_cst};

// The key of an execution (oracle.h) as if it had no fences: they are left out, and events, which are named by thread and
// place in reads-from and coherence, are named by their places among the others.
std::string withoutFences(const std::string& key) {
  static const std::regex kThread(R"((\d+)\[([^\]]*)\])");
  static const std::regex kEvent(R"(([<:,])(\d+)\.(\d+))");
  const auto replaced = [](const std::string& text, const std::regex& pattern, const auto& replacement) {
    std::string result;
    auto rest = text.begin();
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      result.append(rest, (*it)[0].first) += replacement(*it);
      rest = (*it)[0].second;
    }
    return result.append(rest, text.end());
  };
  std::map<std::string, std::vector<std::size_t>> places;  // of the events of each thread, without fences
  const std::string shorter = replaced(key, kThread, [&](const std::smatch& thread) {
    std::vector<std::size_t>& renamed = places[thread[1]];
    std::istringstream events(thread[2]);
    std::string text;
    std::size_t place = 0;
    for (std::string event; events >> event;) {
      if (event != "F") text += " " + event;
      renamed.push_back(event == "F" ? place : ++place);
    }
    return text.empty() ? text : thread[1].str() + "[" + text + "]";
  });
  return replaced(shorter, kEvent, [&](const std::smatch& event) {
    const std::size_t place = places.at(event[2]).at(std::stoul(event[3]) - 1);
    return event[1].str() + event[2].str() + "." + std::to_string(place);
  });
}

TEST(FencesOfPrograms, KeysWithoutFences) {
  EXPECT_EQ(withoutFences("0[F W16=1 F R32=1<1.2]1[F W32=1]2[F]|16:0.2;"), "0[ W16=1 R32=1<1.1]1[ W32=1]|16:0.1;");
}

// The executions of a program under each of the models; none if there are too many.
std::vector<std::set<std::string>> executions(const RandomProgram& program, const std::vector<const model::Model*>& models) {
  const litmus::Test test = litmus::parseLitmus(toLitmus(program, "fence"), "fence.litmus");
  std::vector<std::set<std::string>> result;
  try {
    for (const OracleResult& found : runOracle(*test.program, models, 20000)) {
      result.emplace_back();
      for (const std::string& key : found.coKeys) result.back().insert(withoutFences(key));
    }
  } catch (const OracleLimit&) {
    return {};
  }
  return result;
}

RandomProgram withFence(RandomProgram program, Order order, Random& random) {
  Block& thread = program.threads[random.below(static_cast<unsigned>(program.threads.size()))];
  const auto place = static_cast<std::ptrdiff_t>(random.below(static_cast<unsigned>(thread.size()) + 1));
  thread.insert(thread.begin() + place, {.kind = StatementKind::fence, .order = order});
  return program;
}

TEST(FencesOfPrograms, AddsNoExecutionToRandomPrograms) {
  constexpr unsigned kPrograms = 250;
  // Accesses with a fence between them are not ordered.
  const model::Model wrong = model::parseCat("\"wrong\" acyclic ([M] ; (po \\ (po ; [F] ; po)) ; [M] | rf | co | rb)\n"
                                             "empty rmw & (rb ; co)",
                                             "wrong.cat");
  const auto builtIn = loadModels(allModelNames());
  std::vector<const model::Model*> models = {&wrong};
  for (const NamedModel& named : builtIn) {
    models.push_back(&named.model);
    for (const Order order : kFences) EXPECT_EQ(mayInsertFence(named.model, order).verdict, Verdict::proved) << named.name;
  }
  for (const Order order : kFences) EXPECT_EQ(mayInsertFence(wrong, order).verdict, Verdict::refuted);
  unsigned compared = 0, fewer = 0, wronglyAdded = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    Random random(kFirstSeed + i);
    const RandomProgram program = randomProgram(kFirstSeed + i);
    const RandomProgram fenced = withFence(program, kFences[i % std::size(kFences)], random);
    const auto before = executions(program, models);
    const auto after = executions(fenced, models);
    if (before.empty() || after.empty()) continue;
    ++compared;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const bool added = !std::includes(before[m].begin(), before[m].end(), after[m].begin(), after[m].end());
      if (models[m] == &wrong) {
        wronglyAdded += added ? 1 : 0;
        continue;
      }
      ASSERT_FALSE(added) << models[m]->name << '\n' << toLitmus(fenced, "fenced");
      fewer += after[m].size() < before[m].size() ? 1 : 0;
    }
  }
  EXPECT_GT(compared, kPrograms / 2);
  EXPECT_GT(fewer, 0u);
  EXPECT_GT(wronglyAdded, 0u);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("fewer", static_cast<int>(fewer));
  RecordProperty("wronglyAdded", static_cast<int>(wronglyAdded));
}

}  // namespace
}  // namespace heddle::oracle
