// See native_sequential.h.
#include "native_sequential.h"

#include <algorithm>
#include <ranges>
#include <sstream>

#include "shrink_lines.h"

namespace heddle::oracle {

namespace {

// Builds by name, and ways to run each. No compare-exchange fails spuriously: std::weak_ptr has a weak one. Code for the rf
// equivalence is other code (BuildOptions::plainLoads).
std::vector<SequentialVariant> makeVariants() {
  const std::vector<std::pair<std::string, CheckedBuild>> builds = {
      {"", {}},
      {"--races off", {.races = false, .plainLoads = true}},
      {"-- -O2", {.flags = {"-O2"}, .plainLoads = true}},
      {"--races off -- -O2", {.flags = {"-O2"}, .races = false}},
      {"--volatile relaxed", {.volatileRelaxed = true}},
      {"--unroll 1000", {.plainLoads = true, .unroll = 1000}},
      {"--ub", {.plainLoads = true, .undefinedBehaviour = true}},
      {"--no-precompiled -- -O1", {.flags = {"-O1"}, .precompiled = false}},
  };
  std::vector<SequentialVariant> all;
  for (const auto& [name, build] : builds) {
    all.push_back({name, build, {.spurious = false}});
    if (build.plainLoads) {
      all.push_back({"--equivalence rf " + name, build, {.equivalence = explore::Equivalence::rf, .spurious = false}});
    } else {
      all.push_back({"--model tso " + name, build, {.model = "tso", .spurious = false}});
    }
    all.push_back({"--model sc " + name, build, {.model = "sc", .spurious = false}});
    all.push_back({"a mixed-size access; " + name, build, {.spurious = false}, true});
  }
  return all;
}

constexpr std::size_t runsOfABuild = 4;

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// What is not as it should be; empty if nothing.
std::string judge(const CheckedOutcomes& seen) {
  if (seen.unsupported) return "";
  if (seen.race) return "a data race is reported";
  if (seen.outcomes != std::set<std::string>{""}) {
    for (const std::string& outcome : seen.outcomes) {
      if (!outcome.empty()) return outcome;
    }
    return "no execution is complete";
  }
  if (seen.executions != 1 || seen.blocked != 0) {
    return std::to_string(seen.executions) + " executions and " + std::to_string(seen.blocked) + " blocked ones";
  }
  return "";
}

}  // namespace

const std::vector<SequentialVariant>& sequentialVariants() {
  static const std::vector<SequentialVariant> all = makeVariants();
  return all;
}

SequentialFuzzer::SequentialFuzzer(Language language, std::string way) : language_(language), way_(std::move(way)) {
  compiler_.emplace(language, sequentialPrologue(language));
  checksums_ = [this](std::span<const SequentialProgram> programs) -> std::optional<std::vector<std::string>> {
    const std::optional<std::string> output = compiler_->run(toFile(programs, language_), {"-DHOST"}, {std::to_string(inputs)});
    if (!output) return std::nullopt;
    return linesOf(*output);
  };
}

std::optional<SequentialFuzzer::Found> SequentialFuzzer::compare(const CheckedFile& file,
                                                                 const std::vector<std::string>& expected,
                                                                 const SequentialVariant& variant) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t program = i / inputs;
    std::vector<std::string> arguments = {std::to_string(program), std::to_string(i % inputs), expected[i]};
    if (variant.mixed) arguments.push_back("mixed");
    std::string note;
    try {
      const CheckedOutcomes seen = file.explore(arguments, variant.run);
      note = judge(seen);
      if (seen.unsupported) unsupported_.insert(program);
    } catch (const std::exception& error) {
      note = error.what();
    }
    ++counts_.executions;
    if (!note.empty()) return Found{program, note};
  }
  return std::nullopt;
}

SequentialFailure SequentialFuzzer::shrunk(std::uint64_t seed, SequentialProgram program, const SequentialVariant& variant,
                                           const std::string& note) {
  SequentialFailure failure{seed, {}, language_, variant.name, note};
  const auto kindOf = [](const std::string& text) { return text.substr(0, text.find(':')); };
  const auto stillDiffers = [&](const SequentialProgram& candidate) {
    const auto expected = checksums_({&candidate, 1});
    if (!expected) return false;
    std::string found;
    try {
      const CheckedFile file(toFile({&candidate, 1}, language_), language_, variant.build);
      const std::optional<Found> different = compare(file, *expected, variant);
      if (different) found = different->note;
    } catch (const std::exception& error) {
      found = error.what();
    }
    // Another failure is another matter, and so is one of a program that has lost what made it defined.
    if (found.empty() || kindOf(found) != kindOf(note)) return false;
    if (compiler_ && !compiler_->complaints(toFile({&candidate, 1}, language_), {"-DHOST"}, {std::to_string(inputs)}).empty()) {
      return false;
    }
    failure.note = found;
    return true;
  };
  failure.program = shrink(std::move(program), stillDiffers);
  return failure;
}

std::optional<SequentialFailure> SequentialFuzzer::runSeeds(std::uint64_t first, std::size_t count) {
  std::vector<SequentialProgram> programs;
  for (std::uint64_t seed = first; seed < first + count; ++seed) programs.push_back(randomSequential(seed, language_));
  const auto expected = checksums_(programs);
  if (!expected || expected->size() != count * inputs) {
    return SequentialFailure{first, programs[0], language_, "",
                             "some program of the file does not compile, or crashes, natively"};
  }
  unsupported_.clear();
  const std::string text = toFile(programs, language_);
  const std::vector<SequentialVariant>& variants = sequentialVariants();
  const std::size_t builds = variants.size() / runsOfABuild;
  Random random(first);
  const std::size_t other = random.between(2, static_cast<unsigned>(builds) - 1);
  for (std::size_t build = 0; build < builds; ++build) {
    const auto isAsked = [&](std::size_t variant) { return variants[variant].name.find(way_) != std::string::npos; };
    const std::size_t begin = build * runsOfABuild, end = begin + runsOfABuild;
    if (way_.empty() && count > 1 && build > 1 && build != other) continue;
    if (std::ranges::none_of(std::views::iota(begin, end), isAsked)) continue;
    std::optional<Found> found;
    std::size_t variant = begin;
    try {
      const CheckedFile file(text, language_, variants[begin].build);
      for (; variant < end; ++variant) {
        if (isAsked(variant)) found = compare(file, *expected, variants[variant]);
        if (found) break;
      }
    } catch (const std::exception& error) {
      return SequentialFailure{first, programs[0], language_, variants[variant].name, error.what()};
    }
    if (found) return shrunk(first + found->program, programs[found->program], variants[variant], found->note);
  }
  counts_.programs += count - unsupported_.size();
  counts_.skipped += unsupported_.size();
  return std::nullopt;
}

std::string toString(const SequentialFailure& failure) {
  return "Natively and checked a sequential program differs.\nseed " + std::to_string(failure.seed) + ", " +
         (failure.language == Language::c ? "C" : "C++") +
         ", options: " + (failure.variant.empty() ? "none" : failure.variant) + "\n" + failure.note + "\n\n" +
         toFile({&failure.program, 1}, failure.language);
}

}  // namespace heddle::oracle
