#include "cli/test_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/check_command.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/litmus_command.h"
#include "cli/models.h"
#include "runtime/test_program.h"
#include "util/stopwatch.h"

namespace heddle::cli {

namespace {

using nlohmann::json;
using util::Clock;
using util::secondsSince;

constexpr useconds_t kMicrosecondsToWait = 500;  // before a look at the children

// Standard error of this process, for a while.
class CaughtError {
 public:
  CaughtError() {
    std::fflush(stderr);
    dup2(fileno(file_.get()), STDERR_FILENO);
  }
  CaughtError(const CaughtError&) = delete;
  CaughtError& operator=(const CaughtError&) = delete;

  std::string end() {
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);
    close(before_);
    const int file = fileno(file_.get());
    std::string text(static_cast<std::size_t>(std::max(lseek(file, 0, SEEK_END), off_t{0})), '\0');
    if (pread(file, text.data(), text.size(), 0) < 0) text.clear();
    return text;
  }

 private:
  util::TemporaryFile file_ = util::temporaryFile();
  int before_ = dup(STDERR_FILENO);
};

// What the process of a group does.
class GroupProcess {
 public:
  GroupProcess(const std::vector<TestGroup::Member>& members, const Options& options, const Selection& selects, JobSlots& slots,
               int pipe)
      : members_(members), options_(options), selects_(selects), slots_(slots), pipe_(pipe) {}

  void run(bool listOnly) {
    const Clock::time_point start = Clock::now();
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    start_ = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
    if (members_.front().program.expectation) build();
    compileSeconds_ = secondsSince(start);
    std::vector<suite::ListedTest> tests;
    if (built_ && built_->hasTests()) tests = list();
    plan(tests);
    if (!listOnly) runAll();
  }

 private:
  struct Test {
    std::size_t member;
    suite::Case tested;
  };
  struct Running {
    std::size_t index;
    std::unique_ptr<util::ChildProcess> child;
    Clock::time_point start;
  };

  void tell(const json& object) const {
    const std::string line = object.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t written = write(pipe_, line.data() + at, line.size() - at);
      if (written > 0) at += static_cast<std::size_t>(written);
      if (written >= 0 || errno == EINTR) continue;
      if (errno != EPIPE) fmt::print(stderr, "heddle: cannot write to a pipe: {}\n", std::strerror(errno));
      _exit(kIncomplete);  // nobody hears what else there is to say
    }
  }

  void build() {
    CaughtError messages;
    endWithoutMemory("");
    try {
      built_.emplace(buildOptionsOf(caseOptions(members_.front().program, options_)));
    } catch (const InputError& error) {
      unbuilt_ = error.what();
    } catch (const native::InputError& error) {
      unbuilt_ = error.what();
    }
    endWithoutMemory(std::nullopt);
    messages_ = messages.end();
  }

  std::vector<suite::ListedTest> list() {
    util::ChildProcess child([&] {
      Options options = caseOptions(members_.front().program, options_);
      options.arguments = {runtime::kListTests};
      options.json = false;
      options.output = true;
      options.quiet = true;
      return runBuiltCheck(options, built_);
    });
    const util::Finished finished = child.wait();
    if (finished.code != kNoError) {
      tell({{"problem", fmt::format("{}: error: the tests of this program cannot be listed:\n{}{}",
                                    members_.front().program.file, finished.out, finished.err)}});
      _exit(kBadInput);
    }
    return suite::parseListedTests(finished.out);
  }

  void plan(const std::vector<suite::ListedTest>& tests) {
    json planned = json::array();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::vector<suite::Case> cases = {members_[i].program};
      try {
        if (built_ && built_->hasTests()) cases = suite::withTests(members_[i].program, tests);
      } catch (const suite::SuiteError& error) {
        tell({{"problem", error.what()}});
        continue;
      }
      for (std::size_t k = 0; k < cases.size(); ++k) {
        if (!selects_(cases[k], members_[i].number + k)) continue;
        planned.push_back({{"member", i}, {"test", cases[k].test}, {"argument", cases[k].argument}});
        tests_.push_back({i, std::move(cases[k])});
      }
    }
    json listed = json::array();
    for (const suite::ListedTest& test : tests) listed.push_back({test.name, test.argument});
    tell({{"plan", planned},
          {"compileSeconds", compileSeconds_},
          {"hasTests", built_ && built_->hasTests()},
          {"listed", listed},
          {"inputs", inputs()}});
  }

  json inputs() const {
    const bool isLitmus = !members_.front().program.expectation;
    if (options_.noCache || (!isLitmus && !built_)) return nullptr;
    native::InputFiles files;
    if (built_) files = built_->inputs();
    if (isLitmus) files.read.insert(std::filesystem::absolute(members_.front().program.file).string());
    const auto found = suite::inputsOf(files.read, files.absent, files.folders, start_);
    if (!found) return nullptr;
    return {{"files", found->files}, {"folders", found->folders}, {"absent", found->absent}};
  }

  void runAll() {
    std::list<Running> running;
    std::size_t next = 0;
    const auto mayStart = [&] { return next < tests_.size() && !wasInterrupted() && (running.empty() || slots_.tryTake()); };
    while (!running.empty() || (next < tests_.size() && !wasInterrupted())) {
      while (mayStart()) {
        const std::size_t index = next++;
        running.push_back(
            {index, std::make_unique<util::ChildProcess>([&] { return runTest(tests_[index].tested); }), Clock::now()});
      }
      bool ended = false;
      for (auto entry = running.begin(); entry != running.end();) {
        if (!entry->child->hasEnded()) {
          ++entry;
          continue;
        }
        ended = true;
        tellEnd(*entry);
        entry = running.erase(entry);
        if (!running.empty()) slots_.give();
      }
      if (!ended) usleep(kMicrosecondsToWait);
    }
  }

  int runTest(const suite::Case& tested) {
    try {
      const Options options = caseOptions(tested, options_);
      if (!tested.expectation) return runLitmusCommand(options);
      return built_ ? runBuiltCheck(options, built_) : reportUnbuilt(options, unbuilt_);
    } catch (const InputError& error) {
      fmt::print(stderr, "{}\n", error.what());
      return kBadInput;
    }
  }

  void tellEnd(Running& test) const {
    const util::Finished finished = test.child->wait();
    tell({{"end", test.index},
          {"code", finished.code},
          {"out", finished.out},
          {"err", messages_ + finished.err},
          {"seconds", secondsSince(test.start)}});
  }

  const std::vector<TestGroup::Member>& members_;
  const Options& options_;
  const Selection& selects_;
  JobSlots& slots_;
  int pipe_;
  std::optional<run::BuiltProgram> built_;
  std::string unbuilt_;   // why it is not
  std::string messages_;  // of the compiler
  long long start_ = 0;   // in nanoseconds of the system's clock
  double compileSeconds_ = 0;
  std::vector<Test> tests_;
};

}  // namespace

