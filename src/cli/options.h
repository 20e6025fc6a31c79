// Every command and option, in one table.
//
// An option is a row of optionTable(): its name, argument, default, range, help text, and the field it sets. The
// command line, the text of --help and docs/manual.md are all made from the rows, so they cannot disagree, and
// adding an option is adding a row and a field. The rows of the formats of executions come from their own table
// (trace/formats/formats.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace heddle::cli {

// What the command line said. Fields that the command's own rows of the table have no default for are as they are here.
struct Options {
  std::string command;
  std::vector<std::string> words;  // the command line itself, without the program's name

  // check and litmus
  std::vector<std::string> paths;
  std::string model;
  std::string equivalence;
  bool json = false;
  std::map<std::string, std::string> formats;  // by its name, the file that one of trace/formats goes to; of prove the folder
  std::map<std::string, std::string> results;  // by its name, the file that one of report/results goes to
  bool github = false;                         // annotations of a workflow
  std::string require;                         // the only verdict that is good enough; empty: any but an error
  bool noSpurious = false;
  std::uint64_t stale = 0;  // 0: no bound
  std::uint64_t jobs = 0;   // 0: as many as there are cores
  bool mpi = false;
  bool first = false;
  double time = 0;
  std::uint64_t memory = 0;  // in megabytes
  std::uint64_t maxExecutions = 0;
  std::uint64_t sample = 0;
  std::uint64_t seed = 0;
  bool estimate = false;
  std::string checkpoint;
  std::string save;  // the file for a failure
  double checkpointInterval = 0;
  bool assumeRequirements = false;
  bool quiet = false;
  std::string progress;
  std::string color;

  // check
  std::vector<std::string> clangFlags;
  std::string compileCommands;
  bool gtest = false;
  bool catch2 = false;
  bool noPrecompiled = false;
  std::string argumentText;
  std::vector<std::string> arguments;
  bool fair = false;
  std::uint64_t unroll = 0;
  std::vector<std::string> unrollLoops;
  std::string symmetry;
  std::vector<std::string> without;  // reductions
  std::vector<std::string> reduce;   // the same, turned on
  bool listLoops = false;
  double stuck = 0;
  bool undefinedBehaviour = false;
  std::string races;
  std::string isolation;
  std::string volatileAccesses;
  std::string liveness;
  bool suggest = false;     // stronger orders, if there is an error
  std::string leaks;        // empty: not looked for
  std::string persistency;  // empty: crashes are not explored
  std::string granularity;
  std::string journal;
  bool noDelayedAllocation = false;
  std::uint64_t blockSize = 0;
  std::uint64_t maxFileSize = 0;
  std::string disk;  // a folder; empty: the disk is empty at first
  std::string fileErrors;
  std::string unwrittenData;
  bool recoveryWrites = false;
  std::vector<std::string> pure;
  std::string sandbox;
  std::vector<std::string> explore;  // inputs
  bool output = false;
  bool timing = false;

  // test; with paths, clangFlags, jobs, time, json, results, quiet
  std::string filter;
  std::vector<std::string> with;  // source files that belong to every test
  std::string shard;
  std::string changed;  // since this commit; empty: all tests
  bool noCache = false;
  bool list = false;

  // cache
  std::string clear;  // what of it; empty: nothing

  // litmus
  std::vector<std::string> compare;
  bool check = false;

  // resume
  std::vector<std::string> checkpoints;

  // replay
  bool gdb = false;
  std::vector<std::string> gdbArguments;
  bool debugged = false;  // by a debugger, which this process waits for

  // models
  std::vector<std::string> models;
  bool requirements = false;

  // prove; with paths, json, formats, requirements, quiet
  bool transform = false;
  std::string litmusDirectory;

  // help
  std::vector<std::string> topics;
  bool markdown = false;
  bool man = false;
  std::string completion;  // a shell; empty: no script is asked for
};

struct Range {
  std::vector<std::string> choices;  // of a text, if only some are allowed
  double least = 0;                  // of a number
  double most = 0;
};

using Field = std::variant<bool Options::*, double Options::*, std::uint64_t Options::*, std::string Options::*,
                           std::vector<std::string> Options::*, std::map<std::string, std::string> Options::*>;

struct OptionInfo {
  std::string command;
  std::string name;      // "--model"; an operand has a name without dashes, "FILE"; "--" takes all that follows
  std::string argument;  // as help texts show it; empty for a flag
  std::string standard;  // the default; empty if there is none
  Range range;
  std::string help;
  Field field;
  bool repeatable = false;   // each use adds one text; otherwise a list is one text with commas
  std::string implied = {};  // what the name alone stands for; a value is given as `--name=value`
  bool hidden = false;       // not in help texts and in the manual: for measurements

  bool isRest() const { return name == "--"; }
  bool isOperand() const { return name[0] != '-'; }
  bool isFlag() const { return std::holds_alternative<bool Options::*>(field); }
};

struct CommandInfo {
  std::string name;
  std::string usage;    // what follows the name
  std::string summary;  // half a line
  std::string help;     // a paragraph
};

const std::vector<CommandInfo>& commandTable();
const std::vector<OptionInfo>& optionTable();

// "at least 1" or "one of co, rf", for people; empty if there is nothing to say.
std::string rangeText(const OptionInfo& option);

// A request that ends the program at once: --help, --version, or a mistake.
struct EarlyExit {
  int code;
  std::string text;  // for standard output if the code is 0, for standard error otherwise
};

std::variant<Options, EarlyExit> parseCommandLine(int argc, const char* const* argv);

}  // namespace heddle::cli
