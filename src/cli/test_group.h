// The tests of one program: it is compiled once, and each test is explored in a process that is forked from there.
//
// A group is a process of its own, because a process can hold one program. What it finds it tells the process that started it, in
// lines of JSON: first its tests, then how each of them ended.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/job_slots.h"
#include "cli/options.h"
#include "suite/cases.h"
#include "suite/result_cache.h"
#include "util/child_process.h"

namespace heddle::cli {

// Options of a case's own command line, as `heddle test` runs it: one process, and its time. Throws InputError.
Options caseOptions(const suite::Case& tested, const Options& ofTests);

// Which of the tests that a program turns out to have are run: by name and number.
using Selection = std::function<bool(const suite::Case& tested, std::size_t number)>;

struct TestRun {
  suite::Case tested;
  util::Finished finished;
  double seconds = 0;
  bool hasEnded = false;
  bool isKept = false;  // from an earlier run
};

class TestGroup {
 public:
  // Cases of one program that are built in the same way, each with its number. The number of a test is that of its case plus its place
  // among the tests of the program.
  struct Member {
    suite::Case program;
    std::size_t number;
  };
  // What is needed to keep results (suite/result_cache.h); of a group whose process has ended.
  struct Dependencies {
    bool hasTests = false;
    std::vector<suite::ListedTest> listed;
    std::optional<suite::Inputs> inputs;
  };
  explicit TestGroup(std::vector<Member> members) : members_(std::move(members)) {}
  TestGroup(TestGroup&& other) noexcept;
  TestGroup& operator=(TestGroup&&) = delete;
  ~TestGroup();

  // `listOnly`: runs no test. The process works in one slot that has been taken for it, and takes more if there are some.
  void start(const Options& options, const Selection& selects, bool listOnly, JobSlots& slots);
  // In place of start(): nothing has to be run, as these are the results.
  void finishWith(std::vector<TestRun> runs);
  // Takes in what the process has told.
  void update();

  bool hasStarted() const { return process_ > 0; }
  bool hasEnded() const { return ended_; }
  int pipe() const { return pipe_; }  // to wait for news
  // The tests are known, or will not be.
  bool isPlanned() const { return planned_ || ended_; }
  const std::vector<TestRun>& runs() const { return runs_; }
  const std::vector<std::string>& problems() const { return problems_; }  // because of which there are fewer tests
  const Dependencies& dependencies() const { return dependencies_; }
  double compileSeconds() const { return compileSeconds_; }
  const std::vector<Member>& members() const { return members_; }

 private:
  void take(const std::string& line);
  void finish();

  std::vector<Member> members_;
  std::vector<TestRun> runs_;
  std::vector<std::string> problems_;
  Dependencies dependencies_;
  double compileSeconds_ = 0;
  std::string unread_;  // the beginning of a line
  pid_t process_ = -1;
  int pipe_ = -1;
  bool planned_ = false, ended_ = false;
};

}  // namespace heddle::cli
