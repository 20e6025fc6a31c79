#include "native_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/trail.h"

namespace heddle::oracle {

namespace {

// The dialect has integers for everything.
constexpr const char* kBegin = R"(#include <heddle/linux.h>
#include <stdio.h>
#define atomic_add(i, p) (atomic_add)((i), (atomic_t*)(p))
#define atomic_fetch_add(i, p) (atomic_fetch_add)((i), (atomic_t*)(p))
#define atomic_fetch_add_relaxed(i, p) (atomic_fetch_add_relaxed)((i), (atomic_t*)(p))
#define atomic_fetch_add_acquire(i, p) (atomic_fetch_add_acquire)((i), (atomic_t*)(p))
#define atomic_fetch_add_release(i, p) (atomic_fetch_add_release)((i), (atomic_t*)(p))
)";

std::string threadText(const std::vector<KernelStatement>& thread, std::size_t program, std::size_t number) {
  std::string text = fmt::format(
      "static void* p{0}_{1}(void* argument) {{\n  int *const x = &x_{0}, *const y = &y_{0};\n  spinlock_t* const l = &l_{0};\n"
      "  struct srcu_struct* const s = &s_{0};\n  (void)x, (void)y, (void)l, (void)s;\n",
      program, number);
  for (std::size_t i = 0; i < thread.size(); ++i) {
    if (thread[i].reads()) text += fmt::format("  int r{} = 0;\n", i);
  }
  for (const std::string& line : kernelLines(thread)) text += fmt::format("  {}\n", line);
  for (std::size_t i = 0; i < thread.size(); ++i) {
    if (!thread[i].reads()) continue;
    const bool isIndex = thread[i].op == KernelOp::srcuLock;  // whose value is of no interest
    text += fmt::format("  r_{}[{}][{}] = {};\n", program, number, i, isIndex ? "0" : fmt::format("r{}", i));
  }
  return text + "  return 0;\n}\n";
}

}  // namespace

std::string kernelFile(std::span<const KernelProgramTable> programs) {
  std::string text = kBegin, cases;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    text +=
        fmt::format("static int x_{0}, y_{0}, r_{0}[4][16];\nstatic spinlock_t l_{0};\nstatic struct srcu_struct s_{0};\n", p);
    std::string start, join, print;
    for (std::size_t t = 0; t < programs[p].size(); ++t) {
      text += threadText(programs[p][t], p, t);
      start += fmt::format("      pthread_create(&threads[{1}], 0, p{0}_{1}, 0);\n", p, t);
      join += fmt::format("      pthread_join(threads[{}], 0);\n", t);
      for (std::size_t i = 0; i < programs[p][t].size(); ++i) {
        if (programs[p][t][i].reads()) print += fmt::format("      printf(\"%d \", r_{}[{}][{}]);\n", p, t, i);
      }
    }
    print += fmt::format("      printf(\"%d %d \", x_{0}, y_{0});\n", p);
    cases += fmt::format("    case {}:\n{}{}{}      break;\n", p, start, join, print);
  }
  return text + "int main(int argc, char** argv) {\n  pthread_t threads[4];\n  (void)argc;\n  switch (atoi(argv[1])) {\n" +
         cases + "  }\n}\n";
}

namespace {

// How often a section of SRCU reads what others leave in the structure is no matter of C.
bool hasSrcu(const KernelProgramTable& program) {
  const auto isSrcu = [](const KernelStatement& s) { return s.location == kSrcu && s.op != KernelOp::fence; };
  return std::ranges::any_of(program, [&](const auto& thread) { return std::ranges::any_of(thread, isSrcu); });
}

// May a thread wait for a lock that another never gives back? Then the oracle has no execution, and C one that has not ended.
bool mayWaitForEver(const KernelProgramTable& program) {
  return std::ranges::any_of(program, [](const auto& thread) {
    const auto count = [&](KernelOp op) { return std::ranges::count(thread, op, &KernelStatement::op); };
    return count(KernelOp::lock) + count(KernelOp::tryLock) > count(KernelOp::unlock);
  });
}

std::string shown(std::map<std::string, unsigned> states, bool counted, bool race) {
  std::string text = race ? "race\n" : "no race\n";
  for (const auto& [state, count] : states) text += fmt::format("{}: {}\n", state, counted ? count : 1);
  return text;
}

// Nothing but what there is, each as often, and all of it but what only comes from thin air.
bool isWithin(const CheckedOutcomes& found, const KernelOutcome& expected, bool counted) {
  const auto timesIn = [&](const std::map<std::string, unsigned>& states, const std::string& state) {
    const auto at = states.find(state);
    return at == states.end() ? 0 : counted ? at->second : 1;
  };
  const auto areIn = [&](const std::map<std::string, unsigned>& states, const std::map<std::string, unsigned>& others) {
    return std::ranges::all_of(states,
                               [&](const auto& state) { return timesIn(states, state.first) <= timesIn(others, state.first); });
  };
  return areIn(found.counts, expected.states) && areIn(expected.grounded, found.counts) &&
         (found.race ? expected.race : !expected.groundedRace);
}

}  // namespace

std::optional<std::string> KernelFuzzer::compare(const CheckedFile& file, std::size_t number, const KernelProgramTable& program,
                                                 const KernelOutcome& expected) {
  CheckedOutcomes found;
  try {
    found = file.explore({std::to_string(number)}, {.model = "lkmm"});
  } catch (const LimitError&) {
    ++incomplete_;
    return std::nullopt;
  }
  ++counts_.programs;
  counts_.branching += expected.states.size() > 1;
  for (const auto& [state, count] : expected.states) counts_.executions += count;
  races_ += expected.race;
  // What a program with a data race does besides is not all explored: no more than there is.
  const bool racesToo = found.race && expected.race;
  if (racesToo && std::ranges::all_of(found.counts, [&](const auto& state) { return expected.states.contains(state.first); })) {
    return std::nullopt;
  }
  if (found.race && !expected.race && found.blocked != 0 && mayWaitForEver(program)) return std::nullopt;
  const bool counted = !hasSrcu(program);
  if (isWithin(found, expected, counted)) return std::nullopt;
  const std::string is = shown(found.counts, counted, found.race), should = shown(expected.states, counted, expected.race);
  return fmt::format("{}found\n{}expected\n{}", litmusText(program), is, should);
}

std::optional<std::string> KernelFuzzer::runSeeds(std::uint64_t first, std::size_t count) {
  std::vector<KernelProgramTable> programs;
  std::vector<KernelOutcome> expected;
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    KernelProgramTable program = randomKernelProgram(seed);
    KernelOutcome outcome = kernelOutcome(program);
    if (outcome.tooLarge) {
      ++counts_.skipped;
      continue;
    }
    programs.push_back(std::move(program));
    expected.push_back(std::move(outcome));
    seeds.push_back(seed);
  }
  const CheckedFile file(kernelFile(programs), Language::c, {.kernel = true});
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (const auto difference = compare(file, i, programs[i], expected[i])) {
      return fmt::format("seed {}\n{}", seeds[i], *difference);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::oracle
