#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/exit_code.h"
#include "cli/manual.h"
#include "cli/suggestion.h"
#include "cli/version.h"
#include "report/results/results.h"
#include "trace/formats/formats.h"

namespace heddle::cli {

namespace {

constexpr double kManyExecutions = 1e18;
constexpr double kManySeconds = 1e8;
constexpr double kManyRounds = 1e9;
constexpr double kManyMegabytes = 1e9;
constexpr double kManyJobs = 4096;

// Help on options that several commands have.
const char* const kModelHelp = "The memory model: a built-in one (see `heddle models`) or a `.cat` file.";
const char* const kEquivalenceHelp =
    "When two executions count as one: `co` tells them apart by who reads from whom and by the order of the writes to "
    "each location; `rf` by who reads from whom alone, which can be far fewer.";
constexpr const char* kMpiHelp =
    "Several machines explore, one process of MPI each: `mpirun -n 4 heddle check --mpi FILE`. Each has as many workers as "
    "`-j` says. "
    "Counts, errors and checkpoints are those of a run on one machine. docs/cluster.md has examples, also for Slurm.";
const char* const kJobsHelp = "How many processes explore. Without this option there are as many as there are cores. What is "
                              "found, and what is reported, does "
                              "not depend on it. More than one is started only if the exploration takes more than a moment.";
const char* const kMemoryHelp = "Stop when so much memory is in use, by all processes together, and report what was covered.";
const char* const kStaleHelp =
    "A thread reads a value that has been overwritten at most N times; then it has to see a newer one. For loops that write "
    "while they wait. If a load is left out for that the verdict is `bounded`. Not with `--equivalence rf`.";
const char* const kSampleHelp =
    "N random executions instead of all, each about as likely as any other, for spaces too large to finish. If none has an "
    "error the verdict is `sampled`.";
const char* const kEstimateHelp =
    "Estimate first, from random sweeps through the tree of executions, how many there are, blocked ones included, with an "
    "interval that holds the number with a probability of 95% if the tree is not too uneven. With `--progress` the line then "
    "says how far the run is and how long it will take.";
const char* const kSeedHelp =
    "Where the random numbers of `--sample` and `--estimate` begin: the same seed gives the same executions.";
const char* const kCheckpointHelp =
    "Write what has been found and what is left to this file now and then, and when the run is stopped by a signal or a "
    "budget, so that `heddle resume` can go on from there.";
const char* const kSaveHelp =
    "If there is an error, write to this file how to run its execution again, alone: `heddle replay FILE`.";
const char* const kIntervalHelp = "The time from one checkpoint to the next.";
const char* const kAssumeHelp =
    "Explore under a model of which what the exploration needs could not be established (see `heddle models "
    "--requirements`). Without this such a model is refused. Executions may then be missed or come twice.";
const char* const kRequireHelp =
    "Only this verdict is good enough: `bounded`, `sampled` and `incomplete` end with exit code 1, as an error does.";
const char* const kSandboxHelp =
    "The program's code runs in a sandbox: it can open no file, reach no network, start no process and signal nobody. `on`: "
    "what the "
    "kernel lacks for that is a warning; `require`: it is an error; `off`: no sandbox. See docs/security.md.";
const char* const kGtestHelp = "Programs that include the header of GoogleTest get heddle's own version of it. Each `TEST` is "
                               "explored as a program of its own.";
const char* const kCatch2Help =
    "Programs that include a header of Catch2 get heddle's own version of it. Each `TEST_CASE` is explored as a program of its "
    "own.";
const char* const kIsolationHelp =
    "From whom a transaction is isolated: `strong`, from all other threads; `weak`, from other transactions only, so that an "
    "access "
    "outside, also an atomic one, that conflicts with a transaction and is not ordered with it is a data race "
    "([transactions](transactions.md)).";
const char* const kProgressHelp = "Show on standard error how far the run is; `auto` does so on a terminal.";
const char* const kColorHelp = "Colour the text; `auto` does so on a terminal.";

std::vector<std::string> splitAtCommas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

template <class T>
T parseNumber(const OptionInfo& option, const std::string& text) {
  T value{};
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool bad = text.empty() || problem != std::errc() || stop != text.data() + text.size();
  const double asDouble = static_cast<double>(value);
  if (bad || !std::isfinite(asDouble) || asDouble < option.range.least || asDouble > option.range.most) {
    throw CLI::ValidationError(fmt::format("{} needs a {}, {}, not `{}`", option.name,
                                           std::is_integral_v<T> ? "whole number" : "number", rangeText(option), text));
  }
  return value;
}

// Gives an option's field the value that a text stands for.
void assign(const OptionInfo& option, const std::vector<std::string>& texts, Options& options) {
  const auto set = [&](auto field) {
    using T = std::remove_reference_t<decltype(options.*field)>;
    const auto checkChoice = [&](const std::string& text) {
      const auto& choices = option.range.choices;
      if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
        throw CLI::ValidationError(fmt::format("{} is {}, not `{}`", option.name, rangeText(option), text));
      }
    };
    if constexpr (std::is_same_v<T, bool>) {
      options.*field = true;
    } else if constexpr (std::is_same_v<T, std::string>) {
      checkChoice(texts[0]);
      if (texts[0].empty()) throw CLI::ValidationError(fmt::format("{} needs an argument", option.name));
      options.*field = texts[0];
    } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
      if (texts[0].empty()) throw CLI::ValidationError(fmt::format("{} needs an argument", option.name));
      (options.*field)[option.name.substr(2)] = texts[0];
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      options.*field = option.isOperand() || option.repeatable ? texts : splitAtCommas(texts[0]);
      for (const std::string& text : options.*field) {
        if (text.empty() && !option.repeatable) {
          throw CLI::ValidationError(fmt::format("{}: an empty name", option.name));
        }
        checkChoice(text);
      }
    } else {
      options.*field = parseNumber<T>(option, texts[0]);
    }
  };
  std::visit(set, option.field);
}