namespace {

std::string howItEnded(int status) { return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status)) : "see above"; }

}  // namespace

Options caseOptions(const suite::Case& tested, const Options& ofTests) {
  const std::vector<std::string> command = tested.command();
  std::vector<const char*> words = {"heddle"};
  for (const std::string& word : command) words.push_back(word.c_str());
  auto parsed = parseCommandLine(static_cast<int>(words.size()), words.data());
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) throw InputError(early->text);
  Options options = std::move(std::get<Options>(parsed));
  if (options.jobs == 0) options.jobs = 1;  // several tests run at once
  if (options.time == 0) options.time = ofTests.time;
  if (ofTests.sandbox != "on") options.sandbox = ofTests.sandbox;
  options.progress = "off";
  options.color = "never";
  return options;
}

TestGroup::TestGroup(TestGroup&& other) noexcept
    : members_(std::move(other.members_)),
      runs_(std::move(other.runs_)),
      problems_(std::move(other.problems_)),
      dependencies_(std::move(other.dependencies_)),
      compileSeconds_(other.compileSeconds_),
      unread_(std::move(other.unread_)),
      process_(std::exchange(other.process_, -1)),
      pipe_(std::exchange(other.pipe_, -1)),
      planned_(other.planned_),
      ended_(other.ended_) {}

TestGroup::~TestGroup() {
  if (pipe_ >= 0) close(pipe_);
}

void TestGroup::start(const Options& options, const Selection& selects, bool listOnly, JobSlots& slots) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw InputError("heddle: cannot make a pipe: too many files are open");
  std::fflush(stdout);
  process_ = fork();
  if (process_ < 0) throw InputError("heddle: cannot start a process");
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close(ends[0]);
    int code = kInternalError;
    try {
      GroupProcess(members_, options, selects, slots, ends[1]).run(listOnly);
      code = kNoError;
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    std::fflush(stderr);
    _exit(code);
  }
  close(ends[1]);
  pipe_ = ends[0];
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

void TestGroup::finishWith(std::vector<TestRun> runs) {
  runs_ = std::move(runs);
  planned_ = ended_ = true;
}

void TestGroup::update() {
  char part[65536];
  for (;;) {
    const ssize_t count = read(pipe_, part, sizeof part);
    if (count == 0) return finish();
    if (count < 0) {
      if (errno == EINTR) continue;
      return;  // nothing for now
    }
    unread_.append(part, static_cast<std::size_t>(count));
    for (std::size_t end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
      take(unread_.substr(0, end));
      unread_.erase(0, end + 1);
    }
  }
}

void TestGroup::take(const std::string& line) {
  const json object = json::parse(line);
  if (object.contains("problem")) problems_.push_back(object.at("problem"));
  if (object.contains("plan")) {
    for (const json& test : object.at("plan")) {
      TestRun run;
      run.tested = members_[test.at("member").get<std::size_t>()].program;
      run.tested.test = test.at("test");
      run.tested.argument = test.at("argument");
      runs_.push_back(std::move(run));
    }
    compileSeconds_ = object.at("compileSeconds");
    dependencies_.hasTests = object.at("hasTests");
    for (const json& test : object.at("listed")) dependencies_.listed.push_back({test.at(0), test.at(1)});
    if (const json& inputs = object.at("inputs"); inputs.is_object()) {
      dependencies_.inputs = suite::Inputs{inputs.at("files").get<std::map<std::string, std::string>>(),
                                           inputs.at("folders").get<std::map<std::string, std::string>>(),
                                           inputs.at("absent").get<std::set<std::string>>()};
    }
    planned_ = true;
  }
  if (object.contains("end")) {
    TestRun& run = runs_.at(object.at("end").get<std::size_t>());
    run.finished = {object.at("code"), object.at("out"), object.at("err")};
    run.seconds = object.at("seconds");
    run.hasEnded = true;
  }
}

void TestGroup::finish() {
  int status = 0;
  waitpid(process_, &status, 0);
  ended_ = true;
  if (planned_ && status != 0 && !wasInterrupted()) {
    fmt::print(stderr, "{}: warning: heddle ended before all tests of this program were run ({})\n",
               members_.front().program.file, howItEnded(status));
  }
  if (planned_ || !problems_.empty()) return;
  problems_.push_back(fmt::format("{}: error: heddle ended while it compiled this program ({})", members_.front().program.file,
                                  howItEnded(status)));
}

}  // namespace heddle::cli
