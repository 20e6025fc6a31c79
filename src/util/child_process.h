// Runs a program as a child.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace heddle::util {

struct Finished {
  int code = -1;  // negative: ended by that signal
  std::string out, err;
};

// A child whose standard output and error go to files.
class ChildProcess {
 public:
  // In this folder, if one is given.
  explicit ChildProcess(std::vector<std::string> command, const std::string& folder = "")
      : out_(std::tmpfile()), err_(std::tmpfile()), id_(fork()) {
    if (id_ != 0) return;
    if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(99);
    if (dup2(fileno(out_), 1) < 0 || dup2(fileno(err_), 2) < 0) _exit(99);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(98);
  }
  // Runs this function in a copy of this process, and ends with what it returns.
  explicit ChildProcess(const std::function<int()>& body) : out_(std::tmpfile()), err_(std::tmpfile()), id_(fork()) {
    if (id_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (dup2(fileno(out_), 1) < 0 || dup2(fileno(err_), 2) < 0) _exit(99);
    const int code = body();
    std::fflush(stdout);
    std::fflush(stderr);
    _exit(code);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    std::fclose(out_);
    std::fclose(err_);
  }

  pid_t id() const { return id_; }
  bool hasComplained() const { return lseek(fileno(err_), 0, SEEK_CUR) > 0; }
  // Whether it has ended; until it is asked it is a zombie at worst, and may be sent signals.
  bool hasEnded() {
    ended_ = ended_ || waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }

  Finished wait() {
    if (!ended_) waitpid(id_, &status_, 0);
    ended_ = true;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), textOf(out_), textOf(err_)};
  }

 private:
  static std::string textOf(std::FILE* file) {
    std::string text;
    std::rewind(file);
    char part[4096];
    for (std::size_t n = std::fread(part, 1, sizeof part, file); n > 0; n = std::fread(part, 1, sizeof part, file)) {
      text.append(part, n);
    }
    return text;
  }

  std::FILE* out_;
  std::FILE* err_;
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace heddle::util