// Those of this command alone: several have options that set the same field.
void setDefaults(const std::string& command, Options& options) {
  for (const OptionInfo& option : optionTable()) {
    if (option.command == command && !option.standard.empty()) assign(option, {option.standard}, options);
  }
}

void addOption(CLI::App& command, const OptionInfo& option, Options& options) {
  if (option.isFlag()) {
    command.add_flag_callback(option.name, [&] { assign(option, {}, options); })->disable_flag_override();
    return;
  }
  if (!option.implied.empty()) {  // to CLI11 a flag that may be given a value, after `=`
    std::string& field = options.*std::get<std::string Options::*>(option.field);
    const auto check = [&](const std::string& text) {
      assign(option, {text}, options);
      return std::string();
    };
    command.add_flag(fmt::format("{}{{{}}}", option.name, option.implied), field)->check(check);
    return;
  }
  const auto callback = [&](const CLI::results_t& texts) {
    assign(option, texts, options);
    return true;
  };
  CLI::Option* added = command.add_option(option.name, callback);
  if (option.isOperand()) added->expected(1, 1 << 20)->allow_extra_args();
  if (option.repeatable) added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// The part of the command line that CLI11 sees ends before a `--` if the command takes what follows it.
int takeRest(int argc, const char* const* argv, Options& options) {
  for (const OptionInfo& option : optionTable()) {
    if (!option.isRest() || argc <= 1 || option.command != argv[1]) continue;
    const char* const* end = argv + argc;
    const char* const* found = std::find(argv + 2, end, std::string_view("--"));
    if (found != end) options.*std::get<std::vector<std::string> Options::*>(option.field) = {found + 1, end};
    return static_cast<int>(found - argv);
  }
  return argc;
}

// What does not go together with crashes; empty if there is nothing.
std::string persistencyProblem(const Options& options) {
  const std::string& name = options.persistency;
  const bool isKnown = name.empty() || name == "px86" || name == "ext4" || name == "strict" || name == "weakest";
  if (!isKnown && !name.ends_with(".cat")) {
    return fmt::format("--persistency is px86, ext4, strict, weakest, or a .cat file that defines pb, not `{}`", name);
  }
  if (name != "px86" && options.granularity == "location") return "--granularity is for --persistency px86";
  const bool asksForJournal = !options.journal.empty() && options.journal != "ordered";
  if (name != "ext4" && (asksForJournal || options.noDelayedAllocation)) {
    return "--journal and --no-delayed-allocation are for --persistency ext4";
  }
  if (name != "ext4" && options.unwrittenData == "zeros") {
    return "--unwritten-data is for --persistency ext4";
  }
  if (name.empty() && options.recoveryWrites) return "--recovery-writes is for --persistency";
  if (name.empty()) return options.disk.empty() ? "" : "--disk is for --persistency: add --persistency ext4, or px86";
  if (name == "px86" && !options.model.empty() && options.model != "tso") {
    return "--persistency px86 is about the memory model of x86: leave out --model, or use --model tso";
  }
  if (options.equivalence == "rf")
    return "--persistency needs to know the order of the writes, so it is not for --equivalence rf: leave that out";
  if (!options.leaks.empty()) return "--leaks is not for --persistency: look for leaks in a run without it";
  return "";
}

// CLI11's words for a mistake with the value of an option, which begin with the option (without dashes if it is a flag), in ours.
std::string aboutValue(const std::string& command, const std::string& what) {
  for (const OptionInfo& option : optionTable()) {
    if (option.command != command || option.isOperand() || option.isRest()) continue;
    const std::string letters = option.name.substr(option.name.find_first_not_of('-'));
    if (what == letters + " was given a disallowed flag override") return fmt::format("{} takes no value", option.name);
    if (!what.starts_with(option.name + ':')) continue;
    if (what.ends_with(" missing")) return fmt::format("{} needs a value: {}", option.name, option.argument);
    if (what.find(": At Most 1 ") != std::string::npos) return fmt::format("{} can be given only once", option.name);
  }
  return what;
}

// What does not go together with symmetry; empty if there is nothing.
std::string symmetryProblem(const Options& options) {
  if (options.symmetry != "on") return "";
  const auto refuse = [](const char* option, const char* why) {
    return fmt::format("--symmetry on is not for {}, {}: leave out one of the two", option, why);
  };
  if (!options.persistency.empty()) return refuse("--persistency", "as a crash may tell threads apart");
  if (options.races == "off") return refuse("--races off", "as races tell threads apart");
  if (options.stale != 0) return refuse("--stale", "which leaves out other executions of each thread");
  if (options.fair) return refuse("--fair", "which leaves out other executions of each thread");
  if (options.sample != 0) return refuse("--sample", "which chooses among all executions");
  if (options.estimate) return refuse("--estimate", "which looks at the tree of all executions");
  if (options.model == "lkmm") return refuse("--model lkmm", "which judges complete executions");
  return "";
}

// What is wrong with a command line that CLI11 does not accept, and what to do.
std::string mistake(const std::string& command, int argc, const char* const* argv, std::string what) {
  std::string suggestion;
  what = aboutValue(command, what);
  if (command.empty()) {
    const bool isOption = argv[1][0] == '-';
    what = isOption ? fmt::format("a command comes first, before {}", argv[1]) : fmt::format("no command `{}`", argv[1]);
    if (!isOption) suggestion = suggestCommand(argv[1]);
  }
  const auto isKnown = [&](std::string_view name) {
    return name == "-h" || name == "--help" || std::ranges::any_of(optionTable(), [&](const OptionInfo& option) {
             return option.command == command && option.name == name;
           });
  };
  for (int i = 2; i < argc && !command.empty() && suggestion.empty(); ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    const bool isShort = word.starts_with('-') && !word.starts_with("--");
    const std::string_view name = isShort ? word.substr(0, 2) : word.substr(0, word.find('='));
    if (!word.starts_with('-') || word.size() < 2 || isKnown(name) || std::isdigit(word[1]) != 0) continue;
    what = fmt::format("{} has no option {}", command, word);
    suggestion = suggestOption(command, std::string(word));
    break;
  }
  return fmt::format("{}\n{}Try `heddle {}--help`.\n", what, suggestion, command.empty() ? "" : command + ' ');
}

}  // namespace

const std::vector<CommandInfo>& commandTable() {
  static const std::vector<CommandInfo> kCommands = {
      {"check", "[OPTION]... FILE... [-- FLAG...]", "check a C or C++ program under a memory model",
       "Compiles the files with clang, links them, and explores every execution of the program that the model allows, "
       "starting at `main`. Reports the first execution that goes wrong: a failed assertion, a data race, a bad memory "
       "access, a deadlock, and so on. The files are C (`.c`), C++ (`.cc`, `.cpp`, `.cxx`, ...) or LLVM (`.ll`, "
       "`.bc`). What follows `--` is given to clang, for instance `-- -std=c++20 -I include`."},
      {"litmus", "[OPTION]... FILE|DIR...", "run litmus tests under a memory model",
       "Explores every execution of each test that the model allows and reports the final states, the answer to the "
       "test's condition, data races and failed assertions. A directory stands for all `.litmus` files in it and "
       "below it, in the order of their names."},
      {"test", "[OPTION]... FILE|FOLDER... [-- FLAG...]",
       "run the tests in files and folders, and compare with what they expect",
       "A test is a C or C++ program that says in its first lines what is expected, such as `//! rc20: verified executions=9` "
       "(see below), a "
       "program with `HEDDLE_TEST(name)` in it (`#include <heddle/test.h>`), each of which is explored by itself, or a litmus "
       "test with "
       "expectations. Several run at once. What is in a folder and says nothing about itself is no test; a program that is "
       "named, and "
       "says nothing, is expected to be verified. What follows `--` is given to clang."},
      {"cache", "[OPTION]...", "show or clear what is kept from earlier runs",
       "Precompiled headers, which make compilation fast, and results of tests that passed, for `heddle test`. Both are in a "
       "folder "
       "`heddle` of `$XDG_CACHE_HOME`, or of `~/.cache`. Each kind has a limit: what was not used for longest is deleted."},
      {"resume", "[OPTION]... FILE", "go on with a run from a checkpoint",
       "Goes on with a run of `check` or `litmus` that has written a checkpoint, with the options that it had, and ends as "
       "if it had not been interrupted. It need not be the same machine, nor as many processes; but it must be the same "
       "heddle and the same program, and files are looked for where the first run was told that they are."},
      {"replay", "[OPTION]... FILE [-- ARGUMENT...]", "run the execution of an error again, alone",
       "Runs the failing execution that `check --save FILE` or `check --json` has kept: the same accesses, values and order, "
       "in the program's "
       "own "
       "code, with the options that the check had. It must be the same heddle and the same program, and files are looked for "
       "where the check was told that they are."},
      {"models", "[OPTION]... [NAME|FILE]...", "list the built-in memory models, or print one",
       "Without a name: the built-in models, a line each. With names: their text. A file with a model of your own can "
       "stand for a name."},
      {"prove", "[OPTION]... FILE...", "prove or refute claims about memory models",
       "Decides the claims of query files (`.prove`): that a model is stronger than another, that two relations are the "
       "same, that a compilation scheme is correct. Each answer is `proved`, `refuted` with an execution graph, or `not "
       "decided` with the reason. docs/prove.md describes the language and what is known of every execution. With "
       "`--requirements` or `--transform` the files are models (a built-in name or a `.cat` file)."},
      {"help", "[OPTION]... [COMMAND]", "print help on a command, or the manual", "Prints this help."},
  };
  return kCommands;
}

namespace {

// The options that write executions to files, one for each format that can.
std::vector<OptionInfo> formatOptions(const std::string& command) {
  std::vector<OptionInfo> rows;
  for (const trace::Format& format : trace::formats()) {
    if (format.inFile == nullptr) continue;
    std::string what = "Write the execution that is shown {help}.";
    if (command == "litmus") {
      what = "Write an execution of each test to this file, {help}: one with a failed assertion or a data race, or else the "
             "first in which the condition's formula holds, or, for `forall`, does not hold.";
    } else if (command == "prove") {
      what = "Write the execution of each refutation to a file `FILE-CLAIM.{name}` in this directory, {help}.";
    }
    rows.push_back({.command = command,
                    .name = fmt::format("--{}", format.name),
                    .argument = command == "prove" ? "DIR" : "FILE",
                    .standard = "",
                    .range = {},
                    .help = fmt::format(fmt::runtime(what), fmt::arg("help", format.help), fmt::arg("name", format.name)),
                    .field = &Options::formats});
  }
  return rows;
}

// The options that write results for other programs.
std::vector<OptionInfo> resultOptions(const std::string& command) {
  std::vector<OptionInfo> rows;
  for (const report::ResultFormat& format : report::resultFormats()) {
    rows.push_back({.command = command,
                    .name = fmt::format("--{}", format.name),
                    .argument = format.toFile ? "FILE" : "",
                    .standard = "",
                    .range = {},
                    .help = format.help,
                    .field = format.toFile ? Field(&Options::results) : Field(&Options::github)});
  }
  return rows;
}

}  // namespace

// One row, not one field, a line.
// clang-format off
const std::vector<OptionInfo>& optionTable() {
  static const std::vector<OptionInfo> kOptions = [] {
    std::vector<OptionInfo> rows = {
      {"check", "FILE", "FILE", "", {}, "A source file of the program.", &Options::paths},
      {"check", "--", "FLAG...", "", {}, "Flags for clang: language standard, include paths, macros.",
       &Options::clangFlags},
      {"check", "--compile-commands", "PATH", "", {},
       "Take clang's flags for each file from this compile_commands.json, or from the one in this folder. A name in place of a file "
       "is a target of the project: all its source files are meant.",
       &Options::compileCommands},
      {"check", "--gtest", "", "", {}, kGtestHelp, &Options::gtest},
      {"check", "--catch2", "", "", {}, kCatch2Help, &Options::catch2},
      {"check", "--no-precompiled", "", "", {},
       "Neither use nor keep precompiled versions of the standard headers.", &Options::noPrecompiled},
      {"check", "--args", "WORDS", "", {},
       "The program's own arguments, in one text: words are separated by blanks and may be quoted as in a shell.",
       &Options::argumentText},
      {"check", "--arg", "WORD", "", {},
       "One argument of the program, as it is (`--arg=-x` if it begins with a dash); may be repeated. These come after "
       "the words of `--args`.",
       &Options::arguments, true},
      {"check", "--model", "NAME|FILE", "", {},
       std::string(kModelHelp) + " Without this it is rc20, or tso with `--persistency px86`.", &Options::model},
      {"check", "--equivalence", "co|rf", "co", {.choices = {"co", "rf"}}, kEquivalenceHelp, &Options::equivalence},
      {"check", "--unroll", "N", "", {{}, 1, kManyRounds},
       "Cut every loop that is not known to end, and that does something visible, after N rounds. If a loop is cut the "
       "verdict is `bounded`, or `incomplete` if no execution ran to its end.",
       &Options::unroll},
      {"check", "--unroll-loop", "FILE:LINE=N", "", {},
       "The bound of the loops that begin in that line, whether they are known to end or not. There it takes the place of "
       "that of `--unroll`. The option may be repeated.",
       &Options::unrollLoops, true},
      {"check", "--stale", "N", "", {{}, 1, kManyRounds}, kStaleHelp, &Options::stale},
      {"check", "--fair", "", "", {},
       "A thread that yields or sleeps lets others go first: after that it does not read again what it has read before, if that has "
       "been overwritten. If a load is left out for that the verdict is `bounded`. Not with `--equivalence rf`.",
       &Options::fair},
      {"check", "--without", "REDUCTION,...", "",
       {.choices = {"spin-loops", "joined-loads", "zero-net-effect", "barriers", "futile-reads", "all"}},
       "Turn off a way to explore less, to see what it is worth.", &Options::without, false, "", true},
      {"check", "--reduce", "REDUCTION,...", "",
       {.choices = {"overtaken-awaits", "confirmations", "all"}},
       "Turn on a way to explore less that is not used by itself yet.", &Options::reduce, false, "", true},
      {"check", "--symmetry", "on|off", "off", {.choices = {"on", "off"}},
       "`on`: threads that do the same are explored in one order only. They are started one right after the other, run the same function "
       "and are given the same argument, or make no use of it. Executions are counted up to their exchange. See below.",
       &Options::symmetry},
      {"check", "--list-loops", "", "", {},
       "Explore nothing: print the loops of the program, and how each would be explored. See below.", &Options::listLoops},
      {"check", "--stuck", "SECONDS", "10", {{}, 0.01, kManySeconds},
       "A thread that runs so long without an atomic access or any other visible operation is an error: perhaps it "
       "never ends.",
       &Options::stuck},
      {"check", "--ub", "", "", {},
       "Check for undefined behaviour of the language as well: signed overflow, shifts, conversions, alignment, "
       "copies between objects that overlap.",
       &Options::undefinedBehaviour},
      {"check", "--races", "on|off", "on", {.choices = {"on", "off"}},
       "`off`: data races are not errors; plain accesses that race are explored as relaxed atomics instead. See below.",
       &Options::races},
      {"check", "--isolation", "strong|weak", "strong", {.choices = {"strong", "weak"}}, kIsolationHelp, &Options::isolation},
      {"check", "--volatile", "plain|relaxed", "plain", {.choices = {"plain", "relaxed"}},
       "What accesses to `volatile` variables are: plain accesses, as the standard says, or relaxed atomics.",
       &Options::volatileAccesses},
      {"check", "--no-spurious", "", "", {},
       "Weak compare-exchanges do not fail spuriously, waits on condition variables do not wake up spuriously, and hardware "
       "transactions are aborted by `_xabort` only.",
       &Options::noSpurious},
      {"check", "--liveness", "on|off", "on", {.choices = {"on", "off"}},
       "`off`: a loop that waits for ever for another value is not an error; the execution counts as blocked.",
       &Options::liveness},
      {"check", "--leaks", "unreachable|all", "", {.choices = {"unreachable", "all"}},
       "Memory that is not freed at the end is an error: if nothing points to it any more, which is what `--leaks` alone "
       "means, or with `all` in any case. What globals and the thread_locals of threads that have not ended point to, "
       "directly or through other memory, is reachable.",
       &Options::leaks, false, "unreachable"},
      {"check", "--persistency", "px86|ext4|strict|weakest|FILE", "", {},
       "Explore crashes, too: after each complete execution run `heddle_recovery` on every content that persistent memory, or with "
       "`ext4` the disk, may have been left with, and report errors in there. A `.cat` FILE defines another order `pb` in which writes "
       "persist. See below.",
       &Options::persistency},
      {"check", "--recovery-writes", "", "", {},
       "With `--persistency`: recovery may write durable memory, or files. It may crash, too, and runs a second time on what the two "
       "crashes have left. Without this such a write is an error.",
       &Options::recoveryWrites},
      {"check", "--granularity", "line|location", "line", {.choices = {"line", "location"}},
       "With `--persistency px86`: which writes persist in the order in which they are made, those of one cache line, as hardware does "
       "it, or only those of one location.",
       &Options::granularity},
      {"check", "--journal", "ordered|writeback|journal", "ordered", {.choices = {"ordered", "writeback", "journal"}},
       "With `--persistency ext4`: what goes to the journal of the file system, as the mount option `data=` says.", &Options::journal},
      {"check", "--no-delayed-allocation", "", "", {},
       "With `--persistency ext4`: blocks of the disk are allocated when data is written, and not later.", &Options::noDelayedAllocation},
      {"check", "--block-size", "N", "2", {{}, 1, 256},
       "With `--persistency ext4`: the size of a block of the disk, in bytes. With small blocks small files show what happens to large ones.",
       &Options::blockSize},
      {"check", "--max-file-size", "N", "64", {{}, 1, 256},
       "With `--persistency ext4`: the size of the largest file, in bytes. A call that would make one larger fails.", &Options::maxFileSize},
      {"check", "--disk", "DIR", "", {},
       "With `--persistency`: the files of this folder are there at first. It is read before anything runs, and not changed. With "
       "`ext4` they are on the disk, otherwise in persistent memory, to be mapped.",
       &Options::disk},
      {"check", "--file-errors", "errno|report", "errno", {.choices = {"errno", "report"}},
       "With `--persistency ext4`: a file call that fails sets `errno`, as POSIX says, or is reported as an error of the program.",
       &Options::fileErrors},
      {"check", "--unwritten-data", "error|zeros", "error", {.choices = {"error", "zeros"}},
       "With `--persistency ext4`: recovery that reads a part of a file that was never written, because the size has reached the disk "
       "before the data (`--journal writeback`), is in error, or finds zeros.",
       &Options::unwrittenData},
      {"check", "--explore", "INPUT", "", {},
       "Explore an input of the program that otherwise has one fixed value, which is warned of. `rand=N`: each call of `rand` and the like "
       "gives each number below N (`rand` alone: 0 and 1). `getenv`: it finds nothing, or `1`. `nondet=A..B`: `__VERIFIER_nondet_int` "
       "and its relatives give each number from A to B. May be repeated.",
       &Options::explore, true},
      {"check", "--pure", "NAME", "", {},
       "Accept a call of this external function, which heddle does not know: the result depends on the arguments "
       "alone, and there is no other effect. May be repeated.",
       &Options::pure, true},
      {"check", "--sandbox", "on|off|require", "on", {.choices = {"on", "off", "require"}}, kSandboxHelp, &Options::sandbox},
      {"check", "-j", "N", "", {{}, 1, kManyJobs}, kJobsHelp, &Options::jobs},
      {"check", "--mpi", "", "", {}, kMpiHelp, &Options::mpi},
      {"check", "--first", "", "", {},
       "With several processes: report the first error that one of them finds. Without this it is the first in a fixed "
       "order, the same every time, which may take longer.",
       &Options::first},
      {"check", "--time", "SECONDS", "", {{}, 0.001, kManySeconds},
       "Stop the exploration after so much time and report what was covered. Compilation does not count.", &Options::time},
      {"check", "--memory", "MEGABYTES", "", {{}, 1, kManyMegabytes}, kMemoryHelp, &Options::memory},
      {"check", "--max-executions", "N", "", {{}, 1, kManyExecutions},
       "Stop after N executions, blocked ones included, if there are more. One process explores, so that it is known "
       "which N.",
       &Options::maxExecutions},
      {"check", "--sample", "N", "", {{}, 1, kManyExecutions}, kSampleHelp, &Options::sample},
      {"check", "--estimate", "", "", {}, kEstimateHelp, &Options::estimate},
      {"check", "--seed", "S", "1", {{}, 0, kManyExecutions}, kSeedHelp, &Options::seed},
      {"check", "--checkpoint", "FILE", "", {}, kCheckpointHelp, &Options::checkpoint},
      {"check", "--save", "FILE", "", {}, kSaveHelp, &Options::save},
      {"check", "--checkpoint-interval", "SECONDS", "30", {{}, 0.01, kManySeconds}, kIntervalHelp,
       &Options::checkpointInterval},
      {"check", "--assume-requirements", "", "", {}, kAssumeHelp, &Options::assumeRequirements},
      {"check", "--require", "verified", "", {.choices = {"verified"}}, kRequireHelp, &Options::require},
      {"check", "--suggest", "", "", {},
       "If an error is found, look for stronger memory orders or fences with which the program has none: explore it again with the smallest "
       "change that forbids the failing execution, until there is no error or no change left. Every order that is suggested has been tried. One "
       "process explores.",
       &Options::suggest},
      {"check", "--json", "", "", {}, "Print one JSON object in place of text.", &Options::json},
      {"check", "--output", "", "", {},
       "Show what the program prints, in every execution. Without this it is shown for an error only.",
       &Options::output},
      {"check", "--timing", "", "", {}, "Show where the time went.", &Options::timing},
      {"check", "--quiet", "", "", {}, "Print the verdict and what is wrong; no execution.", &Options::quiet},
      {"check", "--progress", "auto|on|off", "auto", {.choices = {"auto", "on", "off"}}, kProgressHelp,
       &Options::progress},
      {"check", "--color", "auto|always|never", "auto", {.choices = {"auto", "always", "never"}}, kColorHelp,
       &Options::color},
      {"litmus", "FILE", "FILE|DIR", "", {}, "A litmus test, or a directory with tests.", &Options::paths},
      {"litmus", "--model", "NAME|FILE", "", {},
       std::string(kModelHelp) + " Without this a test in C is run under rc20, and an assembly test under the model of its "
       "machine: armv8, power, riscv or tso.",
       &Options::model},
      {"litmus", "--equivalence", "co|rf", "co", {.choices = {"co", "rf"}}, kEquivalenceHelp, &Options::equivalence},
      {"litmus", "--compare", "MODEL,...", "", {},
       "Run each test under several models and print one table, with a row for each test and a column for each model. Takes the place of "
       "`--model`.",
       &Options::compare},
      {"litmus", "--check", "", "", {},
       "Compare with what each file says about itself in `//!` lines, for the models that are run. Every difference "
       "is printed and counts as an error; a race, a failed assertion or a broken claim that the file announces does "
       "not.",
       &Options::check},
      {"litmus", "-j", "N", "", {{}, 1, kManyJobs}, kJobsHelp, &Options::jobs},
      {"litmus", "--time", "SECONDS", "", {{}, 0.001, kManySeconds},
       "Stop a run of one test under one model after so much time, and report what was covered.", &Options::time},
      {"litmus", "--memory", "MEGABYTES", "", {{}, 1, kManyMegabytes}, kMemoryHelp, &Options::memory},
      {"litmus", "--max-executions", "N", "", {{}, 1, kManyExecutions},
       "Stop a run after N executions, blocked ones included, if there are more. One process explores, so that it is "
       "known which N.",
       &Options::maxExecutions},
      {"litmus", "--sample", "N", "", {{}, 1, kManyExecutions}, kSampleHelp, &Options::sample},
      {"litmus", "--estimate", "", "", {}, kEstimateHelp, &Options::estimate},
      {"litmus", "--seed", "S", "1", {{}, 0, kManyExecutions}, kSeedHelp, &Options::seed},
      {"litmus", "--checkpoint", "FILE", "", {}, std::string(kCheckpointHelp) + " For one test and one model.",
       &Options::checkpoint},
      {"litmus", "--checkpoint-interval", "SECONDS", "30", {{}, 0.01, kManySeconds}, kIntervalHelp,
       &Options::checkpointInterval},
      {"litmus", "--isolation", "strong|weak", "strong", {.choices = {"strong", "weak"}}, kIsolationHelp,
       &Options::isolation},
      {"litmus", "--no-spurious", "", "", {}, "Weak compare-exchanges do not fail spuriously.", &Options::noSpurious},
      {"litmus", "--stale", "N", "", {{}, 1, kManyRounds},
       std::string(kStaleHelp) + " Of a litmus test it is `incomplete`.", &Options::stale},
      {"litmus", "--assume-requirements", "", "", {}, kAssumeHelp, &Options::assumeRequirements},
      {"litmus", "--json", "", "", {}, "Print one JSON object in place of text.", &Options::json},
      {"litmus", "--quiet", "", "", {},
       "Print one line for each test, the observation, and what is wrong, but no states and no summary.", &Options::quiet},
      {"litmus", "--progress", "auto|on|off", "auto", {.choices = {"auto", "on", "off"}}, kProgressHelp,
       &Options::progress},
      {"litmus", "--color", "auto|always|never", "auto", {.choices = {"auto", "always", "never"}}, kColorHelp,
       &Options::color},
      {"test", "FILE", "FILE|FOLDER", "", {}, "A test, a folder with tests, or a compile_commands.json that lists tests.", &Options::paths},
      {"test", "--", "FLAG...", "", {}, "Flags for clang, for all programs.", &Options::clangFlags},
      {"test", "-j", "N", "", {{}, 1, kManyJobs}, "How many tests run at once; as many as there are cores without this.",
       &Options::jobs},
      {"test", "--gtest", "", "", {}, kGtestHelp, &Options::gtest},
      {"test", "--catch2", "", "", {}, kCatch2Help, &Options::catch2},
      {"test", "--with", "FILE", "", {},
       "A source file that is compiled and linked with every test: the library under test, if it is not in headers. May be repeated.",
       &Options::with, true},
      {"test", "--filter", "TEXT", "", {}, "Only the tests with this text in their names.", &Options::filter},
      {"test", "--shard", "K/N", "", {}, "Only the tests of part K of N, for machines that share the work.", &Options::shard},
      {"test", "--changed", "COMMIT", "", {},
       "Only the tests that may be affected by what has changed since this commit of git: in their source files, or in what these include.",
       &Options::changed},
      {"test", "--no-cache", "", "", {},
       "Run every test. Without this, a test that passed is not run again as long as nothing has changed that its result depends on "
       "(see `heddle cache`).",
       &Options::noCache},
      {"test", "--list", "", "", {}, "Run nothing: print the names of the tests.", &Options::list},
      {"test", "--sandbox", "on|off|require", "on", {.choices = {"on", "off", "require"}}, kSandboxHelp, &Options::sandbox},
      {"test", "--time", "SECONDS", "", {{}, 0.001, kManySeconds},
       "Stop a test after so much time, if the test itself says nothing else. It has failed then.", &Options::time},
      {"test", "--require", "verified", "", {.choices = {"verified"}},
       "A test whose verdict is `bounded`, `sampled` or `incomplete` has failed, also if that is what it expects.", &Options::require},
      {"test", "--json", "", "", {}, "Print one JSON object in place of text.", &Options::json},
      {"test", "--quiet", "", "", {}, "Print what has failed, and how many tests passed.", &Options::quiet},
      {"test", "--progress", "auto|on|off", "auto", {.choices = {"auto", "on", "off"}}, kProgressHelp,
       &Options::progress},
      {"test", "--color", "auto|always|never", "auto", {.choices = {"auto", "always", "never"}}, kColorHelp,
       &Options::color},
      {"cache", "--clear", "headers|results|all", "", {.choices = {"headers", "results", "all"}}, "Delete what is kept of this kind.",
       &Options::clear, false, "all"},
      {"resume", "FILE", "FILE", "", {}, "A checkpoint.", &Options::checkpoints},
      {"resume", "-j", "N", "", {{}, 1, kManyJobs}, kJobsHelp, &Options::jobs},
      {"resume", "--mpi", "", "", {}, kMpiHelp, &Options::mpi},
      {"resume", "--time", "SECONDS", "", {{}, 0.001, kManySeconds},
       "Stop after so much time, from now, and report what was covered.", &Options::time},
      {"resume", "--memory", "MEGABYTES", "", {{}, 1, kManyMegabytes}, kMemoryHelp, &Options::memory},
      {"resume", "--max-executions", "N", "", {{}, 1, kManyExecutions},
       "Stop after N more executions, blocked ones included, if there are more. One process explores.", &Options::maxExecutions},
      {"resume", "--checkpoint", "FILE", "", {}, "Where to write checkpoints from now on. Without this option it is the same file.",
       &Options::checkpoint},
      {"resume", "--checkpoint-interval", "SECONDS", "30", {{}, 0.01, kManySeconds}, kIntervalHelp,
       &Options::checkpointInterval},
      {"resume", "--sandbox", "on|off|require", "on", {.choices = {"on", "off", "require"}}, kSandboxHelp, &Options::sandbox},
      {"resume", "--json", "", "", {}, "Print one JSON object in place of text.", &Options::json},
      {"resume", "--progress", "auto|on|off", "auto", {.choices = {"auto", "on", "off"}}, kProgressHelp,
       &Options::progress},
      {"replay", "FILE", "FILE", "", {}, "What `check --save` or `check --json` wrote.", &Options::checkpoints},
      {"replay", "--", "ARGUMENT...", "", {}, "What follows `--` is given to gdb.", &Options::gdbArguments},
      {"replay", "--gdb", "", "", {}, "Run it in gdb, which stops at the failing event: see docs/debugging.md.", &Options::gdb},
      {.command = "replay", .name = "--debugged", .argument = "", .standard = "", .range = {}, .help = "A debugger looks at this process.",
       .field = &Options::debugged, .hidden = true},
      {"replay", "--output", "", "", {}, "Print what the program prints.", &Options::output},
      {"replay", "--sandbox", "on|off|require", "on", {.choices = {"on", "off", "require"}}, kSandboxHelp, &Options::sandbox},
      {"replay", "--json", "", "", {}, "Print one JSON object in place of text.", &Options::json},
      {"replay", "--color", "auto|always|never", "auto", {.choices = {"auto", "always", "never"}}, kColorHelp,
       &Options::color},
      {"models", "NAME", "NAME|FILE", "", {}, "A built-in model, or a `.cat` file.", &Options::models},
      {"models", "--requirements", "", "", {},
       "Print what the exploration needs of a model and how, or why not, it was established.", &Options::requirements},
      {"prove", "FILE", "FILE", "", {}, "A query file; a model with `--requirements` and `--transform`.", &Options::paths},
      {"prove", "--requirements", "", "", {},
       "Print, for each model, what exploration and reasoning need of it and what of that is proved.",
       &Options::requirements},
      {"prove", "--transform", "", "", {},
       "Print, for each model, which two adjacent accesses of different locations a compiler may swap.",
       &Options::transform},
      {"prove", "--time", "SECONDS", "60", {{}, 0.001, kManySeconds},
       "Give up on a claim after so much processor time; it is then not decided.", &Options::time},
      {"prove", "--litmus", "DIR", "", {},
       "Write each refutation of a claim about models to a file `FILE-CLAIM.litmus` in this directory, if it is the "
       "execution of a program.",
       &Options::litmusDirectory},
      {"prove", "--json", "", "", {}, "Print one JSON object in place of text.", &Options::json},
      {"prove", "--quiet", "", "", {}, "Print answers, reasons and warnings, but no counterexamples.", &Options::quiet},
      {"help", "COMMAND", "COMMAND", "", {}, "The command to explain.", &Options::topics},
      {"help", "--markdown", "", "", {}, "Print the manual, which is docs/manual.md.", &Options::markdown},
      {"help", "--man", "", "", {}, "Print the page for man(1): that of the command, or that of the program.", &Options::man},
      {"help", "--completion", "SHELL", "", {.choices = {"bash", "zsh", "fish"}},
       "Print a script with which this shell completes the command line.", &Options::completion},
    };
    for (const std::string command : {"check", "litmus", "prove", "test", "replay"}) {
      const auto json = std::ranges::find_if(rows, [&](const OptionInfo& o) { return o.command == command && o.name == "--json"; });
      std::vector<OptionInfo> more = command == "test" ? std::vector<OptionInfo>{} : formatOptions(command);
      if (command != "replay") std::ranges::move(resultOptions(command), std::back_inserter(more));
      rows.insert(json + 1, more.begin(), more.end());
    }
    return rows;
  }();
  return kOptions;
}
// clang-format on

std::string rangeText(const OptionInfo& option) {
  if (!option.range.choices.empty()) return fmt::format("one of {}", fmt::join(option.range.choices, ", "));
  if (option.range.most > 0) return fmt::format("at least {}", option.range.least);
  return "";
}

std::variant<Options, EarlyExit> parseCommandLine(int argc, const char* const* argv) {
  Options options;
  CLI::App app("heddle", "heddle");
  app.set_help_flag("-h,--help");
  app.set_version_flag("--version", versionText());
  app.require_subcommand(1);
  for (const CommandInfo& command : commandTable()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    // To add an option takes time, so what no word begins with is left out.
    const auto isUsed = [&](const std::string& name) {
      return std::any_of(argv, argv + argc, [&](std::string_view word) { return word.starts_with(name); });
    };
    if (!isUsed(command.name)) continue;
    sub->set_help_flag("-h,--help");
    for (const OptionInfo& option : optionTable()) {
      if (option.command != command.name || option.isRest()) continue;
      if (option.isOperand() || isUsed(option.name)) addOption(*sub, option, options);
    }
    sub->preparse_callback([&](std::size_t) { setDefaults(command.name, options); });
  }
  const auto usedCommand = [&] {
    const auto used = app.get_subcommands();
    return used.empty() ? std::string() : used.front()->get_name();
  };
  try {
    if (argc <= 1) return EarlyExit{kBadInput, helpText("")};
    app.parse(takeRest(argc, argv, options), argv);
  } catch (const CLI::CallForHelp&) {
    return EarlyExit{kNoError, helpText(usedCommand())};
  } catch (const CLI::CallForVersion&) {
    const bool asJson = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return EarlyExit{kNoError, asJson ? versionJson() : versionText() + '\n'};
  } catch (const CLI::ParseError& error) {
    return EarlyExit{kBadInput, "heddle: " + mistake(usedCommand(), argc, argv, error.what())};
  }
  options.command = usedCommand();
  options.words.assign(argv + 1, argv + argc);
  if ((options.command == "resume" || options.command == "replay") && options.checkpoints.size() != 1) {
    return EarlyExit{kBadInput, fmt::format("heddle: {0} needs one file\nTry `heddle {0} --help`.\n", options.command)};
  }
  if (options.command == "litmus" && options.paths.empty()) {
    return EarlyExit{kBadInput, "heddle: litmus needs a file or a directory\nTry `heddle litmus --help`.\n"};
  }
  if (options.command == "test" && options.paths.empty()) {
    return EarlyExit{kBadInput, "heddle: test needs a file or a folder\nTry `heddle test --help`.\n"};
  }
  if (options.command == "check" && options.paths.empty()) {
    return EarlyExit{kBadInput, "heddle: check needs a file\nTry `heddle check --help`.\n"};
  }
  if (const std::string problem = persistencyProblem(options); !problem.empty()) {
    return EarlyExit{kBadInput, fmt::format("heddle: {}\n", problem)};
  }
  if (const std::string problem = symmetryProblem(options); !problem.empty()) {
    return EarlyExit{kBadInput, fmt::format("heddle: {}\n", problem)};
  }
  if ((options.stale != 0 || options.fair) && options.equivalence == "rf") {
    return EarlyExit{kBadInput,
                     fmt::format("heddle: {} needs to know which write is the last, so it is not for --equivalence rf\n",
                                 options.stale != 0 ? "--stale" : "--fair")};
  }
  return options;
}

}  // namespace heddle::cli
